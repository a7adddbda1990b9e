import AlarmEngine
import Geometry
import PAD
import TestSupport
import Testing

@testable import WebEngine

@Suite("Receiving zones")
struct ReceivingTests {
  private func compare(_ forms: [PageValue], kept: [Zone] = [OpenedPage.zone]) throws -> [PageValue] {
    var page = try OpenedPage(zones: kept)
    return try #require(try page.ask("compare", [.init("zones", .list(forms))])["rows"]?.list)
  }

  private func point(_ entries: [PageValue.Entry]) -> PageValue {
    .map([.init("places", .list([.list([.integer(52), .integer(13)])]))] + entries)
  }

  @Test func `a file's zones are new, changed, the same, or refused with the reason (S126)`() throws {
    var edited = OpenedPage.zone
    edited.change { $0.name = "Market" }
    edited.change { $0.alertDistance = .metres(80) }
    let other = Zone.valid(
      id: ZoneID(rawValue: 7), name: "Other", outline: OpenedPage.zone.outline)
    let rows = try compare([
      ZoneForm.form(of: OpenedPage.zone), ZoneForm.form(of: edited), ZoneForm.form(of: other),
      point([.init("name", .text("Wide")), .init("size_m", .text("x"))]),
      .map([.init("name", .text("Nowhere"))]),
    ])
    #expect(
      rows.map { $0["status"]?.text } == ["same", "new", "new", "refused", "refused"],
      "the second zone of one id in a file gets an id of its own")
    #expect(rows[3]["field"] == .text("size_m"))
    #expect(rows[3]["why"] == .text("wrong_kind"))
    #expect(rows[4]["why"] == .text("no_locations"))

    let changed = try compare([ZoneForm.form(of: edited)])
    #expect(changed[0]["status"] == .text("changed"))
    #expect(changed[0]["fields"] == .list([.text("name"), .text("alert_distance_m")]))
  }

  @Test func `zones without an id get the same one every time, equal ones different ones`() throws {
    let form = point([.init("name", .text("A"))])
    let first = try compare([form, form]).map { $0["form"]?["id"]?.text }
    #expect(Set(first).count == 2)
    #expect(try compare([form, form]).map { $0["form"]?["id"]?.text } == first)
    var ids = PADIdentifiers()
    let place = Coordinate(latitude: .degrees(52), longitude: .degrees(13))
    #expect(first[0] == Text(ids.id(stated: nil, name: "A", places: [place]).description))
  }

  @Test func `in pieces a file's zones get the ids that they get at once`() throws {
    let form = point([.init("name", .text("A"))])
    let atOnce = try compare([form, form, form]).map { $0["form"]?["id"]?.text }
    var page = try OpenedPage(zones: [OpenedPage.zone])
    var inPieces: [Text?] = []
    for piece in 0..<3 {
      let rows = try page.ask("compare", [.init("zones", .list([form])), .init("more", .bool(piece < 2))])[
        "rows"]
      inPieces += try #require(rows?.list).map { $0["form"]?["id"]?.text }
    }
    #expect(inPieces == atOnce)
    #expect(Set(inPieces).count == 3)
    let anew = try page.ask("compare", [.init("zones", .list([form]))])["rows"]?.list
    #expect(anew?.first?["form"]?["id"]?.text == atOnce[0], "the next file begins anew")
  }

  @Test func `a ring that crosses itself is taken, with the edges named`() throws {
    func place(_ north: Double, _ east: Double) -> PageValue {
      .list([.number(52 + north / 1000), .number(13 + east / 1000)])
    }
    let bow = PageValue.map([
      .init("name", .text("Bow tie")),
      .init("places", .list([place(0, 0), place(1, 1), place(0, 1), place(1, 0)])),
    ])
    let square = PageValue.map([
      .init("name", .text("Square")),
      .init("places", .list([place(0, 0), place(0, 1), place(1, 1), place(1, 0)])),
    ])
    let rows = try compare([bow, square])
    #expect(rows.map { $0["status"]?.text } == ["new", "new"])
    #expect(rows[0]["crossing"] == .list([.integer(0), .integer(2)]))
    #expect(rows[0]["rings"] == .integer(1))
    #expect(rows[1]["crossing"] == nil)
  }

  @Test func `a file of Proximity Alarm Data in pieces gives what it gives at once`() throws {
    let lines = (0..<5).map {
      "AlertZoneStart\nAlertZoneName,Zone \($0)\nLocation,1,52,13.\($0)\nSurprise\nAlertZoneEnd\n"
    }
    let bytes = Array((lines.joined() + "AlertZoneStart\nAlertZoneName,Nowhere").utf8)
    var page = try OpenedPage(zones: [])
    let atOnce = try page.ask("read_pad", [.init("bytes", .bytes(bytes))])
    #expect(atOnce["zones"]?.list?.count == 5)
    for size in [1, 7, 64, bytes.count] {
      var zones: [PageValue] = []
      var last = PageValue.null
      for start in stride(from: 0, to: bytes.count, by: size) {
        let end = min(start + size, bytes.count)
        last = try page.ask(
          "read_pad",
          [.init("bytes", .bytes(Array(bytes[start..<end]))), .init("more", .bool(end < bytes.count))])
        zones += try #require(last["zones"]?.list)
      }
      #expect(.list(zones) == atOnce["zones"])
      #expect(last["issues"] == atOnce["issues"])
    }
  }

  @Test func `zones that were staged are added to those of the next edit, once`() throws {
    func zone(_ id: UInt64) -> PageValue {
      ZoneForm.form(of: Zone.valid(id: ZoneID(rawValue: id), name: "Z", outline: OpenedPage.zone.outline))
    }
    let now = PageValue.Entry("now_ms", .integer(OpenedPage.start))
    var page = try OpenedPage(zones: [OpenedPage.zone])
    #expect(
      try page.ask("stage_zones", [.init("zones", .list([zone(7), zone(8)]))])["staged"] == .integer(2))
    #expect(try page.ask("stage_zones", [.init("zones", .list([zone(9)]))])["staged"] == .integer(3))
    #expect(
      try page.ask("replace_zones", [.init("zones", .list([])), now])["total"] == .integer(0),
      "an edit in between takes none of them")
    let kept = PageValue.list([ZoneForm.form(of: OpenedPage.zone)])
    let report = try page.ask("replace_zones", [.init("zones", kept), .init("staged", .bool(true)), now])
    #expect(report["total"] == .integer(4))
    #expect(
      try page.ask("replace_zones", [.init("zones", kept), .init("staged", .bool(true)), now])["total"]
        == .integer(1))
    _ = try page.ask("stage_zones", [.init("zones", .list([zone(7)]))])
    let anew = try page.ask("stage_zones", [.init("zones", .list([zone(8)])), .init("first", .bool(true))])
    #expect(anew["staged"] == .integer(1), "what was staged before and never used is forgotten")

    // Zone 8 is added to the watched one; the second time it replaces itself.
    for _ in 0..<2 {
      let all = try page.ask(
        "replace_zones",
        [.init("zones", .list([zone(8)])), .init("staged", .bool(true)), .init("others", .bool(true)), now])
      #expect(all["total"] == .integer(2))
      #expect(all["refused_zones"] == .list([]))
    }
  }
}
