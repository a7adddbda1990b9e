import AlarmEngine
import Geometry

/// Writes Proximity Alarm Data: UTF-8 without a byte order mark, commas, no quotes, LF, the spellings and the
/// order of S144-S156, then our own rows if they differ from the default.
public struct PADWriter {
  public private(set) var bytes: [UInt8] = []
  public private(set) var issues: [Issue] = []

  /// A part of a zone that the format cannot hold.
  public struct Issue: Hashable, Sendable {
    /// Position among the zones written, from 0.
    public let zone: Int
    public let kind: Kind
    public enum Kind: Hashable, Sendable {
      /// A comma became a semicolon, a line end a blank, quotes around the whole apostrophes; blanks at the ends
      /// and bytes that are not UTF-8 are lost.
      case textChanged(PADKey?, written: Text)
      /// A kept row of another program whose key is empty or one of ours.
      case unknownRowLeftOut(Text)
      case noLocations
    }
  }

  private var count = 0

  public init() {}

  /// - Returns: the file, and the issues of what it cannot hold.
  public static func write(_ zones: [Zone]) -> PADWriter {
    var writer = Self()
    for zone in zones { writer.append(zone) }
    return writer
  }

  /// Returns and removes the bytes written so far, for files too large to keep.
  public mutating func takeBytes() -> [UInt8] {
    let taken = bytes
    bytes = []
    return taken
  }

  public mutating func append(_ zone: Zone) { append(zone.draft) }

  /// Writes an unchecked zone as it is, so that people can correct stored data that is unusable.
  public mutating func append(_ zone: ZoneDraft) {
    row(.start)
    text(.name, zone.name)
    text(.category, zone.category)
    row(.active, zone.active ? "1" : "0")
    row(.vibrate, zone.vibrate ? "1" : "0")
    numbers(zone, isClassic: true)
    text(.soundName, zone.soundName)
    outline(zone)
    row(.id, zone.id.description)
    rules(zone)
    if let schedule = zone.schedule { self.schedule(schedule) }
    for message in zone.messages {
      texts(.message, [message.yourMoniker, message.toMoniker, message.contactNumber, message.supplement])
    }
    if let notice = zone.notice {
      texts(.noticeTitle, [notice.title])
      text(.noticeText, notice.text)
      text(.noticeLink, notice.link)
      text(.noticeImage, notice.image)
      if notice.cap != .zero { row(.noticeCap, Self.decimal(notice.cap.seconds)) }
    }
    for fields in zone.unknownRows { unknownRow(fields) }
    row(.end)
    count += 1
  }

  /// Writes the numbers of the classic format, or ours unless they are the default.
  private mutating func numbers(_ zone: ZoneDraft, isClassic: Bool) {
    for key in PADKey.allCases where (key.rawValue < PADKey.soundName.rawValue) == isClassic {
      guard let field = key.number, let number = zone[field] else { continue }
      if !isClassic, number == field.byDefault { continue }
      row(key, field.unit == .wholeNumber ? "\(Int64(number))" : Self.decimal(number))
    }
  }

  private static func decimal(_ value: Double) -> String { "\(value)" }

  private mutating func row(_ key: PADKey, _ values: String...) {
    bytes.append(contentsOf: key.spelling.utf8)
    for value in values {
      bytes.append(UInt8(ascii: ","))
      bytes.append(contentsOf: value.utf8)
    }
    bytes.append(10)
  }

  /// Writes a text unless it is empty.
  private mutating func text(_ key: PADKey, _ value: Text) { if !value.isEmpty { texts(key, [value]) } }

  private mutating func texts(_ key: PADKey, _ values: [Text]) {
    bytes.append(contentsOf: key.spelling.utf8)
    for value in values { field(value, of: key) }
    bytes.append(10)
  }

  private mutating func field(_ value: Text, of key: PADKey?) {
    let written = value.asPADField
    if written != value { issues.append(Issue(zone: count, kind: .textChanged(key, written: written))) }
    bytes.append(UInt8(ascii: ","))
    bytes.append(contentsOf: written.utf8)
  }

