import AlarmEngine
import Geometry
import TestSupport
import Testing

@Suite("Message proposal")
struct MessageProposalTests {
  private func zone(_ id: UInt64, _ name: Text, priority: Int32 = 0, _ messages: [Message]) -> Zone {
    Zone.valid(
      id: .init(rawValue: id), name: name, priority: priority,
      outline: .locations([Coordinate(latitude: .degrees(52), longitude: .degrees(13))]), messages: messages)
  }
  private func message(_ to: Text, _ number: Text, _ supplement: Text, from: Text = "Ann") -> Message {
    Message(yourMoniker: from, toMoniker: to, contactNumber: number, supplement: supplement)
  }

  @Test func `S98: the most urgent zone comes first, messages in the zone's order`() throws {
    let proposal = try #require(
      MessageProposal(zones: [
        zone(1, "Mine", priority: 1, [message("Dad", "2", "Bring a rope")]),
        zone(2, "Cliff", priority: 5, [message("Mum", "1", "Call me"), message("Bob", "3", "Call me")]),
        zone(3, "Quiet", priority: 9, []),
      ]))
    #expect(proposal.lines.map { $0.zone } == ["Cliff", "Cliff", "Mine"])
    #expect(proposal.text() == "Mum, Bob, Dad: Ann is near Cliff, Mine. Call me. Bring a rope.")
    #expect(proposal.contactNumbers == ["1", "3", "2"])
  }

  @Test func `equal priorities go by name, then by id`() {
    let proposal = MessageProposal(zones: [
      zone(9, "B", [message("x", "1", "")]), zone(2, "A", [message("y", "2", "")]),
      zone(1, "A", [message("z", "3", "")]),
    ])
    #expect(proposal?.contactNumbers == ["3", "2", "1"])
  }

  @Test func `zones without messages propose nothing`() {
    #expect(MessageProposal(zones: [zone(1, "A", []), zone(2, "B", [])]) == nil)
    #expect(MessageProposal(zones: []) == nil)
  }

  @Test func `S98 S102 S103: each addressee once, however the number is written`() throws {
    let proposal = try #require(
      MessageProposal(zones: [
        zone(1, "A", [message("Mum", "+49 (170) 123-456", ""), message("Mother", "+49170123456", "")]),
        zone(2, "B", [message("Nobody", " ", ""), message("Dad", "0170 123 456", "")]),
      ]))
    #expect(
      proposal.smsAddressees == [
        .init(name: "Mum", number: "+49 (170) 123-456"), .init(name: "Dad", number: "0170 123 456"),
      ])
  }

  @Test func `S101: several names of one sender all stand in the text`() {
    let proposal = MessageProposal(zones: [
      zone(1, "Cliff", [message("Boss", "1", "", from: "Ann"), message("Kid", "2", "", from: "Mum")])
    ])
    #expect(proposal?.text() == "Boss, Kid: Ann/Mum is near Cliff.")
  }

  @Test func `S104: equal supplements are said once, and keep their own ending`() {
    let proposal = MessageProposal(zones: [
      zone(1, "A", [message("Mum", "1", "Help!"), message("Dad", "2", " Help! ")]),
      zone(2, "B", [message("Mum", "1", "Where\nare you?")]),
    ])
    #expect(proposal?.text() == "Mum, Dad: Ann is near A, B. Help! Where are you?")
  }

  @Test func `what is empty is left out`() {
    #expect(MessageProposal(lines: []).text() == "")
    let nameless = MessageProposal(zones: [zone(1, "A", [message("", "1", "", from: "")])])
    #expect(nameless?.text() == "Near A.")
    let placeless = MessageProposal(zones: [zone(1, "", [message("Mum", "1", "Help", from: "Ann")])])
    #expect(placeless?.text() == "Mum: Ann. Help.")
  }

  @Test func `the words are the reader's`() {
    let proposal = MessageProposal(zones: [zone(1, "Höhle", [message("Mutti", "1", "Bis gleich")])])
    #expect(
      proposal?.text(.init(isNear: "ist bei", near: "Bei")) == "Mutti: Ann ist bei Höhle. Bis gleich.")
  }

  @Test(arguments: 0..<20)
  func `a long text is cut between characters, within the limit`(limit: Int) throws {
    let long = Text(String(repeating: "ö€🧗", count: 100))
    let proposal = try #require(MessageProposal(zones: [zone(1, long, [message("", "1", "", from: "")])]))
    let text = proposal.text(limit: limit)
    #expect(text.utf8.count <= max(limit, 3))
    #expect(text.string.hasSuffix("..."))
    #expect(Text(text.string) == text, "valid UTF-8")
  }

  @Test func `ten thousand messages are merged without haste`() throws {
    let messages = (0..<10_000).map { message("To", Text("\($0)"), Text("text \($0)")) }
    let proposal = try #require(MessageProposal(zones: [zone(1, "A", messages)]))
    #expect(proposal.contactNumbers.count == 10_000)
    #expect(proposal.text().utf8.count <= 900)
  }
}
