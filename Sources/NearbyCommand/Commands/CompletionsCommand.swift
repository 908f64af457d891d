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
#endif