  private mutating func place(_ key: PADKey, _ numbers: [Int], _ place: Coordinate) {
    bytes.append(contentsOf: key.spelling.utf8)
    for number in numbers {
      bytes.append(UInt8(ascii: ","))
      bytes.append(contentsOf: "\(number)".utf8)
    }
    bytes.append(UInt8(ascii: ","))
    bytes.append(contentsOf: Self.decimal(place.latitude.degrees).utf8)
    bytes.append(UInt8(ascii: ","))
    bytes.append(contentsOf: Self.decimal(place.longitude.degrees).utf8)
    bytes.append(10)
  }

  private mutating func outline(_ zone: ZoneDraft) {
    switch zone.outline {
    case .locations(let places):
      if places.isEmpty { issues.append(Issue(zone: count, kind: .noLocations)) }
      locations(places)
      edges(zone.edges)
    case .path(let places):
      locations(places)
      word(.outline, zone.outline.kind)
      edges(zone.edges)
    case .area(let polygon):
      locations(polygon.parts[0].outer.vertices)
      word(.outline, zone.outline.kind)
      edges(polygon.edges)
      for (part, shape) in polygon.parts.enumerated() {
        for (ring, vertices) in ([shape.outer] + shape.holes).enumerated() where part > 0 || ring > 0 {
          for vertex in vertices.vertices { place(.vertex, [part + 1, ring], vertex) }
        }
      }
    }
  }

  /// Writes the kind of edges unless it is geodesic, the default.
  private mutating func edges(_ kind: EdgeKind) { if kind != .geodesic { word(.edges, kind) } }

  private mutating func word(_ key: PADKey, _ value: some Worded) { row(key, value.word.string) }

  private mutating func locations(_ places: [Coordinate]) {
    for (index, place) in places.enumerated() { self.place(.location, [index + 1], place) }
  }

  private mutating func rules(_ zone: ZoneDraft) {
    switch zone.trigger {
    case .enter(passingCounts: true): break
    case .enter(passingCounts: false), .leave(after: .zero), .enterAndLeave(_, after: .zero):
      word(.trigger, zone.trigger.kind)
    case .leave(let time), .enterAndLeave(_, let time), .dwell(let time):
      row(.trigger, zone.trigger.kind.word.string, Self.decimal(time.seconds))
    }
    numbers(zone, isClassic: false)
    if zone.assurance != .normal { word(.assurance, zone.assurance) }
  }

  private mutating func schedule(_ schedule: Schedule) {
    texts(.timeZone, [schedule.timeZone])
    for window in schedule.windows {
      var days = ""
      for day in window.weekdays.numbers { days += "\(day)" }
      row(.window, days, "\(window.opens)", "\(window.closes)")
    }
    for offset in schedule.offsets {
      row(.offset, "\(offset.from.millisecondsSince1970)", "\(offset.seconds)")
    }
  }

  private mutating func unknownRow(_ fields: [Text]) {
    let key = (fields.first ?? .empty).asPADField
    if key.isEmpty || PADKey(key.utf8[...]) != nil {
      issues.append(Issue(zone: count, kind: .unknownRowLeftOut(key)))
      return
    }
    if let first = fields.first, key != first {
      issues.append(Issue(zone: count, kind: .textChanged(nil, written: key)))
    }
    bytes.append(contentsOf: key.utf8)
    for value in fields.dropFirst() { field(value, of: nil) }
    bytes.append(10)
  }
}

extension Text {
  /// The nearest text that one column of a PAD file can hold.
  var asPADField: Text {
    var bytes = isUTF8(utf8[...]) ? utf8 : windows1252(utf8)
    for index in bytes.indices {
      if bytes[index] == UInt8(ascii: ",") { bytes[index] = UInt8(ascii: ";") }
      if bytes[index] < 0x20 { bytes[index] = 32 }
    }
    while bytes.last == 32 { bytes.removeLast() }
    let blanks = bytes.prefix { $0 == 32 }.count
    bytes.removeFirst(blanks)
    if bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") {
      bytes[0] = UInt8(ascii: "'")
      bytes[bytes.count - 1] = UInt8(ascii: "'")
    }
    return Text(utf8: bytes)
  }
}
