import AlarmEngine
import Foundation
import Geometry
import TestSupport
import Testing

@testable import Formats

@Suite("Reports of phones, whatever the bytes")
struct PhoneReportTests {
  @Test(arguments: PhoneSamples.all.indices)
  func `a body or query cut off anywhere is read or kept, never dropped`(index: Int) {
    let (path, query, body) = PhoneSamples.all[index]
    let whole = phoneReport(path, query: query, body)
    #expect(whole.issues.allSatisfy { $0.severity == .warning }, "\(path): \(phoneStory(whole))")
    #expect(!whole.fixes.isEmpty || !whole.messages.isEmpty, "\(path)")
    let bytes = Array(body.utf8)
    for count in bytes.indices {
      let report = PhoneReport.read(phoneRequest(path, query: query, bytes: Array(bytes[..<count])))
      #expect(Self.saysSomething(report), "\(path), \(count) bytes: \(phoneStory(report))")
      // Truncated JSON is never read as a position.
      if bytes.first == UInt8(ascii: "{"), count > 0 {
        #expect(report.needsRawBody, "\(path), \(count) bytes")
      }
    }
    for count in query.utf8.indices {
      let report = phoneReport(path, query: String(query[..<count]), body)
      #expect(Self.saysSomething(report), "\(path)?\(query[..<count]): \(phoneStory(report))")
    }
  }

  private static func saysSomething(_ report: PhoneReport) -> Bool {
    !report.fixes.isEmpty || !report.messages.isEmpty || !report.issues.isEmpty
  }

  private static let nasty = [
    "NaN", "nan", "Infinity", "-Infinity", "1e999", "-1e999", "1e308", "-1e308", "1e-400", "-0",
    "99999999999999999999",
    "9223372036854775807", "-9223372036854775808", "0x10", "1e", "+", "", " ", "null", "true", "\"\"",
    "\"é\"", "[]",
    "{}", "[[[[]]]]", "\"1e308\"", "\u{0}", "\\u0000", "\"\\ud800\"", "1,5", "%", "%%%", "+1", ".5", "5.",
  ]

  @Test(arguments: PhoneSamples.all.indices)
  func `any number in place of any other traps nowhere and stays within what a fix may be`(index: Int) {
    let (path, query, body) = PhoneSamples.all[index]
    let text = body.isEmpty ? query : body
    for range in text.ranges(of: #/-?[0-9]+(\.[0-9]+)?/#) {
      for word in Self.nasty {
        var changed = text
        changed.replaceSubrange(range, with: word)
        let report =
          body.isEmpty ? phoneReport(path, query: changed) : phoneReport(path, query: query, changed)
        #expect(Self.isSound(report), "\(path): \(changed)")
      }
    }
  }

  @Test(arguments: PhoneSamples.all.indices)
  func `any damage is read or kept`(index: Int) {
    let (path, query, body) = PhoneSamples.all[index]
    for seed in Seeds.few(150, from: index * 1000) {
      var generator = SeededGenerator(seed: UInt64(seed))
      var bytes = Array((body.isEmpty ? query : body).utf8)
      for _ in 0...Int.random(in: 0..<4, using: &generator) { Self.damage(&bytes, &generator) }
      let report =
        body.isEmpty
        ? phoneReport(path, query: String(decoding: bytes, as: UTF8.self))
        : .read(phoneRequest(path, query: query, bytes: bytes))
      #expect(Self.isSound(report), "seed \(seed), \(path): \(String(decoding: bytes, as: UTF8.self))")
    }
  }

