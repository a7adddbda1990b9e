import CommandLineSupport
import CommandLineTestSupport
import Testing

@testable import LabTool

@Suite("adversary")
struct AdversaryTests {
  @Test func `it counts the promises of each host and trigger, the same ones each time`() {
    func lines() -> [String] {
      let console = CapturedConsole()
      #expect(console.run("adversary", "--seed", "43", "--seeds", "2") == 0, "\(console.messages)")
      return console.lines
    }
    let table = lines()
    #expect(table == lines())
    #expect(table.first?.split(separator: " ").first == "host")
    #expect(
      table.dropFirst().map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == [
        "H1 enter", "H1 leave", "H1 dwell", "H1 outside", "H2 enter", "H2 leave", "H2 dwell", "H2 outside",
      ])
    let promised = table.dropFirst().compactMap { Int($0.split(separator: " ")[2]) }
    #expect(promised.count == 8 && promised.reduce(0, +) > 20)
  }

  @Test func `a broken promise is printed with the command that repeats it, an excused one is counted`() {
    var found = AdversaryTrial(.init(seed: 43, host: .suspended, isMeasured: true)).found
    #expect(found.count > 3)
    #expect(AdversaryTable(found, [.suspended]).broken.isEmpty)
    found[1].isBroken = true
    (found[2].isBroken, found[2].falsePremise) = (true, "slowFix")
    let table = AdversaryTable(found, [.suspended])
    #expect(table.broken.count == 1)
    #expect(table.lines.contains { $0.hasSuffix(" 1 slowFix") })
    #expect(
      table.lines.last?.hasSuffix(": proximity-lab adversary --seed 43 --seeds 1 --host H2 --measured")
        ?? false)
    let many = AdversaryTable(Array(repeating: found[1], count: 30), [.suspended])
    #expect(many.lines.count { $0.hasPrefix("zone ") } == AdversaryTable.mostListed)
    #expect(many.lines.last == "and 5 more")
  }

  @Test(arguments: [
    (["--seeds", "0"], "--seeds 0 found, 1 to 100000 allowed"),
    (["--seeds", "100001"], "--seeds 100001 found, 1 to 100000 allowed"),
    (["--seed", "18446744073709551615"], "at most 18446744073709551595 allowed"),
    (["--host", "H0"], "--host H0 found, H1, H2 allowed"),
  ])
  func `numbers and hosts that are not allowed are refused`(_ options: [String], _ message: String) {
    let console = CapturedConsole()
    #expect(console.run(ProximityLab.self, ["adversary"] + options) == 2)
    #expect(console.messages.contains(message), "\(console.messages)")
  }
}
