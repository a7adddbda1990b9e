import AlarmEngine
import Geometry
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
    edited.name = "Market"
    edited.alertDistance = .metres(80)
    let other = Zone(
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
    #expect(changed[0]["fields"] == .list([.text("name"), .text("distance")]))
  }

  @Test func `zones without an id get the same one every time, equal ones different ones`() throws {
    let form = point([.init("name", .text("A"))])
    let named = point([.init("name", .text("A")), .init("stated", .text("way/7#0"))])
    let first = try compare([form, form, named]).map { $0["form"]?["id"]?.text }
    #expect(Set(first).count == 3)
    #expect(try compare([form, form, named]).map { $0["form"]?["id"]?.text } == first)
    var ids = PADIdentifiers()
    let place = Coordinate(latitude: .degrees(52), longitude: .degrees(13))
    #expect(first[0] == Text(ids.id(stated: nil, name: "A", places: [place]).description))
  }
}
