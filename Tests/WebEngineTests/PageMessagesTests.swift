import AlarmEngine
import Geometry
import TestSupport
import Testing

@testable import WebEngine

@Suite("Messages a page proposes")
struct PageMessagesTests {
  private func message(to: Text, _ number: Text, _ supplement: Text) -> Message {
    Message(yourMoniker: "Ann", toMoniker: to, contactNumber: number, supplement: supplement)
  }

  /// S98: two overlapping zones ring together.
  @Test func `the messages of all zones that ring are one, each addressee once, the most urgent zone first`()
    throws
  {
    var hall = OpenedPage.zone
    hall.change { $0.messages = [message(to: "Mum", "+49 170 111", "Call me.")] }
    var quarry = Zone.valid(
      id: ZoneID(rawValue: 0xac), name: "Quarry", priority: 9, size: .metres(120),
      outline: .locations([Coordinate(latitude: .degrees(52), longitude: .degrees(13))]))
    quarry.change {
      $0.messages = [message(to: "Site office", "112", "Send help"), message(to: "Mama", "+49170111", "")]
    }
    var page = try OpenedPage(zones: [hall, quarry])
    #expect(try page.ask("propose")["text"]?.text == "")
    _ = try page.fix(east: 10, at: 1)
    let proposal = try page.ask("propose")
    #expect(
      proposal["text"]?.text == "Site office, Mama, Mum: Ann is near Quarry, Market hall. Send help. Call me."
    )
    let addressees = try #require(proposal["addressees"]?.list)
    #expect(addressees.compactMap { $0["number"]?.text } == ["112", "+49170111"])
    #expect(addressees.compactMap { $0["name"]?.text } == ["Site office", "Mama"])
  }

  @Test func `a zone that is being edited shows what its messages would say`() throws {
    var page = try OpenedPage(zones: [])
    var zone = OpenedPage.zone
    zone.change { $0.messages = [message(to: "", "", "")] }
    let proposal = try page.ask("propose", [.init("zone", ZoneForm.form(of: zone))])
    #expect(proposal["text"]?.text == "Ann is near Market hall.")
    #expect(proposal["addressees"] == .list([]))
    // A message can be tried before any zone has it.
    var nowhere = zone.draft
    nowhere.outline = .locations([])
    #expect(try page.ask("propose", [.init("zone", ZoneForm.form(of: nowhere))]) == proposal)
    let refused = try page.ask("propose", [.init("zone", .map([.init("priority", .text("high"))]))])
    #expect(refused["refused"]?["field"]?.text == "priority")
  }
}
