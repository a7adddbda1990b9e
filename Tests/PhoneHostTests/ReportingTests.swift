import AlarmEngine
import Geometry
import TestSupport
import Testing

@testable import PhoneHost

@Suite("Positions for a server")
struct ReportingTests {
  private let start = AlarmStory.start

  private func host() -> PhoneHost<CertifiedWatch> {
    PhoneHost(
      beginning: Timeline(device: DeviceID(rawValue: 5), settings: .phone, zones: [], armed: false),
      policy: CertifiedWatch())
  }

  private func fix(_ seconds: Double) throws -> Fix {
    Fix(
      position: try Coordinate(latitudeDegrees: 50.7412345, longitudeDegrees: -0.0400001),
      accuracy: .radius(.metres(8.256)),
      measuredAt: start + .seconds(seconds), receivedAt: start + .seconds(seconds),
      speed: .metresPerSecond(1.5), course: nil)
  }

  /// The host's commands about reports, each with its number of lines; other commands are left out.
  private func wanted(
    _ host: inout PhoneHost<CertifiedWatch>, _ input: PhoneInput, at seconds: Double
  ) -> [String] {
    host.handle(input, at: PhoneTime(now: start + .seconds(seconds), uptime: nil)).compactMap { command in
      switch command {
      case .report(let lines): "keep \(lines.count { $0 == UInt8(ascii: "\n") })"
      case .sendReports: "send"
      case .wake(let time): time.map { "wake \(Int(($0 - start).seconds))" }
      default: nil
      }
    }
  }

  @Test func `a line is what the server reads, rounded to a centimetre`() throws {
    let line = String(decoding: ReportLine.bytes(of: try fix(0)), as: UTF8.self)
    let time = start.millisecondsSince1970
    #expect(
      line
        == #"{"latitude":50.7412345,"longitude":-0.0400001,"measured_at":\#(time),"accuracy_m":8.26,"speed_m_s":1.50}"#
        + "\n")
    for (degrees, text) in [
      (0.0, "0.0000000"), (-180, "-180.0000000"), (-1e-9, "0.0000000"), (0.99999999, "1.0000000"),
    ] {
      let fix = Fix(
        position: try Coordinate(latitudeDegrees: 0, longitudeDegrees: degrees), accuracy: .unstated,
        measuredAt: start,
        receivedAt: start)
      let line = String(decoding: ReportLine.bytes(of: fix), as: UTF8.self)
      #expect(line == #"{"latitude":0.0000000,"longitude":\#(text),"measured_at":\#(time)}"# + "\n")
    }
  }

  @Test func `a line has the height, its error and that it is over the sea, as far as they are known`() {
    let cases: [(altitude: Altitude?, text: String)] = [
      (
        Altitude(metres: 440.126, error: 3, reference: .seaLevel),
        #","altitude_m":440.13,"vertical_accuracy_m":3.00,"altitude_reference":"sea_level"}"#
      ),
      (Altitude(metres: -12.5, reference: .unknown), #","altitude_m":-12.50}"#),
      (
        Altitude(metres: 1, error: 1e-9, reference: .unknown),
        #","altitude_m":1.00,"vertical_accuracy_m":0.01}"#
      ),
    ]
    for (altitude, text) in cases {
      let fix = Fix(
        position: Coordinate(latitude: .degrees(1), longitude: .degrees(2)), accuracy: .unstated,
        measuredAt: start, altitude: altitude)
      let line = String(decoding: ReportLine.bytes(of: fix), as: UTF8.self)
      #expect(line.hasSuffix("\(start.millisecondsSince1970)\(text)\n"), "\(line)")
    }
  }

  @Test func `lines are kept before the positions are accepted`() throws {
    var host = host()
    _ = wanted(&host, .reporting(true), at: 0)
    let commands = host.handle(
      .positions([try fix(1)], ofRequest: false), at: PhoneTime(now: start + .seconds(1), uptime: nil))
    guard case .report = commands.first else {
      Issue.record("\(commands) begin otherwise")
      return
    }
    #expect(commands.count { if case .append = $0 { true } else { false } } == 1)
  }

  @Test func `positions go together, a failure puts them off, longer each time`() throws {
    var host = host()
    #expect(wanted(&host, .positions([try fix(0)], ofRequest: false), at: 0) == [], "nobody wants them")
    #expect(wanted(&host, .reporting(true), at: 0) == ["send"], "a former process may have left some")
    #expect(wanted(&host, .reported(.sent), at: 1) == [])
    #expect(
      wanted(&host, .positions([try fix(2), try fix(3)], ofRequest: false), at: 3) == ["keep 2", "wake 31"])
    #expect(wanted(&host, .positions([try fix(20)], ofRequest: false), at: 20) == ["keep 1"])
    #expect(wanted(&host, .woke, at: 31) == ["send"])
    #expect(
      wanted(&host, .positions([try fix(32)], ofRequest: false), at: 32) == ["keep 1"], "some are under way")
    #expect(wanted(&host, .reported(.failed), at: 40) == ["wake 70"])
    #expect(wanted(&host, .woke, at: 70) == ["send"])
    #expect(wanted(&host, .reported(.failed), at: 80) == ["wake 140"])
    #expect(wanted(&host, .woke, at: 140) == ["send"])
    #expect(wanted(&host, .reported(.sentInPart), at: 141) == ["send"])
    #expect(wanted(&host, .reported(.refused), at: 142) == ["wake 3742"])
    #expect(wanted(&host, .reporting(true), at: 150) == ["send"], "another token is tried at once")
    #expect(wanted(&host, .reporting(false), at: 151) == [])
    #expect(wanted(&host, .positions([try fix(160)], ofRequest: false), at: 160) == [])
  }

  @Test func `the longest wait is an hour`() throws {
    var pacing = ReportPacing()
    pacing.turn(on: true)
    var now = start
    var waits: [Double] = []
    for _ in 0..<10 {
      let isSent = pacing.takeSend(at: now)
      #expect(isSent)
      pacing.ended(.failed, at: now)
      let next = try #require(pacing.next)
      let isEarly = pacing.takeSend(at: next - .seconds(1))
      #expect(!isEarly)
      waits.append((next - now).seconds)
      now = next
    }
    #expect(waits == [30, 60, 120, 240, 480, 960, 3600, 3600, 3600, 3600])
  }

  @Test func `bytes of a platform are read`() throws {
    var isDamaged = false
    var phone = PhoneBytes(snapshot: [], journal: [], device: DeviceID(rawValue: 1), isDamaged: &isDamaged)
    func input(_ fields: [UInt8]) -> [UInt8] {
      var writer = DataWriter()
      writer.instant(start)
      writer.span(.seconds(1))
      return writer.bytes + fields
    }
    let sends = phone.handle(input([16, 1]))
    #expect(sends.contains(25))
    _ = phone.handle(input([17, 1]))
    #expect(phone.handle(input([17, 4])) == [0, 0, 0, 1, 0, 3])
  }
}
