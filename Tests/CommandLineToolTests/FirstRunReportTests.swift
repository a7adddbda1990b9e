import AlarmEngine
import CommandLineSupport
import CommandLineTestSupport
import Foundation
import Geometry
import PhoneHost
import TestSupport
import Testing

@testable import CommandLineTool

@Suite("replay of the report of a phone's first run")
struct FirstRunReportTests {
  private let folder: TestFolder
  init() throws { folder = try TestFolder() }

  /// As `FirstRun.java` writes it.
  private func written(without missing: Set<Int> = [], form: Int = 1) -> String {
    let steps = (1...10).map { step in
      let at = missing.contains(step) ? 0 : 1_795_000_000_000 + step * 60_000
      return #"{"step":\#(step),"name":"STEP","happened":\#(at != 0),"at_ms":\#(at)}"#
    }
    return
      #"{"report":"proximity first run","form":\#(form),"at_ms":1795000700000,"version":"0.2.0","android":34,"#
      + #""maker":"Google","model":"Pixel 8","page_ms":850,"battery":90,"steps":[\#(steps.joined(separator: ","))],"#
      + #""permissions":{"troubles":[{"trouble":"OPTIMISED","title":"Battery optimisation is on"}]}}"#
  }

  private func replayed(_ text: String) throws -> (status: Int32, CapturedConsole) {
    let file = folder.url.appendingPathComponent("proximity-report.json")
    try Data(text.utf8).write(to: file)
    let captured = CapturedConsole()
    return (captured.run("replay", file.path), captured)
  }

  @Test func `all ten steps are told, with the phone`() throws {
    let (status, captured) = try replayed(written())
    #expect(status == 0, "\(captured.messages)")
    #expect(
      captured.lines.first
        == "Google Pixel 8, Android 34, app 0.2.0, battery 90 %, page shown after 850 ms")
    #expect(captured.lines.contains { $0.hasPrefix(" 7  rang out of view") && !$0.contains("did not") })
    #expect(captured.lines.contains { $0.hasPrefix("10  report saved") })
    #expect(captured.lines.last == "  Battery optimisation is on")
  }

  @Test func `a step that did not happen is named, and is the status`() throws {
    let (status, captured) = try replayed(written(without: [9]))
    #expect(status == 1)
    #expect(captured.lines.filter { $0.contains("did not happen") }.count == 1)
    #expect(captured.lines.contains { $0.hasPrefix(" 9  ") && $0.hasSuffix("did not happen") })
  }

  // MARK: With the journal

  /// As both apps append the journal.
  private func written(journal: String) -> String {
    String(written().dropLast()) + #","journal":"\#(journal)"}"#
  }

  private func moved(_ fixes: [Fix]) throws -> String {
    var journal = WrittenJournal(at: AlarmStory.start, zones: [AlarmStory.circle("Bakery")])
    journal.measure(fixes)
    let moved = try MovedJournal.bytes(of: journal.export, turn: .degrees(200), lift: .metres(5))
    return Data(moved).base64EncodedString()
  }

  @Test func `the watch is done again from the report, under the table of steps`() throws {
    let report = written(journal: try moved(WrittenJournal.walk()))
    let (status, captured) = try replayed(report)
    #expect(status == 0, "\(captured.output)\(captured.messages)")
    #expect(captured.lines.contains { $0.hasPrefix("10  report saved") })
    #expect(captured.lines.contains { $0.contains("Zone 1  ALARM") }, "\(captured.output)")
    #expect(captured.lines.contains("On the phone: 1 alarm"))
    #expect(!captured.output.contains("Bakery"))

    let file = folder.url.appendingPathComponent("proximity-report.json").path
    let explained = CapturedConsole()
    let time = "2026-06-01T00:01:05Z"
    #expect(explained.run("explain", file, "--zone", "Zone 1", "--at", time) == 0, "\(explained.messages)")
    #expect(explained.output.contains("On the phone: it had not rung by then."), "\(explained.output)")
    let lines = CapturedConsole()
    #expect(lines.run("replay", file, "--json") == 0, "\(lines.messages)")
    #expect(lines.lines.contains { $0.contains(#""event":"alarm""#) && $0.contains(#""zone":"Zone 1""#) })
  }

  @Test func `a step that did not happen is the status where the watch agrees`() throws {
    let journal = try moved(WrittenJournal.walk())
    let report = String(written(without: [9]).dropLast()) + #","journal":"\#(journal)"}"#
    let (status, captured) = try replayed(report)
    #expect(status == 1, "\(captured.messages)")
    #expect(captured.output.contains("Zone 1  ALARM"))
  }

  @Test func `where the journal cannot be read or has no position, the steps are told all the same`() throws {
    let wrong = [
      ("%%%", "is damaged; it is no base64"), (Data([1, 2, 3]).base64EncodedString(), "is damaged"),
      ("", "is empty"), (try moved([]), "the phone received none"),
    ]
    for (journal, sentence) in wrong {
      let (status, captured) = try replayed(written(journal: journal))
      #expect(status == 1, "\(captured.output)\(captured.messages)")
      #expect(captured.lines.contains { $0.hasPrefix("10  report saved") })
      #expect(captured.output.contains(sentence), "\(captured.output)")
    }
  }

  @Test func `of an iPhone the steps of its own document are told`() throws {
    let alarms = [(0, 900), (20_000, 21_000), (40_000, 90_000)].map { planned, alerted in
      #"{"planned_ms":\#(planned),"alerted_ms":\#(alerted)}"#
    }
    let never = [#"{"planned_ms":60000}"#, #"{"planned_ms":-9223372036854775800,"alerted_ms":1}"#, "3"]
    let report = written().replacingOccurrences(
      of: #""android":34"#,
      with: #""ios":"26.1","system_alarms":[\#((alarms + never).joined(separator: ","))]"#)
    let (status, captured) = try replayed(report)
    #expect(status == 0, "\(captured.messages)")
    #expect(captured.lines.first?.contains("iOS 26.1, app 0.2.0") == true)
    #expect(captured.lines.contains { $0.hasPrefix(" 6  system alarm ended, came back") })
    let late = "System alarms: 6 planned, 3 said to alert, 1 s late in the middle, 50 s at most"
    #expect(captured.lines.contains(late), "\(captured.output)")
  }

  @Test func `a report cut short, of another form or with zones is read as before`() throws {
    for text in [String(written().dropLast(9)), written(form: 2), "{}"] {
      let (status, captured) = try replayed(text)
      #expect(
        status > 1 && captured.lines.allSatisfy { !$0.contains("did not happen") }, "\(captured.output)")
    }
  }
}
