import Geometry

/// The messages of all zones that rang together, merged into one (S98). A person presses send (S99).
public struct MessageProposal: Hashable, Sendable {
  public struct Line: Hashable, Sendable {
    public let zone: Text
    public let message: Message
    public init(zone: Text, message: Message) {
      self.zone = zone
      self.message = message
    }
  }
  /// Most urgent zone first, messages in the zone's order.
  public let lines: [Line]
  public init(lines: [Line]) { self.lines = lines }

  /// Merges the messages of zones in any order; nil when they have none.
  public init?(zones: [Zone]) {
    var lines: [Line] = []
    for zone in zones.sorted(by: isMoreUrgent) {
      for message in zone.messages { lines.append(Line(zone: zone.name, message: message)) }
    }
    guard !lines.isEmpty else { return nil }
    self.lines = lines
  }
}

extension MessageProposal {
  public struct Addressee: Hashable, Sendable {
    /// As the sender calls them; may be empty.
    public let name: Text
    public let number: Text
    public init(name: Text, number: Text) {
      self.name = name
      self.number = number
    }
  }

  /// The addressees: each number once, in the order of the lines, with the first name given for it.
  ///
  /// Numbers that differ only in blanks, brackets, hyphens and dots are one, written as it came first. A
  /// message without a number has no addressee.
  public var smsAddressees: [Addressee] {
    var all: [Addressee] = []
    var seen = DistinctBytes()
    for line in lines {
      let number = line.message.contactNumber
      let dialled = Self.dialled(number)
      if !dialled.isEmpty, seen.insert(dialled) {
        all.append(Addressee(name: line.message.toMoniker, number: number))
      }
    }
    return all
  }

  /// Each number once, in the order of the lines.
  public var contactNumbers: [Text] { smsAddressees.map { $0.number } }

  /// The words around the names in the text, in the reader's language.
  public struct Words: Hashable, Sendable {
    /// Between the sender and the zones.
    public var isNear: Text
    /// Before the zones, if the sender has no name.
    public var near: Text
    public init(isNear: Text, near: Text) {
      self.isNear = isNear
      self.near = near
    }
    public static let english = Self(isNear: "is near", near: "Near")
  }

  /// One text for all addressees: "Mum, Dad: Ann is near Cliff, Old mine. Call me. Bring a rope."
  ///
  /// Addressees, names of the sender, zones and supplements appear once each, in the order of the lines;
  /// empty ones are left out. Several names of one sender are joined by a slash, so that all addressees find
  /// the one they know. Line breaks and other control characters become blanks.
  /// - Parameters:
  ///   - words: in the reader's language.
  ///   - limit: the greatest length in bytes of UTF-8, at least three. A longer text is cut between
  ///     characters and ends in "...". The default fits into six text messages of plain letters.
  public func text(_ words: Words = .english, limit: Int = 900) -> Text {
    let to = Self.joined(distinct { $0.message.toMoniker }, by: ", ")
    let from = Self.joined(distinct { $0.message.yourMoniker }, by: "/")
    let zones = Self.joined(distinct { $0.zone }, by: ", ")
    var text: [UInt8] = to.isEmpty ? [] : to + Array(": ".utf8)
    if !zones.isEmpty {
      text += from.isEmpty ? words.near.utf8 : from + Array(" ".utf8) + words.isNear.utf8
      text += Array(" ".utf8) + zones
    } else {
      text += from
    }
    for supplement in distinct({ $0.message.supplement }) { Self.append(supplement, to: &text) }
    Self.endSentence(&text)
    return Text(utf8: Self.cut(text, to: max(limit, 3)))
  }

  /// The values that are not blank, each once.
  @inline(never) private func distinct(_ value: (Line) -> Text) -> [[UInt8]] {
    var distinct = DistinctBytes()
    for line in lines {
      let tidy = Self.tidy(value(line).utf8)
      if !tidy.isEmpty { _ = distinct.insert(tidy) }
    }
    return distinct.all
  }

  /// The digits, `+`, `*` and `#` of a number; without any digit, the tidied text.
  private static func dialled(_ number: Text) -> [UInt8] {
    let digits = number.utf8.filter { (48...57).contains($0) || $0 == 43 || $0 == 42 || $0 == 35 }
    return digits.contains { (48...57).contains($0) } ? digits : tidy(number.utf8)
  }

  /// Returns one line: runs of blanks and control characters become one blank, with none at either end.
  private static func tidy(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    for byte in bytes {
      if byte > 32, byte != 127 {
        result.append(byte)
      } else if let last = result.last, last != 32 {
        result.append(32)
      }
    }
    if result.last == 32 { result.removeLast() }
    return result
  }

  private static func joined(_ parts: [[UInt8]], by separator: String) -> [UInt8] {
    var result: [UInt8] = []
    for (index, part) in parts.enumerated() {
      if index > 0 { result += Array(separator.utf8) }
      result += part
    }
    return result
  }

  private static func append(_ sentence: [UInt8], to text: inout [UInt8]) {
    endSentence(&text)
    if let last = text.last, last != 32 { text.append(32) }
    text += sentence
  }

  /// Appends a full stop after a letter, a figure or a closing bracket; other endings stay as they are.
  private static func endSentence(_ text: inout [UInt8]) {
    guard let last = text.last else { return }
    let isLetterOrFigure = (48...57).contains(last) || (65...90).contains(last) || (97...122).contains(last)
    if isLetterOrFigure || last >= 128 || last == 41 { text.append(46) }
  }

  private static func cut(_ text: [UInt8], to limit: Int) -> [UInt8] {
    guard text.count > limit else { return text }
    var end = limit - 3
    // A byte 10xxxxxx continues a character.
    while end > 0, text[end] & 0xc0 == 0x80 { end -= 1 }
    return text[..<end] + Array("...".utf8)
  }
}
