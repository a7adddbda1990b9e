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
    abstract: "Creates a successor of the current key, signed by it, and prints its public key.",
    discussion: """
      Packs made with the new file contain the signed change, so followers of the current key accept the new one. An \
      existing new file is kept and its public key printed, if it holds a successor of the current key. Delete the old \
      file once the next pack is published: anybody who obtains it could sign a successor of their own, and followers \
      who have not yet seen yours would accept it.
      """)

  @Argument(help: "The file of the current key.") var old: String
  @Argument(help: "The file of the new key, readable only by you.") var new: String

  func run(on console: Console) throws -> ExitStatus {
    let present = try PackFile.key(old)
    let next: PackKey
    if FileManager.default.fileExists(atPath: new) {
      next = try PackFile.key(new)
      guard next.publicKey != present.publicKey, next.follows(present.publicKey) else {
        throw ReadError(
          "\(InputFiles.name(new)): already exists, with a key that is no successor of the key of \(InputFiles.name(old))"
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
