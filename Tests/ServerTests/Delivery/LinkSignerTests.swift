import AlarmEngine
import Formats
import TestSupport
import Testing

@testable import Delivery
@testable import Server

@Suite("Signed links")
struct LinkSignerTests {
  private let signer = LinkSigner(keys: [Array(repeating: 1, count: 32)])
  private let link = AlarmLink(
    purpose: .sleep, alarm: AlarmID(rawValue: .max), account: 5, channel: 6, expires: someTime + .hours(24))

  @Test func `what was signed is read back, until it expires`() throws {
    let token = signer.token(for: link)
    #expect(token.utf8.count == 88)
    #expect(try signer.checkAlarm(token, now: someTime) == link)
    #expect(try signer.checkAlarm(token, now: someTime + .hours(24) - .milliseconds(1)) == link)
    #expect(throws: LinkSigner.Refusal.expired) {
      try signer.checkAlarm(token, now: someTime + .hours(24))
    }
  }

  @Test(arguments: AlarmLink.Purpose.allCases)
  func `a link does only what it is for`(purpose: AlarmLink.Purpose) throws {
    let link = AlarmLink(
      purpose: purpose, alarm: link.alarm, account: link.account, channel: link.channel, expires: link.expires
    )
    #expect(try signer.checkAlarm(signer.token(for: link), now: someTime) == link)
  }

  @Test func `a change of any bit is seen`() throws {
    let bytes = try #require(Base64URL.decode(signer.token(for: link)))
    for bit in 0..<(bytes.count * 8) {
      var changed = bytes
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      // The first byte is the version; with another one it is not a link of ours.
      #expect(throws: bit < 8 ? LinkSigner.Refusal.malformed : .forged, "bit \(bit)") {
        try signer.checkAlarm(Base64URL.encode(changed), now: someTime)
      }
    }
  }

  @Test func `a former key is accepted and does not sign`() throws {
    let newer = LinkSigner(keys: [Array(repeating: 2, count: 32), Array(repeating: 1, count: 32)])
    #expect(try newer.checkAlarm(signer.token(for: link), now: someTime) == link)
    #expect(throws: LinkSigner.Refusal.forged) {
      try signer.checkAlarm(newer.token(for: link), now: someTime)
    }
  }

  @Test func `what is no link is refused without a trap`() {
    var generator = SeededGenerator(seed: 1)
    var texts = [
      "", "a", String(repeating: "A", count: 87), String(repeating: "A", count: 89),
      String(repeating: "é", count: 44),
    ]
    for _ in 0..<200 {
      texts.append(Base64URL.encode((0..<66).map { _ in UInt8.random(in: .min ... .max, using: &generator) }))
    }
    for text in texts {
      #expect(throws: LinkSigner.Refusal.self, "\(text)") { try signer.checkAlarm(text, now: someTime) }
    }
  }

  @Test func `a notice's link and an alarm's are never taken for each other`() throws {
    let shown = NoticeLink(
      zone: ZoneID(rawValue: 7), account: 1, device: DeviceID(rawValue: 3), expires: someTime + .hours(1))
    let token = signer.token(for: shown)
    #expect(try signer.checkNotice(token, now: someTime) == shown)
    #expect(throws: LinkSigner.Refusal.expired) {
      try signer.checkNotice(token, now: someTime + .hours(1))
    }
    #expect(throws: LinkSigner.Refusal.malformed) { try signer.checkAlarm(token, now: someTime) }
    #expect(throws: LinkSigner.Refusal.malformed) {
      try signer.checkNotice(signer.token(for: link), now: someTime)
    }
    #expect(AlarmLink.Purpose(rawValue: NoticeLink.purpose) == nil)
  }

  @Test func `a reminder's links are taken for nothing else`() throws {
    let links = signer.links(
      base: "https://alarm.example", reminder: ReminderID(rawValue: 9), account: 1, channel: 2,
      expires: someTime + .hours(1))
    #expect(links.open == "https://alarm.example/#/reminders/nearby")
    #expect(links.buttons.map(\.name) == ["done", "snooze"])
    for (url, purpose) in [(links.done, ReminderLink.Purpose.done), (links.snooze, .snooze)] {
      let token = String(try #require(url?.split(separator: "/").last))
      let link = try signer.checkReminder(token, now: someTime)
      #expect(link.purpose == purpose && link.reminder == ReminderID(rawValue: 9) && link.channel == 2)
      #expect(throws: LinkSigner.Refusal.expired) {
        try signer.checkReminder(token, now: someTime + .hours(1))
      }
      #expect(throws: LinkSigner.Refusal.malformed) { try signer.checkAlarm(token, now: someTime) }
      #expect(throws: LinkSigner.Refusal.malformed) { try signer.checkNotice(token, now: someTime) }
      #expect(AlarmLink.Purpose(rawValue: purpose.rawValue) == nil && purpose.rawValue != NoticeLink.purpose)
    }
    #expect(throws: LinkSigner.Refusal.malformed) {
      try signer.checkReminder(signer.token(for: link), now: someTime)
    }
  }

  @Test func `every link of a notice does its own thing`() throws {
    let links = signer.links(
      base: "https://alarm.example", alarm: AlarmID(rawValue: 9), account: 1, channel: 2,
      expires: someTime + .hours(1))
    for (url, purpose) in [
      (links.open, AlarmLink.Purpose.open), (links.close, .close), (links.sleep, .sleep),
      (links.acknowledge, .acknowledge), (links.forToday, .forToday),
    ] {
      let token = try #require(url?.split(separator: "/").last)
      let link = try signer.checkAlarm(String(token), now: someTime)
      #expect(link.purpose == purpose && link.alarm == AlarmID(rawValue: 9))
    }
  }
}
