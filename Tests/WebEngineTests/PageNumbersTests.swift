import AlarmEngine
import Geometry
import TestSupport
import Testing

@testable import WebEngine

/// Requests of a page with any of their numbers replaced by extreme ones.
@Suite("Page calls with extreme numbers")
struct PageNumbersTests {
  /// Values that JavaScript can pass as numbers, including NaN and infinity.
  private static func extreme(_ random: inout SeededGenerator) -> PageValue {
    switch random.next() % 8 {
    case 0: .number(.nan)
    case 1: .number(.infinity)
    case 2: .integer(max(-(1 << 53), min(1 << 53, random.extremeInteger())))
    default: .number(random.extremeNumber())
    }
  }

  /// The request with each of its numbers replaced at that probability.
  private static func spoilt(
    _ value: PageValue, _ chance: UInt64, _ random: inout SeededGenerator
  ) -> PageValue {
    switch value {
    case .integer, .number: return random.next() % 100 < chance ? extreme(&random) : value
    case .list(let values): return .list(values.map { spoilt($0, chance, &random) })
    case .map(let entries): return .map(entries.map { .init($0.key, spoilt($0.value, chance, &random)) })
    case .null, .bool, .text, .bytes: return value
    }
  }

  private static func rows(_ places: [Coordinate], _ now: Int64, _ random: inout SeededGenerator) -> PageValue
  {
    var bytes: [UInt8] = []
    for place in places {
      let numbers = [
        place.latitude.degrees, place.longitude.degrees, 5, Double(now), Double(now), .nan, .nan,
        .nan, .nan, .nan,
      ]
      for number in numbers {
        let replaced =
          random.next() % 10 == 0
          ? [.nan, .infinity, random.extremeNumber()][Int(random.next() % 3)] : number
        for shift in 0..<8 {
          bytes.append(UInt8(truncatingIfNeeded: replaced.bitPattern >> UInt64(8 * shift)))
        }
      }
    }
    return .bytes(bytes)
  }

  private static let settings: PageValue = .map(
    PageSetting.allCases.map { .init($0.name, .number($0.byDefault)) })
  private static let reminder: PageValue = .map([
    .init("id", .text("0000000000000009")), .init("title", .text("Milk")), .init("radius_m", .number(150)),
    .init(
      "places",
      .list([.map([.init("name", .text("Shop")), .init("place", .list([.number(52), .number(13)]))])])
    ), .init("state", .text("snoozed")), .init("until_ms", .integer(OpenedPage.start + 5000)),
  ])

  @Test(arguments: Seeds.few(12)) func `are answered or refused, and nothing traps`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var engine = PageEngine()
    let zones = [OpenedPage.zone] + (0..<2).map { _ in ZoneSamples.compactZone(&random, most: 3) }
    let forms = PageValue.list(zones.map { ZoneForm.form(of: $0) })
    var now = OpenedPage.start
    func ask(_ name: Text, _ values: [PageValue.Entry], chance: UInt64 = 6) throws -> PageValue {
      let request = Self.spoilt(.map(values + [.init("now_ms", .integer(now))]), chance, &random)
      guard case .map(let entries) = request else { return .null }
      let answer = engine.answer(PageValue.map([.init("ask", .text(name))] + entries).cbor)
      return try PageValue(cbor: answer)
    }
    let zone = ZoneForm.form(of: zones[seed % 3])
    let place = PageValue.list([.number(52), .number(13)])
    _ = try ask("open", [.init("device", .text("00000000000000d1")), .init("zones", forms)], chance: 0)
    _ = try ask(
      "open",
      [
        .init("device", .text("00000000000000d1")), .init("armed", .bool(true)), .init("zones", forms),
        .init("settings", Self.settings), .init("reminders", .list([Self.reminder])),
      ])
    for _ in 0..<3 {
      let places = [zones[0], zones[1]].compactMap { zone -> Coordinate? in
        if case .locations(let all) = zone.outline { all.first } else { nil }
      }
      var report = try ask(
        "fixes", [.init("rows", Self.rows(places + places, now, &random))], chance: 2)
      for alarm in report["alarms"]?.list ?? [] {
        let word = ["sleep", "close", "inside", "today"][Int(random.next() % 4)]
        report = try ask(
          "command",
          [
            .init("command", .text(Text(word))), .init("alarm", alarm["alarm"] ?? .null),
            .init("until_ms", .integer(now + 1000)),
          ])
      }
      _ = try ask("replace_zones", [.init("zones", forms)])
      _ = try ask("remind", [.init("command", .text("edit")), .init("reminder", Self.reminder)], chance: 20)
      _ = try ask(
        "remind",
        [
          .init("command", .text("snooze")), .init("id", .text("0000000000000009")),
          .init("until_ms", .integer(now)), .init("index", .integer(0)),
        ], chance: 50)
      _ = try ask(
        "snooze_until",
        [
          .init("choice", .text("tomorrow")),
          .init("offsets", .list([.list([.integer(0), .integer(3600)])])),
        ], chance: 30)
      _ = try ask("draw", [.init("zone", zone), .init("tolerance_m", .number(5))])
      _ = try ask("insertion", [.init("zone", zone), .init("place", place)])
      _ = try ask(
        "shift", [.init("place", place), .init("north_m", .number(5)), .init("east_m", .number(5))],
        chance: 30)
      _ = try ask("reshape", [.init("zone", zone), .init("to", .text("circle"))])
      _ = try ask("locate", [.init("place", place), .init("count", .integer(2))], chance: 20)
      _ = try ask("map_pins", [.init("from", .integer(0)), .init("count", .integer(9))], chance: 30)
      _ = try ask(
        "map_lines",
        [
          .init("view", .list([.number(51), .number(12), .number(53), .number(14)])),
          .init("tolerance_m", .number(1)), .init("least_m", .number(1)), .init("from", .integer(0)),
          .init("count", .integer(9)),
        ], chance: 20)
      _ = try ask("fresh", [.init("id", .text("0000000000000009")), .init("place", place)], chance: 30)
      for asked in ["explain", "why"] as [Text] {
        _ = try ask(
          asked,
          [
            .init("zone", .text("00000000000000ab")), .init("from_ms", .integer(now - 100_000)),
            .init("to_ms", .integer(now)),
          ], chance: 20)
      }
      _ = try ask("compare", [.init("zones", forms)])
      _ = try ask("propose", [.init("zone", zone)])
      _ = try ask(
        "replay",
        [
          .init("zones", forms), .init("settings", Self.settings),
          .init("rows", Self.rows(places, now, &random)),
        ])
      _ = try ask("closest", [.init("limit", .integer(3))], chance: 30)
      now += [1000, 70_000, 7_200_000][Int(random.next() % 3)]
      _ = try ask("advance", [])
      let kept = try ask("snapshot", [])
      _ = try ask(
        "open",
        [
          .init("device", .text("00000000000000d1")), .init("zones", forms),
          .init("snapshot", kept["snapshot"] ?? .null), .init("settings", Self.settings),
        ], chance: 1)
    }
  }
}
