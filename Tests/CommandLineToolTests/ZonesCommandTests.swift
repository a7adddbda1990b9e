import CommandLineSupport
import Foundation
import Testing

@testable import CommandLineTool

@Suite("proximity zones")
struct ZonesCommandTests {
  private static let pad = """
    AlertZoneStart,,,
    AlertZoneName,Bow
    Location,1,0,0
    Location,2,0.01,0.01
    Location,3,0,0.01
    Location,4,0.01,0
    AlertZoneEnd
    AlertZoneStart
    AlertZoneName,Gone
    AlertZoneSize,20
    AlertZoneInset,30
    Location,1,1,2
    AlertZoneEnd
    """

  private struct Outcome {
    let status: Int32
    let output: String
    let messages: String
  }

  /// Runs a command line in which FILE stands for a file with the given text.
  private func run(_ arguments: [String], on text: String) throws -> Outcome {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "zones.pad")
    try Data(text.utf8).write(to: file)
    var output: [UInt8] = []
    var messages: [UInt8] = []
    let console = Console(
      output: { (bytes) throws(OutputError) in output += bytes },
      messages: { (bytes) throws(OutputError) in messages += bytes })
    let status = Proximity.run(["zones"] + arguments.map { $0 == "FILE" ? file.path : $0 }, on: console)
    func shown(_ bytes: [UInt8]) -> String {
      String(decoding: bytes, as: UTF8.self).replacing(file.path, with: "FILE")
    }
    return Outcome(status: status, output: shown(output), messages: shown(messages))
  }

  @Test func `check names crossing edges and insets that leave nothing`() throws {
    let outcome = try run(["check", "FILE"], on: Self.pad)
    #expect(outcome.status == 1)
    #expect(outcome.messages.contains("FILE:1: warning: zone Bow: edges 1 and 3 cross"))
    #expect(
      outcome.messages.contains(
        "FILE:8: warning: zone Gone: can never alarm: the inset of 30 m leaves nothing")
    )
    #expect(outcome.output.contains("polygon") && outcome.output.contains("nothing left"))
  }

  @Test func `check prints one object a line for programs`() throws {
    let outcome = try run(["check", "--json", "FILE"], on: Self.pad)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 5 && outcome.messages.isEmpty)
    for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    #expect(lines.dropLast().last?.contains("\"event\":\"warning\"") == true)
    #expect(lines.last?.contains("\"event\":\"file\"") == true)
    #expect(lines.contains { $0.contains("\"zone\":\"Gone\"") && $0.contains("\"can_alarm\":false") })
  }

  @Test func `exit codes tell good, doubtful, unknown and unreadable apart`() throws {
    let good = "AlertZoneStart\nLocation,1,1,2\nAlertZoneEnd\n"
    #expect(try run(["check", "FILE"], on: good).status == 0)
    #expect(try run(["check", "FILE"], on: good + good.dropLast(13)).status == 1)
    #expect(try run(["check", "--format", "FILE"], on: good).status == 2)
    #expect(try run(["check", "FILE"], on: "nothing").status == 3)
    #expect(try run(["check", "FILE", "/no/such/file.pad"], on: good).status == 3)
    #expect(try run(["convert", "FILE", "--to", "kmz"], on: good).status == 2)
    #expect(try run(["convert", "FILE", "--to", "geojson"], on: "nothing").status == 3)
  }

  @Test func `errors name file and line`() throws {
    let outcome = try run(
      ["check", "FILE"],
      on: "AlertZoneStart\nLocation,1,91,2\nLocation,2,1,2\nLocation,3,1,3\nLocation,4,2,2\n")
    #expect(
      outcome.messages.contains(
        "FILE:2: error: latitude 91 found, -90 to 90 allowed; the location is left out"))
    #expect(outcome.messages.contains("FILE:5: warning: AlertZoneEnd is missing; the zone is kept"))
  }

  @Test func `convert there and back gives the same file`() throws {
    let pad = try run(["convert", "FILE", "--to", "pad"], on: Self.pad).output
    for format in ["geojson", "kml"] {
      let there = try run(["convert", "FILE", "--to", format], on: pad)
      #expect(there.status == 0)
      let back = try run(["convert", "FILE", "--zone-format", format, "--to", "pad"], on: there.output)
      #expect(back.output == pad && back.status == 0)
    }
  }

  @Test func `convert says what the format cannot carry`() throws {
    let outcome = try run(["convert", "FILE", "--to", "owntracks"], on: Self.pad)
    #expect(outcome.status == 1)
    #expect(outcome.messages.contains("the circle around the zone is written"))
    #expect(outcome.messages.contains("its inset leaves nothing"))
  }
}
