import CommandLineSupport
import CommandLineTestSupport
import Foundation
import Testing

@testable import CommandLineTool

@Suite("Packs on the command line")
struct PackCommandTests {
  private let folder: TestFolder
  private let zones: String
  private let key: String
  private let pack: String

  init() throws {
    folder = try TestFolder()
    zones = try folder.file(
      "zones.pad", Sample.circle("Quarry", 52, 13.006) + Sample.circle("Crane", 52, 13.1))
    key = folder.path("key")
    pack = folder.path("first.zonepack")
  }

  private func make(_ arguments: String..., output: String? = nil) -> CapturedConsole {
    let captured = CapturedConsole()
    let all = ["pack", "make", zones, "--key", key, "-o", output ?? pack] + arguments
    let status = Proximity.run(all, on: captured.console)
    #expect(status == 0, "\(captured.messages)")
    return captured
  }

  private func publicKey() -> String {
    let captured = CapturedConsole()
    #expect(captured.run("pack", "key", key) == 0, "\(captured.messages)")
    return captured.lines.first ?? ""
  }

  @Test func `a key is made once, is its owner's alone, and signs a pack that is read back`() throws {
    let made = publicKey()
    #expect(made.count == 43 && publicKey() == made, "a key that is there stays")
    let mode = try FileManager.default.attributesOfItem(atPath: key)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    _ = make("--name", "Stone", "--publisher", "Stone & Co.")
    let captured = CapturedConsole()
    #expect(captured.run("pack", "check", pack, "--key", made, "--json", "-o", folder.path("out.pad")) == 0)
    let line = try #require(captured.lines.first)
    #expect(
      line.contains(#""name":"Stone""#) && line.contains(#""zones":2"#) && line.contains(made), "\(line)")
    #expect(try folder.text("out.pad").contains("AlertZoneName,Quarry"))
  }

  @Test func `a public key that begins with a hyphen is taken for a key`() throws {
    for number in 0..<2000 {
      let captured = CapturedConsole()
      let file = folder.path("key-\(number)")
      #expect(captured.run("pack", "key", file) == 0)
      let made = try #require(captured.lines.first)
      guard made.hasPrefix("-") else { continue }
      let check = CapturedConsole()
      let making = CapturedConsole()
      #expect(making.run("pack", "make", zones, "--key", file, "--name", "Stone", "-o", pack) == 0)
      #expect(check.run("pack", "check", pack, "--key", made) == 0, "\(check.messages)")
      return
    }
    Issue.record("none of 2,000 keys begins with a hyphen")
  }

  @Test func `a later pack has the same id and a higher version, also as changes alone`() throws {
    let made = publicKey()
    _ = make("--name", "Stone")
    try Data((Sample.circle("Quarry", 52, 13.006) + Sample.circle("Lift", 52, 13.2)).utf8)
      .write(to: URL(fileURLWithPath: zones))
    let step = folder.path("step.zonepack")
    _ = make("--after", pack, "--changes", output: step)
    let captured = CapturedConsole()
    #expect(captured.run("pack", "check", step, "--after", pack, "--key", made) == 0, "\(captured.messages)")
    #expect(captured.output.hasPrefix("Stone: version ") && captured.output.contains("2 zones"))
    let alone = CapturedConsole()
    #expect(alone.run("pack", "check", step) == 3)
    #expect(alone.messages.contains("nothing held here"), "\(alone.messages)")
    let back = CapturedConsole()
    let later = folder.path("later.zonepack")
    _ = make("--after", pack, output: later)
    #expect(back.run("pack", "check", pack, "--after", later) == 3)
    #expect(back.messages.contains("older than"), "\(back.messages)")
  }

  @Test func `a key that the present one has named goes on, and is made once`() throws {
    let old = publicKey()
    _ = make("--name", "Stone")
    let next = folder.path("next")
    func change(_ arguments: String...) -> (status: Int32, console: CapturedConsole) {
      let captured = CapturedConsole()
      return (Proximity.run(["pack", "change-key"] + arguments, on: captured.console), captured)
    }
    let made = change(key, next)
    #expect(made.status == 0, "\(made.console.messages)")
    let new = try #require(made.console.lines.first)
    #expect(new != old && new.count == 43)
    #expect(change(key, next).console.lines.first == new, "a key that is there stays")
    let mode = try FileManager.default.attributesOfItem(atPath: next)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(change(next, key).console.messages.contains("is no successor"))
    #expect(change(folder.path("nowhere"), folder.path("x")).status == 3)

    let later = folder.path("later.zonepack")
    let console = CapturedConsole()
    #expect(console.run("pack", "make", zones, "--key", next, "--after", pack, "-o", later) == 0)
    let check = CapturedConsole()
    #expect(
      check.run("pack", "check", later, "--after", pack, "--key", old, "--json") == 0, "\(check.messages)")
    let line = try #require(check.lines.first)
    #expect(line.contains(#""key":"\#(new)""#) && line.contains(#""earlier_keys":["\#(old)"]"#), "\(line)")
    let words = CapturedConsole()
    #expect(words.run("pack", "check", later) == 0)
    #expect(words.output.contains("earlier key \(old)"), "\(words.output)")

    try Data("no\n!!\n".utf8).write(to: URL(fileURLWithPath: folder.path("bad")))
    #expect(
      change(folder.path("bad"), folder.path("x")).console.messages.contains(
        "line 2 is not a valid change of the key")
    )
    let mixed = try folder.text("key") + (try folder.text("next").split(separator: "\n")[1]) + "\n"
    try Data(mixed.utf8).write(to: URL(fileURLWithPath: folder.path("mixed")))
    #expect(
      change(folder.path("mixed"), folder.path("x")).console.messages.contains("do not lead to this key"))
  }

  @Test func `after a lost key a pack is made by another, which followers refuse`() throws {
    let old = publicKey()
    _ = make("--name", "Stone")
    let other = folder.path("other")
    #expect(CapturedConsole().run("pack", "key", other) == 0)
    let later = folder.path("later.zonepack")
    func follow(_ arguments: String...) -> (status: Int32, words: String) {
      let captured = CapturedConsole()
      let all = ["pack", "make", zones, "--key", other, "--after", pack, "-o", later] + arguments
      return (Proximity.run(all, on: captured.console), captured.messages)
    }
    let refused = follow()
    #expect(refused.status == 3 && refused.words.contains("--key-lost"), "\(refused.words)")
    #expect(follow("--key-lost", "--changes").status == 2)
    #expect(follow("--key-lost").status == 0)
    let check = CapturedConsole()
    #expect(check.run("pack", "check", later, "--key", old) == 3)
    #expect(check.messages.contains("has not named it as its successor"), "\(check.messages)")
    #expect(CapturedConsole().run("pack", "check", later) == 0)
  }

  @Test func `a changed byte, another key and a cut file are refused with words`() throws {
    _ = publicKey()
    _ = make("--name", "Stone")
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: pack)))
    func refusal(_ arguments: String...) -> String {
      let captured = CapturedConsole()
      #expect(Proximity.run(["pack", "check"] + arguments, on: captured.console) == 3)
      return captured.messages
    }
    let other = folder.path("other")
    let captured = CapturedConsole()
    #expect(captured.run("pack", "key", other) == 0)
    #expect(
      refusal(pack, "--key", try #require(captured.lines.first)).contains("the key that is followed is"))
    try Data(bytes.dropLast(100)).write(to: URL(fileURLWithPath: pack))
    #expect(refusal(pack).contains("cut off"))
    bytes[bytes.count - 100] ^= 1
    try Data(bytes).write(to: URL(fileURLWithPath: pack))
    #expect(refusal(pack).contains("the signature is wrong"))
    #expect(refusal(zones).contains("this is no pack of zones"))
    #expect(refusal(folder.path("nowhere")).contains("nowhere"))
  }

  @Test func `bad usage says what is allowed`() {
    _ = publicKey()
    func usage(_ arguments: String...) -> String {
      let captured = CapturedConsole()
      #expect(Proximity.run(["pack", "make", zones, "-o", pack] + arguments, on: captured.console) == 2)
      return captured.messages
    }
    #expect(usage("--key", key).contains("--name or --after is missing"))
    #expect(usage("--key", key, "--name", "x", "--days", "0").contains("1 to 3650 allowed"))
    #expect(usage("--key", key, "--name", "x", "--changes").contains("--after"))
    let long = String(repeating: "x", count: 1025)
    #expect(usage("--key", key, "--name", long).contains("1025 bytes found, 1024 allowed"))
    let captured = CapturedConsole()
    #expect(captured.run("pack", "make", zones, "-o", pack, "--key", zones, "--name", "x") == 3)
    #expect(captured.messages.contains("`proximity pack key` creates one"), "\(captured.messages)")
  }
}
