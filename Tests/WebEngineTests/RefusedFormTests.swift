import AlarmEngine
import TestSupport
import Testing

@testable import WebEngine

@Suite("Forms that are no zones")
struct RefusedFormTests {
  /// The form of a zone with one value replaced.
  private static func form(_ id: UInt64, _ key: Text, _ value: PageValue) -> PageValue {
    var zone = OpenedPage.zone
    zone = Zone.valid(
      id: ZoneID(rawValue: id), name: Text("Zone \(id)"), size: zone.size, outline: zone.outline)
    guard case .map(let entries) = ZoneForm.form(of: zone) else { return .null }
    return .map(entries.filter { $0.key != key } + [.init(key, value)])
  }

  private static let forms: [PageValue] = [
    form(1, "sleep_s", .number(40_000_000)), form(2, "sleep_s", .number(4e9)), form(3, "inset_m", .number(0)),
  ]

  private func open(_ page: inout OpenedPage, _ zones: [PageValue]) throws -> PageValue {
    try page.ask(
      "open",
      [
        .init("device", .text("00000000000000d1")), .init("armed", .bool(true)), .init("zones", .list(zones)),
        .init("now_ms", .integer(OpenedPage.start)),
      ])
  }

  private static let refused: PageValue = .list([
    .map([
      .init("id", .text("0000000000000002")), .init("name", .text("Zone 2")),
      .init("why", .text("out_of_range")), .init("field", .text("sleep_s")), .init("given", .number(4e9)),
      .init("least", .number(0)), .init("most", .number(1e9)),
    ])
  ])

  @Test func `one bad zone of a list is named, and the others are watched`() throws {
    var page = try OpenedPage(zones: [])
    var report = try open(&page, Self.forms)
    #expect(report["refused_zones"] == Self.refused)
    #expect(report["watching"] == .integer(2))
    #expect(report["total"] == .integer(3))
    report = try page.fix(east: 0, at: 1)
    #expect(report["alarms"]?.list?.count == 2)

    report = try page.ask(
      "replace_zones",
      [.init("zones", .list(Self.forms)), .init("now_ms", .integer(OpenedPage.start + 2000))])
    #expect(report["refused_zones"] == Self.refused)
    #expect(report["alarms"]?.list?.count == 2)
    report = try page.ask(
      "replace_zones",
      [.init("zones", .list([Self.forms[0]])), .init("now_ms", .integer(OpenedPage.start + 3000))])
    #expect(report["refused_zones"] == .list([]))
  }

  @Test func `the list has it among the zones that cannot be watched, and its row says why`() throws {
    var page = try OpenedPage(zones: [])
    _ = try open(&page, Self.forms)
    let list = try page.ask("list", [.init("now_ms", .integer(OpenedPage.start))])
    let group = try #require(list["groups"]?.list?.last)
    #expect(group["name"] == .text("refused"))
    #expect(group["ids"] == .list([.text("0000000000000002")]))
    let rows = try page.ask(
      "rows",
      [.init("ids", .list([.text("0000000000000002")])), .init("now_ms", .integer(OpenedPage.start))])
    let row = try #require(rows["rows"]?.list?.first)
    #expect(row["state"] == .text("refused"))
    #expect(row["why"] == .text("out_of_range"))
    #expect(row["field"] == .text("sleep_s"))
    let file = try page.ask("write_pad", [.init("zones", .list(Self.forms))])
    #expect(file["refused_zones"] == Self.refused)
  }

  @Test func `a reminder that is none keeps no zone from being watched`() throws {
    var page = try OpenedPage(zones: [])
    let reminder = PageValue.map([
      .init("id", .text("0000000000000009")), .init("title", .text("Milk")), .init("radius_m", .number(9e6)),
    ])
    let report = try page.ask(
      "open",
      [
        .init("device", .text("00000000000000d1")), .init("armed", .bool(true)),
        .init("zones", .list([Self.forms[0]])), .init("reminders", .list([reminder])),
        .init("now_ms", .integer(OpenedPage.start)),
      ])
    #expect(report["watching"] == .integer(1))
    let refused = try #require(report["refused_reminders"]?.list?.first)
    #expect(refused["name"] == .text("Milk"))
    #expect(refused["field"] == .text("radius_m"))
  }

  // MARK: Keeping devices at one

  private static let clock = PageValue.map([.init("node", .text("00000000000000cc"))])

  private func stamp(_ items: [PageValue]) throws -> PageValue {
    var page = try OpenedPage(zones: [])
    return try page.ask(
      "stamp",
      [
        .init("kind", .text("zone")), .init("items", .list(items)), .init("clock", Self.clock),
        .init("now_ms", .integer(OpenedPage.start)),
      ])
  }

  @Test func `an edit that is no zone is named, and the other edits are noted`() throws {
    let answer = try stamp(
      Self.forms.map { form in .map([.init("id", form["id"] ?? .null), .init("form", form)]) })
    #expect(answer["items"]?.list?.count == 2)
    #expect(answer["refused_items"] == Self.refused)
  }

  private static func record(_ change: (inout ZoneDraft) -> Void) -> SyncRecord {
    var zone = OpenedPage.zone.draft
    change(&zone)
    var record = SyncRecord()
    record.edit(
      to: zone.fields, at: HybridTime(time: Instant(millisecondsSince1970: 1000), counter: 0, node: 7))
    return record
  }

  private func merge(_ record: SyncRecord) throws -> PageValue {
    var page = try OpenedPage(zones: [])
    let answer = try page.ask(
      "merge",
      [
        .init("kind", .text("zone")), .init("clock", Self.clock),
        .init(
          "items",
          .list([
            .map([.init("id", .text("00000000000000ab")), .init("theirs", RecordForm.form(of: record))])
          ])
        ),
      ])
    return try #require(answer["items"]?.list?.first)
  }

  @Test func `a zone of another device with a nonsense number comes as it is, with the reason`() throws {
    let item = try merge(Self.record { $0.trigger = .dwell(.milliseconds(.max)) })
    #expect(item["why"] == .text("out_of_range"))
    #expect(item["field"] == .text("dwell_s"))
    var page = try OpenedPage(zones: [])
    let report = try open(&page, [try #require(item["form"]), Self.forms[0]])
    #expect(report["watching"] == .integer(1))
    #expect(report["refused_zones"]?.list?.first?["field"] == .text("dwell_s"))
  }

  @Test func `a zone that cannot be shown is deleted by somebody who says so, and never else`() throws {
    var record = Self.record { _ in }
    record.set(
      FieldRegister(
        field: ZoneField.assurance.rawValue, value: [9],
        editedAt: HybridTime(time: Instant(millisecondsSince1970: 2000), counter: 0, node: 7)))
    let item = try merge(record)
    #expect(item["form"] == nil)
    #expect(item["why"] == .text("unreadable"))
    func items(_ more: [PageValue.Entry]) -> [PageValue] {
      [.map([.init("id", .text("00000000000000ab")), .init("record", RecordForm.form(of: record))] + more)]
    }
    #expect(try stamp(items([]))["items"] == .list([]))
    let deleted = try stamp(items([.init("removed", .bool(true))]))
    #expect(deleted["items"]?.list?.first?["record"]?["deleted_at"] != nil)
  }
}
