import AlarmEngine
import Geometry

/// The zone being read, as given by the rows so far.
struct PADDraft {
  let line: Int
  var name = Text.empty
  var category = Text.empty
  var active = true
  var vibrate = true
  var priority: Int32 = 0
  var sleepTime: TimeSpan?
  /// The size as written, checked at the end, when it is known whether the zone needs one.
  var size: Double?
  var inset = Distance.zero
  var alertDistance = Distance.zero
  var leadTime: TimeSpan?
  var floor: Distance?
  var ceiling: Distance?
  var soundName = Text.empty
  var id: ZoneID?
  var trigger = Trigger.enter(passingCounts: true)
  var assurance = Assurance.normal
  var edges = EdgeKind.geodesic
  var kind = ZoneOutline.Kind.locations
  var schedule = PADSchedule()
  var messages: [Message] = []
  var notice: Notice?
  var unknownRows: [[Text]] = []
  var locations: [Location] = []
  var vertices: [Vertex] = []
  /// The number of unreadable places.
  var locationsLost = 0
  private var seen: UInt64 = 0

  struct Location {
    let number: Double
    let place: Coordinate
  }
  struct Vertex {
    let part: Int
    let ring: Int
    let place: Coordinate
  }

  init(line: Int) { self.line = line }

  /// - Parameter key: nil for a row to be kept as it is.
  mutating func take(_ row: PADRow, key: PADKey?, issues: inout [PADIssue.Kind]) {
    guard let key else {
      keep(row, issues: &issues)
      return
    }
    checkForm(row, key, issues: &issues)
    switch key {
    case .start, .end: break  // The reader's.
    case .name: name = row.text(1)
    case .category: category = row.text(1)
    case .soundName: soundName = row.text(1)
    case .active: active = flag(row, key, or: true, &issues)
    case .vibrate: vibrate = flag(row, key, or: true, &issues)
    case .priority: priority = wholeNumber(row, key, &issues)
    case .sleepTime: sleepTime = time(row, key, .sleepTime, &issues)
    case .size:
      if let value = number(row, 1, key, &issues) { size = value }
    case .inset: inset = length(row, key, .inset, &issues)
    case .alertDistance: alertDistance = length(row, key, .alertDistance, &issues)
    case .leadTime: leadTime = time(row, key, .leadTime, &issues)
    case .floor: floor = height(row, key, .floor, &issues)
    case .ceiling: ceiling = height(row, key, .ceiling, &issues)
    case .location: takeLocation(row, &issues)
    case .id, .trigger, .assurance, .edges, .outline, .vertex, .timeZone, .window, .offset, .message,
      .noticeTitle,
      .noticeText, .noticeLink, .noticeImage, .noticeCap:
      takeOwn(row, key, &issues)
    }
  }

  private mutating func keep(_ row: PADRow, issues: inout [PADIssue.Kind]) {
    guard unknownRows.count < PADReader.maximumRows else {
      if unknownRows.count == PADReader.maximumRows { issues.append(.tooManyUnknownRows) }
      return
    }
    if let key = PADKey.misspelled(row.key) {
      issues.append(.misspelled(found: PADRow.excerpt(row.key), key))
    }
    unknownRows.append(row.fields.indices.map { row.text($0) })
  }

  private mutating func checkForm(_ row: PADRow, _ key: PADKey, issues: inout [PADIssue.Kind]) {
    switch key {
    case .location, .vertex, .window, .offset, .message: break
    case .start, .name, .category, .active, .vibrate, .priority, .sleepTime, .size, .inset, .alertDistance,
      .soundName, .id, .trigger, .leadTime, .floor, .ceiling, .assurance, .edges, .outline, .timeZone,
      .noticeTitle, .noticeText, .noticeLink, .noticeImage, .noticeCap, .end:
      let bit: UInt64 = 1 << UInt64(key.rawValue)
      if seen & bit != 0 { issues.append(.repeatedRow(key)) }
      seen |= bit
    }
    if row.fields.count > key.columns {
      issues.append(.extraColumns(key, found: row.excerpt(key.columns)))
    }
  }

  private mutating func takeLocation(_ row: PADRow, _ issues: inout [PADIssue.Kind]) {
    var number = locations.last?.number ?? 0
    if let written = row.number(1) {
      number = written
    } else {
      issues.append(.locationNumberNotANumber(found: row.excerpt(1)))
    }
    guard let place = place(row, 2, &issues) else {
      locationsLost += 1
      return
    }
    locations.append(Location(number: number, place: place))
  }

  /// Reads latitude and longitude from `column` on.
  func place(_ row: PADRow, _ column: Int, _ issues: inout [PADIssue.Kind]) -> Coordinate? {
    // An extra number may be the decimals of a locale that writes commas: 46,05,14,50.
    if row.number(column + 2) != nil {
      issues.append(.notANumber(.location, found: row.excerpt(column + 2)))
      return nil
    }
    guard let latitude = number(row, column, .location, &issues),
      let longitude = number(row, column + 1, .location, &issues)
    else { return nil }
    do {
      return try Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    } catch {
      switch error {
      case .latitudeOutOfRange(let given):
        issues.append(.outOfRange(.location, found: given, allowed: -90...90))
      case .longitudeOutOfRange(let given):
        issues.append(.outOfRange(.location, found: given, allowed: -360...360))
      }
      return nil
    }
  }
}

extension PADKey {
  /// The number of meaningful columns, the key's own included.
  var columns: Int {
    switch self {
    case .start, .end: 1
    case .location, .window: 4
    case .vertex, .message: 5
    case .trigger, .offset: 3
    case .name, .category, .active, .vibrate, .priority, .sleepTime, .size, .inset, .alertDistance,
      .soundName, .id,
      .leadTime, .floor, .ceiling, .assurance, .edges, .outline, .timeZone, .noticeTitle, .noticeText,
      .noticeLink, .noticeImage, .noticeCap:
      2
    }
  }
}
