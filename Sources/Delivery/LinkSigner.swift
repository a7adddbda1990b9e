import AlarmEngine
import Cryptography
import Formats
import Foundation

/// The content of a signed link: an action, and the alarm it applies to.
public struct AlarmLink: Hashable, Sendable {
  /// The action of the link. The number is part of the signature and never changes its meaning.
  public enum Purpose: UInt8, CaseIterable, Hashable, Sendable {
    case open = 0
    case close = 1
    case sleep = 2
    case acknowledge = 3
    case forToday = 4
  }

  public let purpose: Purpose
  public let alarm: AlarmID
  /// The account of the alarm, and the channel that carried the link, to record where the answer came from.
  public let account: UInt64
  public let channel: UInt64
  public let expires: Instant

  public init(purpose: Purpose, alarm: AlarmID, account: UInt64, channel: UInt64, expires: Instant) {
    self.purpose = purpose
    self.alarm = alarm
    self.account = account
    self.channel = channel
    self.expires = expires
  }
}

/// The content of a signed link that counts the opening of a zone's notice on one device.
public struct NoticeLink: Hashable, Sendable {
  public let zone: ZoneID
  public let account: UInt64
  public let device: DeviceID
  public let expires: Instant

  public init(zone: ZoneID, account: UInt64, device: DeviceID, expires: Instant) {
    self.zone = zone
    self.account = account
    self.device = device
    self.expires = expires
  }

  /// The purpose byte of these links. No `AlarmLink.Purpose` may ever have this number.
  package static let purpose: UInt8 = 0x80
}

/// The content of a signed link that answers a reminder.
public struct ReminderLink: Hashable, Sendable {
  /// The action of the link. The number is part of the signature and never changes its meaning. No
  /// `AlarmLink.Purpose` may ever have one of these numbers.
  public enum Purpose: UInt8, CaseIterable, Hashable, Sendable {
    case done = 0x81
    case snooze = 0x82
  }

  public let purpose: Purpose
  public let reminder: ReminderID
  /// The account of the reminder, and the channel that carried the link, to record where the answer came from.
  public let account: UInt64
  public let channel: UInt64
  public let expires: Instant

  public init(purpose: Purpose, reminder: ReminderID, account: UInt64, channel: UInt64, expires: Instant) {
    self.purpose = purpose
    self.reminder = reminder
    self.account = account
    self.channel = channel
    self.expires = expires
  }
}

/// Makes and checks signed links that act without signing in.
///
/// A link authorizes only what its signature covers: purpose, alarm, account, channel, expiry. A notice's link
/// has zone and device in place of alarm and channel, a reminder's the reminder in place of the alarm.
/// HMAC-SHA-256 under a key of this server, checked in constant time. Using a link twice must do no harm: sleeping, closing and acknowledging are idempotent.
public struct LinkSigner: Sendable {
  public enum Refusal: Error, Hashable, Sendable {
    /// The text does not have the form of our links.
    case malformed
    /// Not signed by us, or changed after signing.
    case forged
    /// Signed by us, but expired.
    case expired
  }

  private let keys: [[UInt8]]
  /// Separates these signatures from any other use of the key.
  private static let domain = Array("proximity-alarm link\0".utf8)
  private static let version: UInt8 = 1
  private static let payloadSize = 34

  /// - Parameter keys: at least 32 bytes each. The first signs and all are accepted, so that a key can be
  ///   replaced.
  public init(keys: [[UInt8]]) {
    precondition(
      !keys.isEmpty && keys.allSatisfy { $0.count >= 32 }, "links are signed with keys of 32 bytes or more")
    self.keys = keys
  }

  /// Returns the link as text for a URL's path: base64url, 88 characters.
  public func token(for link: AlarmLink) -> String {
    seal(link.purpose.rawValue, [link.alarm.rawValue, link.account, link.channel], expires: link.expires)
  }

  public func token(for link: NoticeLink) -> String {
    seal(
      NoticeLink.purpose, [link.zone.rawValue, link.account, link.device.rawValue], expires: link.expires)
  }

  public func token(for link: ReminderLink) -> String {
    seal(link.purpose.rawValue, [link.reminder.rawValue, link.account, link.channel], expires: link.expires)
  }

