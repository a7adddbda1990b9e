import AlarmEngine
import Geometry
import TestSupport
import Testing

@testable import WebEngine

/// Rows of a walk along a parallel, one fix every ten seconds.
private func rows(_ longitudes: [Double], every seconds: Double = 10) -> PageValue {
  var bytes: [UInt8] = []
  for (index, longitude) in longitudes.enumerated() {
    let time = Double(index) * seconds * 1000
    for number in [52.0, longitude, 5, time, time, .nan, .nan, .nan, .nan, .nan] {
      for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number.bitPattern >> UInt64(8 * place))) }
    }
  }
  return .bytes(bytes)
}

extension PageValue {
  fileprivate var doubles: [Double] {
    let bytes = bytes ?? []
    return stride(from: 0, to: bytes.count, by: 8).map { start in
      var bits: UInt64 = 0
      for place in 0..<8 { bits |= UInt64(bytes[start + place]) << UInt64(8 * place) }
      return Double(bitPattern: bits)
    }
  }
}

@Suite("Replaying")
struct ReplayingTests {
  private let zones = PageValue.list([
    ZoneForm.form(of: OpenedPage.zone),
    ZoneForm.form(
      of: Zone.valid(
        id: ZoneID(rawValue: 0xcd), name: "Beside", size: .metres(50),
        outline: .locations([Coordinate(latitude: .degrees(52.01), longitude: .degrees(13))]))),
  ])

  @Test func `a replay shows the way, its speeds and where it stayed`() throws {
    var page = try OpenedPage(zones: [])
    let walk = (0..<40).map { 12.99 + Double($0) * 0.0002 } + Array(repeating: 12.998, count: 40)
    let replay = try page.ask("replay", [.init("zones", zones), .init("rows", rows(walk))])
    let steps = try #require(replay["steps"]).doubles
    #expect(steps.count == 80 * TrackPicture.width)
    #expect(steps[1] == 12.99)
    #expect(steps[4].isNaN)
    // 0.0002 degrees at 52° N are 13.7 m.
    #expect(abs(steps[TrackPicture.width + 4] - 1.373) < 0.001)
    let stay = try #require(replay["stays"]?.list?.first?.list)
    #expect(replay["stays"]?.list?.count == 1)
    #expect(try #require(stay[0].integer) <= 400_000 && stay[1].integer == 790_000)
  }

  @Test func `why it rang and why it did not can be asked of a replay`() throws {
    var page = try OpenedPage(zones: [])
    let span: [PageValue.Entry] = [
      .init("of", .text("replay")), .init("from_ms", .integer(0)), .init("to_ms", .integer(10_000_000)),
    ]
    #expect(
      try page.ask("why", [.init("zone", .text("00000000000000ab"))] + span)["refused"]?["why"]
        == .text("nothing_replayed"))
    _ = try page.ask(
      "replay", [.init("zones", zones), .init("rows", rows((0..<40).map { 12.99 + Double($0) * 0.0005 }))])

    let rang = try page.ask("why", [.init("zone", .text("00000000000000ab"))] + span)["record"]
    #expect(rang?["rings"] == .bool(true))
    #expect(rang?["agrees"] == .bool(true))
    let silent = try page.ask("why", [.init("zone", .text("00000000000000cd"))] + span)["record"]
    #expect(silent?["rings"] == .bool(false))
    #expect(silent?["verdict"] == .text("outside"))
    // 0.01 degrees of latitude minus the radius.
    #expect(abs(try #require(silent?["distance_m"]?.number) - 1062.5) < 1)

    let closest = try #require(try page.ask("closest")["rows"]?.list)
    #expect(closest.map { $0["name"] } == [.text("Market hall"), .text("Beside")])
    #expect(closest.map { $0["rings"] } == [.integer(1), .integer(0)])
    #expect(abs(try #require(closest[1]["closest_m"]?.number) - 1062.5) < 1)
  }

  @Test func `rows that are no fixes are left out by name`() throws {
    var page = try OpenedPage(zones: [])
    let replay = try page.ask("replay", [.init("zones", zones), .init("rows", rows([13, .nan, 400]))])
    #expect(replay["used"] == .integer(1))
    #expect(replay["refused_count"] == .integer(2))
    #expect(
      replay["refused_rows"]?.list == [
        .map([.init("row", .integer(1)), .init("why", .text("longitude"))]),
        .map([.init("row", .integer(2)), .init("why", .text("longitude"))]),
      ])
  }
}
