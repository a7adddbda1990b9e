import AlarmEngine
import Foundation

/// P6: the requests of PhoneTrack's clients to its own paths.
///
/// Speed is metres per second everywhere. The `acc` of OsmAnd's path is a dilution, since PhoneTrack has OsmAnd fill in
/// `{3}` there. A position without a time was measured when it arrived.
/// Read: `julien-nc/phonetrack`, routes.php and LogController.php.
enum PhoneTrackReport {
  static func read(_ request: PhoneRequest, into builder: inout PhoneReportBuilder) {
    for fields in PhoneBody.fields(request, &builder) {
      if request.endpoint == .logGPSLogger, fields["_type"] != nil {
        OwnTracksMessage.take(.object(fields.members), number: nil, &builder)
      } else if request.endpoint == .logOpenGTS {
        openGTS(fields, &builder)
      } else if let points = fields["points"] {
        takePoints(points, &builder)
      } else if let points = indexedPoints(fields) {
        for (index, point) in points.enumerated() {
          take(point, number: index + 1, request.endpoint, &builder)
        }
      } else {
        if request.endpoint == .logULogger, let action = fields.text("action") {
          builder.add(.session(action: String(action.prefix(50))))
          if action != "addpos" { continue }
        }
        take(fields, number: nil, request.endpoint, &builder)
      }
    }
  }

  private static func take(
    _ fields: PhoneFields, number: Int?, _ endpoint: PhoneEndpoint, _ builder: inout PhoneReportBuilder
  ) {
    var state = PhoneState()
    state.battery = builder.battery(fields["bat", "battery", "batt"], full: 100, number)
    state.attributes = fields.attributes(without: placed, &builder)
    // A row of a batch is there for its position.
    let (latitude, longitude) = fields.place
    guard number != nil || latitude != nil || longitude != nil else {
      builder.addHeartbeat(
        at: PhoneTime.instant(fields["timestamp", "time", "datetime"]), state, fields, known: placed)
      return
    }
    var draft = PhoneFixDraft()
    draft.timeMayBeArrival = true
    (draft.point.latitude, draft.point.longitude) = fields.sided(
      latitude?.degrees ?? .missing, longitude?.degrees ?? .missing)
    draft.point.time = PhoneTime.read(fields["timestamp", "time", "datetime"])
    let accuracy = fields["acc", "accuracy"]?.field ?? .missing
    if endpoint == .logOsmAnd {
      draft.point.hdop = accuracy
      if accuracy == .missing { draft.point.hdop = fields["hdop"]?.field ?? .missing }
    } else {
      draft.point.accuracy = accuracy
    }
    draft.point.speed = fields["speed"]?.field ?? .missing
    draft.point.course = fields["bearing"]?.field ?? .missing
    draft.details.altitude = builder.length(fields["alt", "altitude"], "altitude", number)
    draft.details.satellites = builder.number(fields["sat"], "sat", number).flatMap { Int(exactly: $0) }
    draft.details.state = state
    builder.add(draft, number: number)
  }

  /// Rows of `[lat, lon, timestamp, alt, acc, bat, sat, useragent, speed, bearing]`, in a form as JSON in a string.
  private static func takePoints(_ value: JSONValue, _ builder: inout PhoneReportBuilder) {
    var value = value
    if let text = value.string {
      guard let inner = PhoneBody.json(Array(text.utf8)[...].trimmed, &builder) else {
        builder.add(.unreadable)
        return
      }
      value = inner
    }
    guard let rows = value.list else {
      builder.note(.error, nil, "points: \(value.kind) found, an array expected")
      return
    }
    for (index, row) in rows.enumerated() {
      if let members = row.members {
        take(PhoneFields(members), number: index + 1, .logPostMultiple, &builder)
      } else if let values = row.list {
        take(fields(values), number: index + 1, .logPostMultiple, &builder)
      } else {
        builder.note(.error, index + 1, "\(row.kind) found, an array expected; the point is left out")
      }
    }
  }

  private static let columns = [
    "lat", "lon", "timestamp", "alt", "acc", "bat", "sat", "useragent", "speed", "bearing",
  ]

  private static func fields(_ values: [JSONValue]) -> PhoneFields {
    PhoneFields(Array(zip(columns, values)))
  }

  /// `points[0][0]=46.051&points[0][1]=14.505`, as PHP reads forms; nil where there are none.
  private static func indexedPoints(_ fields: PhoneFields) -> [PhoneFields]? {
    var rows: [Int: [(String, JSONValue)]] = [:]
    for (name, value) in fields.members where name.hasPrefix("points[") {
      let parts = name.split(whereSeparator: { $0 == "[" || $0 == "]" })
      guard parts.count == 3, let row = Int(parts[1]), let column = Int(parts[2]),
        columns.indices.contains(column)
      else { continue }
      rows[row, default: []].append((columns[column], value))
    }
    guard !rows.isEmpty else { return nil }
    return rows.sorted { $0.key < $1.key }.map { PhoneFields($0.value) }
  }

  /// One NMEA sentence carries place, time, speed and course.
  private static func openGTS(_ fields: PhoneFields, _ builder: inout PhoneReportBuilder) {
    builder.claim.device = builder.claim.device ?? fields.text("id", "dev")
    var state = PhoneState()
    state.battery = builder.battery(fields["batt"], full: 100, nil)
    state.attributes = fields.attributes(without: ["id", "dev", "gprmc", "alt", "batt"], &builder)
    guard let words = fields.text("gprmc") else {
      builder.add(.heartbeat(at: builder.receivedAt, state))
      return
    }
    let sentence = words.hasPrefix("$") ? words : "$" + words
    let source = ByteSource(data: Data(sentence.prefix(1000).utf8), name: "gprmc", progress: nil)
    let file: TrackFile
    do { file = try NMEAReader.read(source, assumedDate: nil) } catch {
      builder.note(
        .error, nil, "gprmc \"\(NumberField.excerpt(words))\" found, \(NMEAReader.expected) expected")
      return
    }
    for issue in file.issues { builder.note(issue.severity, nil, issue.message) }
    guard let fix = file.devices.first?.points.first?.fix else { return }
    var draft = PhoneFixDraft()
    draft.point.latitude = .number(fix.position.latitude.degrees)
    draft.point.longitude = .number(fix.position.longitude.degrees)
    draft.point.time = .read(.time(fix.measuredAt, zone: .stated), as: "")
    draft.point.speed = fix.speed.map { .number($0.metresPerSecond) } ?? .missing
    draft.point.course = fix.course.map { .number($0.degrees) } ?? .missing
    draft.details.altitude = builder.length(fields["alt"], "alt", nil)
    draft.details.state = state
    builder.add(draft)
  }

  private static let placed: Set<String> = [
    "lat", "latitude", "lon", "longitude", "lng", "timestamp", "time", "datetime", "alt", "altitude", "acc",
    "accuracy", "hdop", "bat",
    "battery",
    "batt", "sat", "speed", "bearing", "action",
  ]
}
