import AlarmEngine
import Geometry
import TestSupport
import Testing
import WebEngine

@Suite("Zone form")
struct ZoneFormTests {
  @Test(arguments: Seeds.few(10)) func `gives an equal zone again`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<30 {
      let zone = ZoneSamples.zone(&random)
      let form = try PageValue(cbor: ZoneForm.form(of: zone).cbor)
      #expect(try ZoneForm.zone(form, fresh: nil) == zone)
    }
  }

  @Test func `an empty form is a draft with nothing drawn, under the id given, and no zone`() throws {
    let draft = try ZoneForm.draft(.map([]), fresh: ZoneID(rawValue: 7))
    #expect(draft == ZoneDraft(id: ZoneID(rawValue: 7), name: .empty, outline: .locations([])))
    #expect(throws: ZoneForm.FieldError("places", .noPlaces)) {
      try ZoneForm.zone(.map([]), fresh: ZoneID(rawValue: 7))
    }
  }

  @Test func `a form of an earlier version keeps its alert distance`() throws {
    let fresh = ZoneID(rawValue: 7)
    let former = try ZoneForm.draft(Self.form("distance_m", .integer(80)), fresh: fresh)
    #expect(former.alertDistance == .metres(80))
    let both = PageValue.map([.init("distance_m", .integer(80)), .init("alert_distance_m", .integer(90))])
    #expect(try ZoneForm.draft(both, fresh: fresh).alertDistance == .metres(90))
  }

  private static func form(_ key: Text, _ value: PageValue) -> PageValue { .map([.init(key, value)]) }

  private static let wrong: [(PageValue, ZoneForm.FieldError)] = [
    (form("name", .integer(1)), ZoneForm.FieldError("name", .wrongKind)),
    (form("id", .text("xyz")), .init("id", .unknownWord)),
    (form("size_m", .number(-1)), .init("size_m", .outOfRange, number: .init(given: -1, allowed: 0...1e7))),
    (
      form("sleep_s", .number(1e9 + 1)),
      .init("sleep_s", .outOfRange, number: .init(given: 1e9 + 1, allowed: 0...1e9))
    ),
    (form("size_m", .number(.nan)), .init("size_m", .wrongKind)),
    (
      form("alert_distance_m", .integer(-1)),
      .init("alert_distance_m", .outOfRange, number: .init(given: -1, allowed: 0...1e7))
    ),
    (
      form("inset_m", .number(2e7)),
      .init("inset_m", .outOfRange, number: .init(given: 2e7, allowed: -1e7...1e7))
    ),
    (
      form("priority", .integer(3_000_000_000)),
      .init(
        "priority", .outOfRange, number: .init(given: 3e9, allowed: -2_147_483_648...2_147_483_647))
    ),
    (form("priority", .number(1.5)), .init("priority", .wrongKind)),
    (form("trigger", .text("near")), .init("trigger", .unknownWord)),
    (form("trigger", .text("dwell")), .init("dwell_s", .missing)),
    (form("outline", .text("area")), .init("parts", .missing)),
    (form("places", .list([.list([.integer(91), .integer(0)])])), .init("places", .outOfRange)),
    (form("places", .list([.list([.integer(9)])])), .init("places", .wrongKind)),
    (
      form("schedule", form("windows", .list([.list([.integer(1), .integer(1440), .integer(1)])]))),
      .init("schedule", .outOfRange)
    ),
  ]

  @Test(arguments: wrong) func `says which field is not as it must be`(
    form: PageValue, error: ZoneForm.FieldError
  ) {
    #expect(throws: error) { try ZoneForm.zone(form, fresh: ZoneID(rawValue: 7)) }
  }
}
