import ArgumentParser
import CommandLineSupport
import Delivery
import Formats
import Foundation
import Packs

/// Makes a key for signing packs.
struct PackKeyMaker: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "Creates a key for signing packs, and prints its public key.",
    discussion: """
      Anybody who has the file can publish in your name, and without it you can no longer publish to your followers: keep \
      a copy that nobody else can read. An existing file is not changed; its public key is printed.
      """)

  @Argument(help: "The key's file; a new one is readable only by you.") var file: String

  func run(on console: Console) throws -> ExitStatus {
    let key: PackKey
    if FileManager.default.fileExists(atPath: file) {
      key = try PackFile.key(file)
    } else {
      key = PackKey()
      try PackFile.write(key, to: file)
    }
    try console.print(Base64URL.encode(key.publicKey))
    return .ok
  }
}

/// The file formats of packs and their keys.
enum PackFile {
  /// - Throws: `ReadError` that names the file.
  static func bytes(_ path: String) throws -> [UInt8] {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      throw ReadError("\(InputFiles.name(path)) is a folder; name the file in it")
    }
    do { return Array(try Data(contentsOf: URL(fileURLWithPath: path))) } catch {
      throw ReadError("\(InputFiles.name(path)): \(error.localizedDescription)")
    }
  }

  /// - Throws: `ReadError` that names the file and the error in the pack.
  static func held(_ path: String, signedBy key: [UInt8]? = nil) throws -> HeldPack {
    let bytes = try bytes(path)
    do throws(PackError) { return try HeldPack(bytes, signedBy: key) } catch {
      throw ReadError("\(InputFiles.name(path)): \(error.message)")
    }
  }

  /// The first line is the private key, each further line a change of keys that led to it.
  static func key(_ path: String) throws -> PackKey {
    let lines = String(decoding: try bytes(path), as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { Base64URL.decode($0.trimmingCharacters(in: .whitespaces)) }
    guard let first = lines.first, let bytes = first else {
      throw ReadError("\(InputFiles.name(path)): no key found; `proximity pack key` creates one")
    }
    var changes: [PackKeyChange] = []
    for (number, line) in lines.enumerated().dropFirst() {
      do throws(PackError) { changes.append(try PackKeyChange((line ?? [])[...])) } catch {
        throw ReadError("\(InputFiles.name(path)): line \(number + 1) is not a valid change of the key")
      }
    }
    do throws(PackKeyError) { return try PackKey(bytes: bytes, changes: changes) } catch {
      throw ReadError("\(InputFiles.name(path)): \(error.message)")
    }
  }

  /// Writes a new file that only its owner can read.
  static func write(_ key: PackKey, to path: String) throws {
    let lines = ([key.bytes] + key.changes.map(\.bytes)).map { Base64URL.encode($0) + "\n" }
    guard
      FileManager.default.createFile(
        atPath: path, contents: Data(lines.joined().utf8), attributes: [.posixPermissions: 0o600])
    else { throw OutputError.file(path, reason: "it could not be created") }
  }

  /// A public key in the form in which people exchange it.
  /// - Throws: `UsageError`.
  static func publicKey(_ text: String) throws -> [UInt8] {
    guard let bytes = Base64URL.decode(text), bytes.count == ZonePack.keyLength else {
      throw UsageError(
        "key \(printable(text)) found, the \(ZonePack.keyLength) bytes in base64url that `proximity pack key` prints allowed"
      )
    }
    return bytes
  }
}
