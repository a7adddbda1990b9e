import CommandLineSupport
import CommandLineTestSupport
import Foundation
import Testing

@testable import CommandLineTool

@Suite("Standard input, and several tracks")
struct SeveralInputsTests {
  @Test func `standard input can be named once`() throws {
    let zones = try TestFolder().file("zones.pad", Sample.padExample)
    for arguments in [
      ["replay", "-", "--zones", "-"], ["replay", "-", "-", "--zones", zones], ["zones", "check", "-", "-"],
    ] {
      let captured = CapturedConsole()
      #expect(Proximity.run(arguments, on: captured.console) == 2, "\(arguments)")
      #expect(captured.messages.contains("which can be read only once"), "\(captured.messages)")
    }
  }

  @Test func `several tracks are as many phones, each called as its file`() throws {
    let folder = try TestFolder()
    let zones = try folder.file("zones.pad", Sample.circle("Middle", 52, 13.004))
    let first = try folder.file("anna.gpx", Sample.walk())
    let second = try folder.file("bert.gpx", Sample.walk())
    let captured = CapturedConsole()
    #expect(captured.run("replay", first, second, "--zones", zones) == 0, "\(captured.messages)")
    #expect(captured.lines.contains { $0.contains("anna") && $0.contains("ALARM") }, "\(captured.output)")
    #expect(captured.lines.contains { $0.contains("bert") && $0.contains("ALARM") }, "\(captured.output)")
    #expect(captured.messages == "")
  }

  @Test func `a device that is in two files is one phone, and that is said`() throws {
    let folder = try TestFolder()
    let zones = try folder.file("zones.pad", Sample.circle("Middle", 52, 13.004))
    func half(_ steps: Range<Int>) -> String {
      "device,time,lat,lon\n"
        + steps.map { "p,\(1_777_622_400 + $0 * 10),52,\(13 + Double($0) * 0.0002)\n" }.joined()
    }
    let late = try folder.file("late.csv", half(30..<60))
    let early = try folder.file("early.csv", half(0..<30))
    let captured = CapturedConsole()
    #expect(captured.run("replay", late, early, "--zones", zones) == 0, "\(captured.messages)")
    #expect(captured.messages.contains("device p is in late.csv and early.csv: merged into one phone"))
    let whole = try folder.file("whole.csv", half(0..<60))
    let once = CapturedConsole()
    #expect(once.run("replay", whole, "--zones", zones) == 0)
    #expect(captured.output == once.output)
  }
}
