import AlarmEngine
import Geometry

/// The zone being read, as given by the rows so far.
struct PADDraft {
  let line: Int
  /// Everything except the values below, which are completed with the last row.
  var zone = ZoneDraft(id: ZoneID(rawValue: 0), name: .empty, outline: .locations([]))
  /// The size as written, checked at the end, when it is known whether the zone needs one.
  var size: Double?
  var id: ZoneID?
  var kind = ZoneOutline.Kind.locations
  var schedule = PADSchedule()
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
    if let field = key.number {
      takeNumber(row, key, field, &issues)
      return
    }
    switch key {
    case .name: zone.name = row.text(1)
    case .category: zone.category = row.text(1)
    case .soundName: zone.soundName = row.text(1)
    case .active: zone.active = flag(row, key, or: true, &issues)
    case .vibrate: zone.vibrate = flag(row, key, or: true, &issues)
    case .location: takeLocation(row, &issues)
    default: takeOwn(row, key, &issues)
    }
  }

  private mutating func takeNumber(
    _ row: PADRow, _ key: PADKey, _ field: RangedField, _ issues: inout [PADIssue.Kind]
  ) {
    guard key == .size else {
      zone[field] = number(row, key, field, &issues)
      return
    }
    if let value = number(row, 1, key, &issues) { size = value }
  }

  private mutating func keep(_ row: PADRow, issues: inout [PADIssue.Kind]) {
    guard zone.unknownRows.count < PADReader.maximumRows else {
      if zone.unknownRows.count == PADReader.maximumRows { issues.append(.tooManyUnknownRows) }
      return
    }
    if let key = PADKey.misspelled(row.key) {
      issues.append(.misspelled(found: PADRow.excerpt(row.key), key))
    }
    zone.unknownRows.append(row.fields.indices.map { row.text($0) })
  }

  private mutating func checkForm(_ row: PADRow, _ key: PADKey, issues: inout [PADIssue.Kind]) {
    if !key.mayRepeat {
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