  /// - Parameter words: three words.
  private func seal(_ purpose: UInt8, _ words: [UInt64], expires: Instant) -> String {
    var bytes: [UInt8] = [Self.version, purpose]
    for word in words + [UInt64(bitPattern: expires.millisecondsSince1970)] {
      withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
    }
    let code = HMAC.sha256(Self.domain + bytes, key: keys[0])
    return Base64URL.encode(bytes + code)
  }

  /// Reads and checks the token of an alarm's link.
  public func checkAlarm(_ token: String, now: Instant) throws(Refusal) -> AlarmLink {
    let (number, words) = try open(token)
    guard let purpose = AlarmLink.Purpose(rawValue: number) else { throw .malformed }
    let link = AlarmLink(
      purpose: purpose, alarm: AlarmID(rawValue: words[0]), account: words[1], channel: words[2],
      expires: Instant(millisecondsSince1970: Int64(bitPattern: words[3])))
    guard now < link.expires else { throw .expired }
    return link
  }

  /// Reads and checks the token of a notice.
  public func checkNotice(_ token: String, now: Instant) throws(Refusal) -> NoticeLink {
    let (number, words) = try open(token)
    guard number == NoticeLink.purpose else { throw .malformed }
    let link = NoticeLink(
      zone: ZoneID(rawValue: words[0]), account: words[1], device: DeviceID(rawValue: words[2]),
      expires: Instant(millisecondsSince1970: Int64(bitPattern: words[3])))
    guard now < link.expires else { throw .expired }
    return link
  }

  /// Reads and checks the token of a reminder's answer.
  public func checkReminder(_ token: String, now: Instant) throws(Refusal) -> ReminderLink {
    let (number, words) = try open(token)
    guard let purpose = ReminderLink.Purpose(rawValue: number) else { throw .malformed }
    let link = ReminderLink(
      purpose: purpose, reminder: ReminderID(rawValue: words[0]), account: words[1], channel: words[2],
      expires: Instant(millisecondsSince1970: Int64(bitPattern: words[3])))
    guard now < link.expires else { throw .expired }
    return link
  }

  /// Checks the signature and returns the signed content.
  private func open(_ token: String) throws(Refusal) -> (purpose: UInt8, words: [UInt64]) {
    // 66 bytes are 88 characters. Other lengths are not decoded.
    guard token.utf8.count == (Self.payloadSize + 32) * 4 / 3, let bytes = Base64URL.decode(token),
      bytes.count == Self.payloadSize + 32, bytes[0] == Self.version
    else { throw .malformed }
    let payload = Array(bytes[..<Self.payloadSize])
    let code = Array(bytes[Self.payloadSize...])
    let isOurs = keys.contains {
      constantTimeEqual(code, HMAC.sha256(Self.domain + payload, key: $0))
    }
    guard isOurs else { throw .forged }
    let words = (0..<4).map { index in
      payload[(2 + 8 * index)..<(10 + 8 * index)].reduce(0) { $0 << 8 | UInt64($1) }
    }
    return (payload[1], words)
  }

  /// Returns the links of a notice: `BASE/l/TOKEN` each. GET shows a button, POST acts, since mail programs
  /// and chat previews follow GETs.
  /// - Parameter base: the server's own public URL, without a slash at its end.
  public func links(
    base: String, alarm: AlarmID, account: UInt64, channel: UInt64, expires: Instant
  ) -> AlarmNotice.Links {
    func url(_ purpose: AlarmLink.Purpose) -> String {
      let link = AlarmLink(
        purpose: purpose, alarm: alarm, account: account, channel: channel, expires: expires)
      return "\(base)/l/\(token(for: link))"
    }
    return AlarmNotice.Links(
      open: url(.open), close: url(.close), sleep: url(.sleep), acknowledge: url(.acknowledge),
      forToday: url(.forToday))
  }

  /// Returns the links of a reminder: `BASE/r/TOKEN` for its two answers, and the page with what is near.
  /// - Parameter base: the server's own public URL, without a slash at its end.
  public func links(
    base: String, reminder: ReminderID, account: UInt64, channel: UInt64, expires: Instant
  ) -> AlarmNotice.Links {
    func url(_ purpose: ReminderLink.Purpose) -> String {
      let link = ReminderLink(
        purpose: purpose, reminder: reminder, account: account, channel: channel, expires: expires)
      return "\(base)/r/\(token(for: link))"
    }
    return AlarmNotice.Links(
      open: "\(base)/#/reminders/nearby", done: url(.done), snooze: url(.snooze))
  }
}
