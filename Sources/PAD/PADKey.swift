import AlarmEngine

/// The known rows of a PAD file, in the order of writing.
///
/// Down to `location` they are the classic ones (S144-S156). The others are ours; to other programs they are
/// unknown rows.
public enum PADKey: UInt8, CaseIterable, Sendable {
  case start, name, category, active, vibrate, priority, sleepTime, size, inset, alertDistance, soundName,
    location
  /// The zone's id, 16 hexadecimal digits.
  case id
  /// `enter`, `inside` (passing through does not count), `leave`, or with the seconds outside, or `dwell` and
  /// seconds.
  case trigger
  /// Seconds.
  case leadTime
  /// Metres over sea level.
  case floor, ceiling
  /// `safety`, `normal` or `relaxed`.
  case assurance
  /// `geodesic` or `lonlat`.
  case edges
  /// `locations`, `path` or `area`: the outline that the locations form.
  case outline
  /// Part from 1, ring from 0 (0 = outer), latitude, longitude: the vertices of an area except its first
  /// outer ring, which the `location` rows hold.
  case vertex
  /// The time zone's name.
  case timeZone
  /// Weekdays (1 = Monday ... 7 = Sunday), opening and closing minute of the day.
  case window
  /// Milliseconds since 1970 and the seconds that local time is ahead of UTC from then on.
  case offset
  /// Your moniker, to moniker, contact number, supplement.
  case message
  case noticeTitle, noticeText, noticeLink, noticeImage
  /// Seconds.
  case noticeCap
  case end

  /// The number of the zone that the row states.
  var number: RangedField? {
    switch self {
    case .priority: .priority
    case .sleepTime: .sleepTime
    case .size: .size
    case .inset: .inset
    case .alertDistance: .alertDistance
    case .leadTime: .leadTime
    case .floor: .floor
    case .ceiling: .ceiling
    case .start, .name, .category, .active, .vibrate, .soundName, .location, .id, .trigger, .assurance,
      .edges,
      .outline, .vertex, .timeZone, .window, .offset, .message, .noticeTitle, .noticeText, .noticeLink,
      .noticeImage, .noticeCap, .end:
      nil
    }
  }

  /// The number of meaningful columns, the key's own included.
  var columns: Int {
    switch self {
    case .start, .end: 1
    case .location, .window: 4
    case .vertex, .message: 5
    case .trigger, .offset: 3
    case .name, .category, .active, .vibrate, .priority, .sleepTime, .size, .inset, .alertDistance,
      .soundName, .id, .leadTime, .floor, .ceiling, .assurance, .edges, .outline, .timeZone, .noticeTitle,
      .noticeText, .noticeLink, .noticeImage, .noticeCap:
      2
    }
  }

  /// True for a key that a zone may have several rows of.
  var mayRepeat: Bool {
    self == .location || self == .vertex || self == .window || self == .offset || self == .message
  }

  public var spelling: Text {
    switch self {
    case .start: "AlertZoneStart"
    case .name: "AlertZoneName"
    case .category: "AlertZoneCategory"
    case .active: "AlertZoneActive"
    case .vibrate: "AlertZoneVibrate"
    case .priority: "AlertZonePriority"
    case .sleepTime: "AlertZoneSleepTime"
    case .size: "AlertZoneSize"
    case .inset: "AlertZoneInset"
    case .alertDistance: "AlertDistance"
    case .soundName: "AlertZoneSoundName"
    case .location: "Location"
    case .id: "AlertZoneID"
    case .trigger: "AlertZoneTrigger"
    case .leadTime: "AlertZoneLeadTime"
    case .floor: "AlertZoneFloor"
    case .ceiling: "AlertZoneCeiling"
    case .assurance: "AlertZoneAssurance"
    case .edges: "AlertZoneEdges"
    case .outline: "AlertZoneOutline"
    case .vertex: "AlertZoneVertex"
    case .timeZone: "AlertZoneTimeZone"
    case .window: "AlertZoneWindow"
    case .offset: "AlertZoneOffset"
    case .message: "AlertZoneMessage"
    case .noticeTitle: "AlertZoneNoticeTitle"
    case .noticeText: "AlertZoneNoticeText"
    case .noticeLink: "AlertZoneNoticeLink"
    case .noticeImage: "AlertZoneNoticeImage"
    case .noticeCap: "AlertZoneNoticeCap"
    case .end: "AlertZoneEnd"
    }
  }

  /// - Parameter written: in any case of letters.
  public init?(_ written: ArraySlice<UInt8>) {
    for entry in Self.table where entry.written.count == written.count {
      if zip(entry.written, written).allSatisfy({ $0 == Self.lowercased($1) }) {
        self = entry.key
        return
      }
    }
    return nil
  }

  /// Returns the key that a misspelt name is meant to be; nil if there is none.
  static func misspelled(_ written: ArraySlice<UInt8>) -> Self? {
    guard written.count >= 6, written.count <= 40, Self(written) == nil else { return nil }
    let ours = lowercased("alertzone")
    var letters: [UInt8] = []
    for byte in written where byte != 0x20 && byte != 0x5f && byte != 0x2d {
      letters.append(lowercased(byte))
    }
    for other in namedDifferently where other.said == letters { return other.key }
    guard letters.starts(with: ours) else {
      // Most unknown rows are other programs', so only a close match counts.
      var names: [[UInt8]] = []
      for entry in table { names.append(entry.written) }
      return indexOfNearestName(to: letters, among: names, atMost: 1).map { table[$0].key }
    }
    // The prefix that the keys share is not compared.
    var names: [[UInt8]] = []
    for entry in table {
      names.append(entry.written.starts(with: ours) ? Array(entry.written.dropFirst(ours.count)) : [])
    }
    let rest = Array(letters.dropFirst(ours.count))
    return indexOfNearestName(to: rest, among: names).map { table[$0].key }
  }

  /// Common wrong names of keys.
  private static let namedDifferently: [(said: [UInt8], key: Self)] = [
    (lowercased("AlertZoneRadius"), .size), (lowercased("AlertZoneDistance"), .alertDistance),
    (lowercased("AlertZoneLocation"), .location),
  ]

  /// Spellings in lower case; the commonest row first.
  private static let table: [(key: Self, written: [UInt8])] = {
    var table: [(key: Self, written: [UInt8])] = [(.location, lowercased(Self.location.spelling))]
    for key in allCases where key != .location { table.append((key, lowercased(key.spelling))) }
    table.append((.alertDistance, lowercased("AlertZoneAlertDistance")))
    return table
  }()

  private static func lowercased(_ text: Text) -> [UInt8] {
    var bytes: [UInt8] = []
    for byte in text.utf8 { bytes.append(lowercased(byte)) }
    return bytes
  }

  static func lowercased(_ byte: UInt8) -> UInt8 { byte >= 65 && byte <= 90 ? byte + 32 : byte }
}
