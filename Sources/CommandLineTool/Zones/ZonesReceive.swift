import AlarmEngine
import ArgumentParser
import CommandLineSupport
import Formats
import Foundation
import PAD

/// Takes a mail from a mail server and adds the zones in it (S126).
struct ZonesReceive: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "receive",
    abstract: "Extracts the zones of an e-mail and prints them, or adds them to a file.",
    discussion: """
      For a mail server's pipe, procmail or maildrop: reads the message from standard input. Zones are recognized by \
      their content, whatever the attachment's name. Zones already in the file are not added again.
      Senders are not checked: configure the mail server to deliver only to an address that nobody can guess.
      Exit status: 0 done, 2 bad usage, 65 no zone found (the mail server returns the mail), 75 try again later.
      """)

  @Argument(help: "A file with the message. Default: standard input.")
  var message: String?

  @Option(
    help: ArgumentHelp("The PAD file to add the zones to, created if missing.", valueName: "file.pad"))
  var into: String?

  func run(on console: Console) throws -> ExitStatus {
    let bytes: [UInt8]
    do { bytes = try read() } catch {
      console.complain("cannot read the message: \(printable(error.localizedDescription))")
      return .tryAgain
    }
    var file: ZoneFile
    do { file = try ReceivedMail(bytes).zones() } catch {
      console.complain("refused: \(error)")
      return .refusedMail
    }
    file.fillTimeZones()
    for issue in file.issues { console.complain(line(for: issue, in: "mail")) }
    guard !file.zones.isEmpty else {
      console.complain("refused: no zone found in the mail")
      return .refusedMail
    }
    guard let into else {
      var text = String(decoding: PADWriter.write(file.zones).bytes, as: UTF8.self)
      if text.hasSuffix("\n") { text.removeLast() }
      try console.print(text)
      return .ok
    }
    do {
      let added = try add(file.zones, to: URL(fileURLWithPath: into))
      console.complain("\(counted(added, "zone", "zones")) added to \(printable(into))")
      return .ok
    } catch {
      console.complain("cannot add to \(printable(into)): \(printable(Self.words(for: error)))")
      return .tryAgain
    }
  }

  /// Our own errors describe themselves; those of the system have a text.
  private static func words(for error: any Error) -> String {
    error is ReadError || error is OutputError ? "\(error)" : error.localizedDescription
  }

  /// Reads at most one byte more than a message may have, which shows that it is too long.
  private func read() throws -> [UInt8] {
    let handle: FileHandle
    if let message {
      handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: message))
    } else {
      handle = FileHandle.standardInput
    }
    var bytes: [UInt8] = []
    while bytes.count <= ReceivedMail.maximumSize,
      let data = try handle.read(upToCount: min(1 << 20, ReceivedMail.maximumSize + 1 - bytes.count)),
      !data.isEmpty
    { bytes += data }
    return bytes
  }

  /// Appends the new zones as text, so that the rest of the file is unchanged; the file changes in one step.
  private func add(_ zones: [Zone], to url: URL) throws -> Int {
    let lock = try FileLock(beside: url)
    defer { lock.release() }
    var text: [UInt8] = []
    var known: Set<ZoneID> = []
    if FileManager.default.fileExists(atPath: url.path) {
      text = Array(try Data(contentsOf: url))
      known = Set(try ZoneFile.read(data: Data(text), format: .pad).zones.map(\.id))
    }
    let new = zones.filter { known.insert($0.id).inserted }
    guard !new.isEmpty else { return 0 }
    if let last = text.last, last != 10, last != 13 { text.append(10) }
    text += PADWriter.write(new).bytes
    try Data(text).write(to: url, options: .atomic)
    return new.count
  }
}

/// Prevents two mails that arrive at the same time from overwriting each other's zones.
private struct FileLock {
  private let descriptor: Int32
  init(beside url: URL) throws {
    descriptor = open(url.path + ".lock", O_CREAT | O_RDWR, 0o600)
    guard descriptor >= 0, flock(descriptor, LOCK_EX) == 0 else { throw OutputError.failed(errno: errno) }
  }
  /// The lock's file remains: removing it would let a third process in.
  func release() { close(descriptor) }
}