  private static func damage(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
    guard !bytes.isEmpty else { return }
    let at = Int.random(in: 0..<bytes.count, using: &generator)
    let length = min(bytes.count - at, Int.random(in: 1...40, using: &generator))
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: bytes[at] = .random(in: 0...255, using: &generator)
    case 1: bytes.removeSubrange(at..<at + length)
    case 2: bytes.insert(contentsOf: bytes[at..<at + length], at: at)
    case 3: bytes.removeSubrange(at...)
    case 4: bytes[at] = Array("{}[]\",:&=%;-.eE019\n\r\0".utf8).randomElement(using: &generator) ?? 0
    default: bytes.insert(contentsOf: nasty.randomElement(using: &generator)?.utf8 ?? "".utf8, at: at)
    }
  }

  /// True if every value is in range, and the report accounts for the body.
  private static func isSound(_ report: PhoneReport) -> Bool {
    report.fixes.allSatisfy { reported in
      guard Instant.allowed.contains(reported.fix.measuredAt) else { return false }
      if case .radius(let radius) = reported.fix.accuracy, radius.metres > 5 * PhoneReportBuilder.farthest {
        return false
      }
      let battery = reported.details.state.battery ?? 0
      return (reported.fix.speed?.metresPerSecond ?? 0) <= PhoneReportBuilder.fastest
        && (0...1).contains(battery)
    } && saysSomething(report) && report.issues.count <= 101
  }

  @Test func `of a name that comes twice the last counts, as in any JSON reader`() {
    let twice = phoneReport("/pub", #"{"_type":"location","lat":1,"lon":2,"lat":3,"tst":1790000000}"#)
    #expect(twice.fixes.map(\.fix.position.latitude.degrees) == [3])
    #expect(
      phoneReport("/", query: "id=1&lat=1&lat=3&lon=2").fixes.map(\.fix.position.latitude.degrees) == [3])
  }

  @Test func `the same measurement twice in one request is one fix, and counted`() {
    let feature = PhoneSamples.overlandFeature()
    let report = phoneReport("/overland", #"{"locations":["# + "\(feature),\(feature),\(feature)" + "]}")
    #expect(report.fixes.count == 1 && report.duplicates == 2)
  }

  @Test func `an error behind a hundred warnings still keeps the body`() {
    let warned = PhoneSamples.overlandFeature().replacing("\"course\":181", with: "\"course\":\"x\"")
    let batch = Array(repeating: warned, count: 150).joined(separator: ",")
    #expect(!phoneReport("/overland", #"{"locations":["# + batch + "]}").needsRawBody)
    #expect(phoneReport("/overland", #"{"locations":["# + batch + ",5]}").needsRawBody)
  }

  @Test func `a batch in any order gives the same fixes in the same order`() {
    let features = (10..<50).map { PhoneSamples.overlandFeature(time: "2026-09-21T14:13:\($0)Z") }
    let ordered = phoneReport("/overland", #"{"locations":["# + features.joined(separator: ",") + "]}").fixes
    for seed in Seeds.few(5) {
      var generator = SeededGenerator(seed: UInt64(seed))
      let shuffled = features.shuffled(using: &generator).joined(separator: ",")
      #expect(phoneReport("/overland", #"{"locations":["# + shuffled + "]}").fixes == ordered, "seed \(seed)")
    }
  }

  @Test func `deep nesting and many parameters are refused with a name, not with a crash`() {
    let deep = String(repeating: "[", count: 100_000)
    for path in ["/pub", "/overland", "/traccar", "/gpslogger/t"] {
      #expect(phoneReport(path, deep).needsRawBody, "\(path)")
      #expect(phoneReport(path, #"{"a":"# + deep).needsRawBody, "\(path)")
    }
    let many = "lat=1&lon=2&" + (0..<30_000).map { "k\($0)=1" }.joined(separator: "&")
    let report = phoneReport("/", query: many)
    #expect(report.fixes.count == 1 && report.needsRawBody)
    #expect(report.fixes[0].details.state.attributes.count == PhoneFields.maximumAttributes)
  }

  /// Compares 50 kB with 250 kB, and 2 MB with 10 MB with `SEEDS=40`. Measured by the thread's own clock, so
  /// that other work on the machine matters little.
  @Test(arguments: ["/overland", "/pub", "/traccar", "/logPostMultiple/t/d"])
  func `long bodies are read in linear time`(path: String) {
    func body(_ count: Int) -> [UInt8] {
      let (head, element, tail) =
        switch path {
        case "/overland": (#"{"locations":["#, PhoneSamples.overlandFeature() + ",5,", "5]}")
        case "/pub": ("[", #"{"_type":"lwt","tst":1},"#, "5]")
        case "/traccar": ("id=1", "&a=b", "")
        default: (#"{"points":["#, "[91,2,3],", "5]}")
        }
      return Array(head.utf8)
        + Array(repeating: Array(element.utf8), count: count / element.utf8.count).joined() + Array(tail.utf8)
    }
    func nanoseconds(_ count: Int) -> Double {
      let request = phoneRequest(path, bytes: body(count))
      var (start, end) = (timespec(), timespec())
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start)
      #expect(Self.saysSomething(.read(request)))
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
      return Double(end.tv_sec - start.tv_sec) * 1e9 + Double(end.tv_nsec - start.tv_nsec)
    }
    let unit = 50_000 * Seeds.few(1).count
    _ = nanoseconds(unit)
    let (short, long) = (nanoseconds(unit), nanoseconds(unit * 5))
    #expect(long < short * 5 * 3, "\(path): \(unit) bytes in \(short) ns, five times as many in \(long) ns")
  }

  @Test func `a phone's height goes with its fix, unless the phone calls it none`() throws {
    func altitude(_ report: PhoneReport) -> Altitude? { report.fixes.first?.fix.altitude }
    func ownTracks(_ members: String) -> Altitude? {
      altitude(
        phoneReport("/pub", #"{"_type":"location","lat":46.051,"lon":14.505,"tst":1790000000,\#(members)}"#))
    }
    #expect(ownTracks(#""alt":298,"vac":4"#) == Altitude(metres: 298, error: 4, reference: .unknown))
    #expect(ownTracks(#""alt":298,"vac":0"#) == Altitude(metres: 298, reference: .unknown))
    #expect(ownTracks(#""alt":298"#) == Altitude(metres: 298, reference: .unknown))
    for none in [#""alt":298,"vac":-1"#, #""alt":0"#, #""alt":0,"vac":0"#, #""vac":4"#, #""alt":1e7"#] {
      #expect(ownTracks(none) == nil, "\(none)")
    }
    #expect(
      altitude(phoneReport("/", query: "id=1&lat=1&lon=2&altitude=298"))
        == Altitude(metres: 298, reference: .unknown))
    #expect(altitude(phoneReport("/", query: "id=1&lat=1&lon=2&altitude=0.0")) == nil)
  }
}
