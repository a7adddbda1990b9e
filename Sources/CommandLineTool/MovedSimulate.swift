import ArgumentParser

/// `proximity simulate`, which names the program to use instead.
struct MovedSimulate: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "simulate", shouldDisplay: false)

  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []

  func run() throws {
    throw ValidationError(
      "simulate is a command of another program, proximity-lab: `proximity-lab simulate`. In the source folder, "
        + "`make simulate` builds and runs it")
  }
}
