#if CommandLine
  import ArgumentParser

  /// The parser's completion script of a shell, made to complete the default command as well.
  ///
  /// The parser completes the options and files of `find` after `nearby find` only, while everybody
  /// writes `nearby --lat …` and `nearby shops.csv`. Where the first word is no command, each script
  /// goes on as if `find` stood before it; while that word is being written, both are offered.
  struct CompletionScript {
    let shell: CompletionShell
    private let commands: String

    /// Whether options are listed for a shell, which completes those, too, that `--help` leaves out.
    @TaskLocal fileprivate static var isBeingMade = false

    init(for shell: CompletionShell) {
      self.shell = shell
      commands = Nearby.commandNames.joined(separator: " ")
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
            if [[ ${COMP_CWORD} -gt 1 && " \(commands) " = *" ${COMP_WORDS[1]} "* ]]; then
                _nearby_commands "${@}"
                return
            fi
            local -a offered=()
            if [[ ${COMP_CWORD} -eq 1 ]]; then
                _nearby_commands "${@}"
                offered=("${COMPREPLY[@]}")
                COMPREPLY=()
                if [[ -z "${2}" ]]; then
                    COMPREPLY=("${offered[@]}")
                    return
                fi
            fi
            COMP_WORDS=("${COMP_WORDS[0]}" find "${COMP_WORDS[@]:1}")
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
            local -a nearby_commands=(\(commands))
            if [[ ${CURRENT} -gt 2 && -n "${nearby_commands[(re)${words[2]}]}" ]]; then
                _nearby_commands "${@}"
                return
            fi
            local -i ret=1
            if [[ ${CURRENT} -eq 2 ]]; then
                _nearby_commands "${@}" && ret=0
                [[ -z "${words[2]}" ]] && return "${ret}"
            fi
            words=("${words[1]}" find "${(@)words[2,-1]}")
            ((CURRENT++))
            _nearby_commands "${@}" && ret=0
            return "${ret}"
        }

        if [[ "${funcstack[1]}" = _nearby ]]; then
        """
      return renamed(script).replacing(
        #"if [[ "${funcstack[1]}" = _nearby ]]; then"#, with: wrapper, maxReplacements: 1)
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
              # Without a command, `find` answers.
              set -l first $unparsed_tokens[2]
              if not contains -- "$first" \(commands)
                  if test -n "$first" -o "$expected_commands" = 'nearby find' -a -n "$(commandline -t)"
                      set unparsed_tokens $unparsed_tokens[1] find $unparsed_tokens[2..]
                  end
              end

          """, maxReplacements: 1)
    }
  }

  extension ArgumentVisibility {
    /// Of an option that few look for: left out of `--help`, shown by `--help-all`, and completed.
    static var rare: ArgumentVisibility { CompletionScript.isBeingMade ? .default : .hidden }
  }
#endif
