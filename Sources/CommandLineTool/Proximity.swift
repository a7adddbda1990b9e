import ArgumentParser

@main
struct Proximity: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "proximity", abstract: "An alarm clock whose trigger is a place.")
}
