#if CommandLine
  import AnnotationSources
  import ArgumentParser

  /// `nearby completions SHELL`: the script that completes commands and options.
  struct CompletionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "completions",
      abstract: "Print the completion script for a shell: bash, zsh or fish.",
      discussion: """
          nearby completions bash > ~/.local/share/bash-completion/completions/nearby
          nearby completions zsh > ~/.zfunc/_nearby
          nearby completions fish > ~/.config/fish/completions/nearby.fish
        """)

    @Argument(help: "bash, zsh or fish.", completion: .list(["bash", "zsh", "fish"]))
    var shell: String

    func run() throws {
      guard let known = CompletionShell(rawValue: shell) else {
        throw ReportedError(
          "bad-shell", "there are no completions for \(shell); use bash, zsh or fish",
          fault: .usage)
      }
      try Console.write(CompletionScript(for: known).text + "\n")
    }
  }

  /// The parser's completion script of a shell, made to complete the default commands as well.
  ///
  /// The parser completes the options and files of `find` after `nearby find` only, while everybody
  /// writes `nearby --lat …` and `nearby shops.csv`. Where the first word is no command, each script
  /// goes on as if `find` stood before it; while that word is being written, both are offered. The same goes for
  /// the word behind `nearby hours`.
  struct CompletionScript {
    let shell: CompletionShell
    private let commands: String
    /// The commands of which one has a default, too.
    private let groups: [(name: String, standard: String, commands: String)]

    /// Whether options are listed for a shell, which completes those, too, that `--help` leaves out.
    @TaskLocal static var isBeingMade = false

    init(for shell: CompletionShell) {
      self.shell = shell
      commands = Nearby.commandNames.joined(separator: " ")
      groups = Nearby.configuration.subcommands.compactMap { command in
        let settings = command.configuration
        return settings.defaultSubcommand.map {
          (
            name: command._commandName, standard: $0._commandName,
            commands: settings.subcommands.map { $0._commandName }.joined(separator: " ")
          )
        }
      }
    }

    var text: String {
      let script = CompletionScript.$isBeingMade.withValue(true) {
        Nearby.completionScript(for: shell)
      }
      return switch shell {
      case .bash: bash(script)
      case .zsh: zsh(script)
      case .fish: fish(script)
      default: script
      }
    }

    private func bash(_ script: String) -> String {
      renamed(completingLastWord(script)) + """

        _nearby() {
            local -i place=1
            local command=find commands="\(commands)"
            if [[ ${COMP_CWORD} -gt 1 ]]; then
                case "${COMP_WORDS[1]}" in
        \(cases { #"place=2 command=\#($0.standard) commands="\#($0.commands)""# })
                esac
            fi
            if [[ ${COMP_CWORD} -gt ${place} && " ${commands} " = *" ${COMP_WORDS[place]} "* ]]; then
                _nearby_commands "${@}"
                return
            fi
            local -a offered=()
            if [[ ${COMP_CWORD} -eq ${place} ]]; then
                _nearby_commands "${@}"
                offered=("${COMPREPLY[@]}")
                COMPREPLY=()
                if [[ -z "${2}" ]]; then
                    COMPREPLY=("${offered[@]}")
                    return
                fi
            fi
            COMP_WORDS=("${COMP_WORDS[@]:0:place}" "${command}" "${COMP_WORDS[@]:place}")
            ((COMP_CWORD++))
            _nearby_commands "${@}"
            local word
            for word in "${offered[@]}"; do
                [[ " ${COMPREPLY[*]} " = *" ${word} "* ]] || COMPREPLY+=("${word}")
            done
        }

        complete -o filenames -F _nearby nearby
        """
    }

    private func zsh(_ script: String) -> String {
      let wrapper = """
        _nearby() {
            local -i place=2 current=CURRENT ret=1
            local command=find
            local -a nearby_commands=(\(commands)) written=("${(@)words}")
            if [[ ${CURRENT} -gt 2 ]]; then
                case "${words[2]}" in
        \(cases { "place=3 command=\($0.standard) nearby_commands=(\($0.commands))" })
                esac
            fi
            if [[ ${CURRENT} -gt ${place} && -n "${nearby_commands[(re)${words[place]}]}" ]]; then
                _nearby_commands "${@}"
                return
            fi
            if [[ ${CURRENT} -eq ${place} ]]; then
                _nearby_commands "${@}" && ret=0
                [[ -z "${written[place]}" ]] && return "${ret}"
            fi
            # The parser's function drops the words that it has read.
            words=("${(@)written[1,place-1]}" "${command}" "${(@)written[place,-1]}")
            ((CURRENT = current + 1))
            _nearby_commands "${@}" && ret=0
            return "${ret}"
        }

        if [[ "${funcstack[1]}" = _nearby ]]; then
        """
      return renamed(script).replacing(
        #"if [[ "${funcstack[1]}" = _nearby ]]; then"#, with: wrapper, maxReplacements: 1)
    }

    /// What a `case` of the shell does for each of the groups.
    private func cases(_ words: ((name: String, standard: String, commands: String)) -> String)
      -> String
    {
      groups.map { "            \($0.name)) \(words($0)) ;;" }.joined(separator: "\n")
    }

    /// The script with the word that is being written no longer taken for an option that waits for a value, and no
    /// longer kept from being offered: `--lon` may become `--lon-field`.
    private func completingLastWord(_ script: String) -> String {
      let reading = "            -*)\n                # ${word} is a flag or an option\n"
      return script.replacing(
        reading,
        with: """
                      -*)
                          # The last word is still being written
                          if [[ "${word_index}" -eq "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]]; then
                              unset "unparsed_words[${word_index}]"
                              continue
                          fi
                          # ${word} is a flag or an option

          """, maxReplacements: 1)
    }

    /// The parser's own function for the command and its subcommands, under a name of its own.
    private func renamed(_ script: String) -> String {
      script.replacing("\n_nearby() {\n", with: "\n_nearby_commands() {\n", maxReplacements: 1)
        .replacing("\ncomplete -o filenames -F _nearby nearby", with: "", maxReplacements: 1)
    }

    private func fish(_ script: String) -> String {
      let reading = "    set -l unparsed_tokens (__nearby_tokens -pc)\n"
      return script.replacing(
        reading,
        with: reading + """
              # Without a command, the default one answers.
              set -l first $unparsed_tokens[2]
              set -l second $unparsed_tokens[3]
              if not contains -- "$first" \(commands)
                  if test -n "$first" -o "$expected_commands" = 'nearby find' -a -n "$(commandline -t)"
                      set unparsed_tokens $unparsed_tokens[1] find $unparsed_tokens[2..]
                  end
              end
          \(groups.map(fishDefault).joined(separator: "\n"))

          """, maxReplacements: 1)
    }

    private func fishDefault(_ group: (name: String, standard: String, commands: String)) -> String
    {
      """
          if test "$first" = \(group.name); and not contains -- "$second" \(group.commands)
              if test -n "$second" -o "$expected_commands" = 'nearby \(group.name) \(group.standard)' -a -n "$(commandline -t)"
                  set unparsed_tokens $unparsed_tokens[1..2] \(group.standard) $unparsed_tokens[3..]
              end
          end
      """
    }
  }
#endif
