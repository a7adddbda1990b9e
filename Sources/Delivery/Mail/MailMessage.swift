import AlarmEngine
import Cryptography
import Foundation
import Store

/// A mail to send: a text, and possibly zones attached as PAD files (S125-S128).
///
/// Names and texts cannot end a header: all text is either plain ASCII without control characters or encoded
/// words (RFC 2047). Lines have at most 78 bytes, except that of a long file name.
public struct MailMessage: Hashable, Sendable {
  public struct Attachment: Hashable, Sendable {
    /// The name shown to the reader; the extension is added.
    public let name: String
    public let pad: [UInt8]
    public init(name: String, pad: [UInt8]) {
      self.name = name
      self.pad = pad
    }
  }

  public let recipient: MailAddress
  public let subject: String
  public let text: String
  public let attachments: [Attachment]
  public let date: Instant
  /// The part of `Message-ID` left of the at sign; the same for every attempt.
  package let identifier: String
  /// The identifier of the alarm's first mail, so that mail programs show its mails together; nil for the
  /// first.
  let thread: String?
  let isUrgent: Bool

  /// The most bytes of all attachments together; base64 makes 4/3 of it.
  static let maximumAttachments = 10 << 20

  /// Makes the mail of an alarm.
  public init(_ notice: AlarmNotice, to recipient: MailAddress) {
    let words = NoticeWords(notice)
    self.recipient = recipient
    subject = notice.isUrgent ? "Alarm: \(words.title)" : words.title
    var lines = [words.body]
    let buttons = notice.links.buttons.map { ($0.label, Optional($0.url)) }
    let links = ([("Open", notice.links.open)] + buttons + [("Sleep for today", notice.links.forToday)])
      .compactMap { label, url in url.map { "\(label): \($0)" } }
    if notice.kind == .notice, let image = notice.content?.imageURL { lines.append(image) }
    if !links.isEmpty { lines += [""] + links }
    text = lines.joined(separator: "\n")
    // A repeat needs no second copy of the zone.
    let isFirst = notice.kind == .ring || notice.kind == .test
    if isFirst, let zone = notice.zone, let pad = notice.pad {
      attachments = [Attachment(name: zone.name, pad: pad)]
    } else {
      attachments = []
    }
    date = notice.learnedAt
    identifier = notice.idempotencyKey
    thread = notice.sequence == 0 ? nil : "\(notice.alarm)-0"
    isUrgent = notice.isUrgent
  }

  /// Makes a mail with zones that a person sends to somebody (S125).
  /// - Parameter identifier: letters, digits and hyphens; the same for every attempt.
  public init(
    sharing attachments: [Attachment], to recipient: MailAddress, subject: String, text: String,
    date: Instant,
    identifier: String
  ) {
    precondition(
      identifier.utf8.allSatisfy { ($0 | 32 >= 97 && $0 | 32 <= 122) || (48...57).contains($0) || $0 == 45 },
      "an identifier has letters, digits and hyphens")
    self.recipient = recipient
    self.subject = subject
    self.text = text
    self.attachments = attachments
    self.date = date
    self.identifier = identifier
    thread = nil
    isUrgent = false
  }

  /// Returns the message in the format of RFC 5322, with CRLF at every line's end.
  package func bytes(from sender: MailAddress) throws(DeliveryFailure) -> [UInt8] {
    let size = attachments.reduce(0) { $0 + $1.pad.count }
    guard size <= Self.maximumAttachments else {
      throw .tooLarge(given: size, allowed: Self.maximumAttachments)
    }
    func reference(_ identifier: String) -> String { "<\(identifier)@\(sender.domain)>" }
    var head = [
      "From: Proximity Alarm <\(sender)>", "To: <\(recipient)>",
      "Subject: \(MailText.header(subject))", "Date: \(MailText.date(date))",
      "Message-ID: \(reference(identifier))", "Auto-Submitted: auto-generated", "MIME-Version: 1.0",
    ]
    if let thread { head += ["In-Reply-To: \(reference(thread))", "References: \(reference(thread))"] }
    if isUrgent { head += ["Importance: high", "X-Priority: 1"] }
    let textHead = ["Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: quoted-printable"]
    let body = MailText.quotedPrintable(text)
    guard !attachments.isEmpty else {
      return Array(((head + textHead + ["", body]).joined(separator: "\r\n")).utf8)
    }
    // "=_" occurs in neither quoted-printable nor base64.
    let digest = SHA256.hash("boundary \(identifier)".utf8).prefix(12)
    let boundary = "=_" + digest.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
    head.append("Content-Type: multipart/mixed; boundary=\"\(boundary)\"")
    var lines = head + ["", "--\(boundary)"] + textHead + ["", body]
    for attachment in attachments {
      lines += ["--\(boundary)"] + MailText.attachmentHead(named: attachment.name) + [""]
      lines.append(
        Data(attachment.pad).base64EncodedString(options: [
          .lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed,
        ]))
    }
    lines += ["--\(boundary)--", ""]
    return Array(lines.joined(separator: "\r\n").utf8)
  }
}
