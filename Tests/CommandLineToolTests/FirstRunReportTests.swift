import CommandLineSupport
import CommandLineTestSupport
import Foundation
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

  @Test func `a report cut short, of another form or with zones is read as before`() throws {
    for text in [String(written().dropLast(9)), written(form: 2), "{}"] {
      let (status, captured) = try replayed(text)
      #expect(
        status > 1 && captured.lines.allSatisfy { !$0.contains("did not happen") }, "\(captured.output)")
    }
  }
}
