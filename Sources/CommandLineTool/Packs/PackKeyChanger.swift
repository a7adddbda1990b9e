import AlarmEngine
import AlarmService
import ArgumentParser
import CommandLineSupport
import Formats
import Foundation
import Packs

/// Makes a new key that replaces another; the old key names it as its successor.
struct PackKeyChanger: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "change-key",
    abstract: "Makes a new key that the present one names as its successor, and prints its public half.",
    discussion: """
      Packs that are made with the new file carry the statement, so whoever follows the present key goes on by the new \
      one. A new file that is there already stays, and its public half is printed, if the present key has named it. Delete \
      the old file once the next pack is given out: whoever gets hold of it could name a key of their own, which those \
      followers would take who have not seen yours.
      """)

  @Argument(help: "The file of the present key.") var old: String
  @Argument(help: "The file of the new key; readable by you alone.") var new: String

  func run(on console: Console) throws -> ExitStatus {
    let present = try PackFile.key(old)
    let next: PackKey
    if FileManager.default.fileExists(atPath: new) {
      next = try PackFile.key(new)
      guard next.publicKey != present.publicKey, next.follows(present.publicKey) else {
        throw ReadError(
          "\(InputFiles.name(new)): there already, with a key that the key of \(InputFiles.name(old)) has not named"
        )
      }
    } else {
      do throws(PackKeyError) { next = try present.successor(at: ServerClock.system.now()) } catch {
        throw ReadError("\(InputFiles.name(old)): \(error.message)")
      }
      try PackFile.write(next, to: new)
    }
    try console.print(Base64URL.encode(next.publicKey))
    return .ok
  }
}
