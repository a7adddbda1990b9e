import AlarmEngine
import TestSupport
import Testing

@testable import WebEngine

/// One of several devices: forms as it shows them, records as it keeps them.
private struct Page {
  private var engine = PageEngine()
  private(set) var clock: PageValue
  private(set) var records: [Text: PageValue] = [:]
  private(set) var forms: [Text: PageValue] = [:]

  init(node: UInt64) {
    clock = .map([.init("node", .text(Text(ZoneID(rawValue: node).description)))])
  }

  mutating func ask(_ name: Text, _ values: [PageValue.Entry]) throws -> PageValue {
    let request = PageValue.map([.init("ask", .text(name)), .init("kind", .text("zone"))] + values)
    return try PageValue(cbor: engine.answer(request.cbor))
  }

  /// Edits a zone, or deletes it, at a time in milliseconds.
  mutating func edit(_ id: Text, to form: PageValue?, at milliseconds: Int64) throws {
    forms[id] = form
    let item = PageValue.map([
      .init("id", .text(id)), .init("record", records[id] ?? .null), .init("form", form ?? .null),
    ])
    let answer = try ask(
      "stamp",
      [.init("items", .list([item])), .init("clock", clock), .init("now_ms", .integer(milliseconds))])
    try take(answer)
  }

  mutating func receive(_ theirs: [Text: PageValue]) throws {
    let items = theirs.sorted { $0.key < $1.key }.map { id, record in
      PageValue.map([
        .init("id", .text(id)), .init("record", records[id] ?? .null), .init("theirs", record),
      ])
    }
    let answer = try ask("merge", [.init("items", .list(items)), .init("clock", clock)])
    for item in answer["items"]?.list ?? [] {
      forms[try #require(item["id"]?.text)] = item["form"]
    }
    try take(answer)
  }

  private mutating func take(_ answer: PageValue) throws {
    clock = try #require(answer["clock"])
    for item in answer["items"]?.list ?? [] { records[try #require(item["id"]?.text)] = item["record"] }
  }
}

extension PageValue {
  /// The same map with another value under a key.
  fileprivate func with(_ key: Text, _ value: PageValue) -> PageValue {
    guard case .map(let entries) = self else { return self }
    return .map(entries.map { $0.key == key ? .init(key, value) : $0 })
  }
}

@Suite("Keeping devices at one")
struct SyncingTests {
  private let id: Text = "00000000000000ab"
  private let zone = ZoneForm.form(of: OpenedPage.zone)

  @Test func `two devices that edited apart hold the same zone, each field as edited last (S167)`() throws {
    var a = Page(node: 1)
    var b = Page(node: 2)
    try a.edit(id, to: zone, at: 1000)
    try b.receive(a.records)
    #expect(b.forms[id] == zone)

    try a.edit(id, to: zone.with("name", .text("Of A")).with("priority", .integer(3)), at: 2000)
    try b.edit(id, to: zone.with("name", .text("Of B")).with("inset_m", .number(5)), at: 3000)
    let fromA = a.records
    try a.receive(b.records)
    try b.receive(fromA)
    #expect(a.forms == b.forms)
    #expect(a.records == b.records)
    let form = try #require(a.forms[id])
    #expect(form["name"] == .text("Of B"))
    #expect(form["priority"] == .integer(3))
    #expect(form["inset_m"] == .number(5))
  }

  @Test func `a deletion beats what was edited before it, and a later edit brings the zone back`() throws {
    var a = Page(node: 1)
    var b = Page(node: 2)
    try a.edit(id, to: zone, at: 1000)
    try b.receive(a.records)
    try a.edit(id, to: zone.with("name", .text("earlier")), at: 2000)
    try b.edit(id, to: nil, at: 3000)
    try a.receive(b.records)
    #expect(a.forms[id] == nil)
    try a.edit(id, to: zone.with("name", .text("later")), at: 4000)
    try b.receive(a.records)
    #expect(b.forms[id]?["name"] == .text("later"))
    #expect(b.forms[id]?["size_m"] == .number(100))
  }

  @Test func `saving the same again is no edit`() throws {
    var page = Page(node: 1)
    try page.edit(id, to: zone, at: 1000)
    let (records, clock) = (page.records, page.clock)
    try page.edit(id, to: zone, at: 2000)
    #expect(page.records == records)
    #expect(page.clock == clock)
  }

  @Test(arguments: Seeds.few(20)) func `whatever the order, all end with the same`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var pages = (1...3).map { Page(node: UInt64($0)) }
    for step in 0..<30 {
      let one = Int.random(in: 0..<3, using: &random)
      let id = Text(ZoneID(rawValue: UInt64.random(in: 1...2, using: &random)).description)
      if Bool.random(using: &random) {
        var form: PageValue? = zone.with("id", .text(id))
          .with("name", .text(Text("\(step)"))).with("priority", .integer(Int64(step % 3)))
        if Int.random(in: 0..<4, using: &random) == 0 { form = nil }
        // The devices' clocks disagree.
        try pages[one].edit(id, to: form, at: 1000 + Int64.random(in: 0..<500, using: &random))
      } else {
        try pages[one].receive(pages[Int.random(in: 0..<3, using: &random)].records)
      }
    }
    for _ in 0..<2 { for a in 0..<3 { for b in 0..<3 { try pages[a].receive(pages[b].records) } } }
    #expect(pages[0].records == pages[1].records && pages[1].records == pages[2].records, "seed \(seed)")
    #expect(pages[0].forms == pages[1].forms && pages[1].forms == pages[2].forms, "seed \(seed)")
  }

  @Test func `a clock that ran ahead is put right, and its edits with it`() throws {
    var page = Page(node: 1)
    try page.edit(id, to: zone, at: 9_000_000)
    let item = PageValue.map([.init("id", .text(id)), .init("record", try #require(page.records[id]))])
    let answer = try page.ask(
      "restamp",
      [.init("items", .list([item])), .init("clock", page.clock), .init("now_ms", .integer(5000))])
    let record = try RecordForm.record(try #require(answer["items"]?.list?.first?["record"]))
    #expect(record.latest?.time.millisecondsSince1970 == 5000)
    #expect(try Zone(id: ZoneID(rawValue: 0xab), record: record) == OpenedPage.zone)
    #expect(answer["clock"]?["last"]?.list?.first == .integer(5000))
  }

  @Test func `records that are none are refused`() throws {
    var page = Page(node: 1)
    func why(_ record: PageValue) throws -> Text? {
      let item = PageValue.map([.init("id", .text(id)), .init("theirs", record)])
      return try page.ask("merge", [.init("items", .list([item])), .init("clock", page.clock)])["refused"]?[
        "why"]?
        .text
    }
    #expect(try why(.list([])) == nil)
    #expect(try why(.map([.init("fields", .integer(1))])) == "wrong_kind")
    #expect(try why(.map([.init("fields", .list([.integer(1)]))])) == "wrong_kind")
    let time = PageValue.list([.integer(1), .integer(1 << 40), .text("0000000000000001")])
    #expect(try why(.map([.init("deleted_at", time)])) == "out_of_range")
    let unreadable = PageValue.map([
      .init("field", .integer(12)), .init("value", .bytes([0xff])),
      .init("at", .list([.integer(1), .integer(0), .text("0000000000000001")])),
    ])
    let item = PageValue.map([
      .init("id", .text(id)), .init("theirs", .map([.init("fields", .list([unreadable]))])),
    ])
    let answer = try page.ask("merge", [.init("items", .list([item])), .init("clock", page.clock)])
    #expect(answer["items"]?.list?.first?["why"] == .text("unreadable"))
  }
}
