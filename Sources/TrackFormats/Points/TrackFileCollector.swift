import AlarmEngine
import Geometry
import ZoneFormats

/// One point as a reader found it, unchecked.
package struct TrackFilePoint {
  package enum Time: Equatable {
    case missing
    case words(String)
    case read(Timestamp.Reading, as: String)

    package static func read(_ text: String) -> Self { read(Array(text.utf8)[...]) }
    package static func read(_ bytes: ArraySlice<UInt8>) -> Self {
      let trimmed = bytes.trimmed
      guard !trimmed.isEmpty else { return .missing }
      let reading = Timestamp.read(trimmed)
      if case .time = reading { return .read(reading, as: "") }
      return .read(reading, as: NumberField.excerpt(trimmed))
    }
  }
  package init() {}

  package var latitude = NumberField.missing
  package var longitude = NumberField.missing
  package var time = Time.missing
  /// The time of receipt, if the file states it.
  package var received: Instant?
  /// Metres.
  package var accuracy = NumberField.missing
  /// Metres per second.
  package var speed = NumberField.missing
  /// Degrees clockwise from north.
  package var course = NumberField.missing
  package var hdop = NumberField.missing
  /// Metres, over `altitudeReference`.
  package var altitude = NumberField.missing
  /// Metres; negative if the source marks its height as invalid.
  package var altitudeError = NumberField.missing
  package var altitudeReference = Altitude.Reference.unknown
}

/// Collects the results of a reader: points by device in the order of the file, issues up to a bound.
package struct TrackFileCollector {
  /// The most issues that are listed; the rest is counted.
  static let listedIssues = 100

  /// True for a host that has words of its own, as the page: issues are counted instead of worded, and the points of all
  /// devices are one track.
  package let countsOnly: Bool
  package private(set) var counts = TrackFileCounts()
  /// True if any point had a time, readable or not.
  package internal(set) var sawTime = false
  /// The name of the track in the file; empty if it states none.
  package internal(set) var name = ""
  /// The receiver of the points; nil keeps them here.
  package var sink: TrackPointSink?
  /// The document of an archive to name in messages; empty for the main document.
  package var document = ""
  /// The time at which the file says it was written.
  package var madeAt: Instant?
  package private(set) var devices: [TrackFile.Device] = []
  private var indices: [String: Int] = [:]
  private var issues: [ReadIssue] = []
  private var unlisted = 0
  package private(set) var leftOut = 0
  private var saidAssumedUTC = false

  package init(sink: TrackPointSink? = nil, countsOnly: Bool = false) {
    self.sink = sink
    self.countsOnly = countsOnly
  }

  /// - Parameters:
  ///   - kind: tells an error to a host with words of its own.
  ///   - points: the number of points that are left out.
  package mutating func note(
    _ severity: ReadIssue.Severity, _ kind: TrackFileCounts.Kind = .other, points: Int = 1, line: Int?,
    _ message: @autoclosure () -> String
  ) {
    if severity == .error { leftOut += 1 }
    guard !countsOnly else {
      if severity == .error { counts.add(kind, points) }
      return
    }
    guard issues.count < Self.listedIssues else {
      unlisted += 1
      return
    }
    issues.append(ReadIssue(severity, line: line, (document.isEmpty ? "" : "\(document): ") + message()))
  }

  /// Adds the point if it has a place and a time, else notes the reason.
  @discardableResult
  package mutating func add(_ found: TrackFilePoint, device: String = "", line: Int?) -> Bool {
    guard let point = checked(found, line: line) else { return false }
    append(point, to: device)
    return true
  }

  package mutating func append(_ point: TrackFile.Point, to device: String) {
    if let sink {
      sink.add(point, of: countsOnly ? "" : device)
    } else if let last = devices.indices.last, devices[last].name == device {
      devices[last].points.append(point)
    } else if let index = indices[device] {
      devices[index].points.append(point)
    } else {
      indices[device] = devices.count
      devices.append(TrackFile.Device(name: device, points: [point]))
    }
  }

  /// Distributes the points of the only, unnamed device over named devices, one name for each point.
  package mutating func renameUnnamed(_ names: [String]) {
    let points = devices.first?.points ?? []
    devices = []
    indices = [:]
    for (name, point) in zip(names, points) { append(point, to: name) }
  }

  /// Returns the point if it has a place and a time; else notes the reason and returns nil.
  package mutating func checked(_ found: TrackFilePoint, line: Int?) -> TrackFile.Point? {
    if case .missing = found.time {} else { sawTime = true }
    guard let position = position(of: found, line: line), let time = time(of: found, line: line) else {
      return nil
    }
    return TrackFile.Point(
      fix: Fix(
        position: position, accuracy: accuracy(of: found, line: line), measuredAt: time,
        receivedAt: found.received, speed: speed(of: found, line: line),
        course: course(of: found, line: line),
        altitude: altitude(of: found, line: line)),
      hdop: hdop(of: found, line: line))
  }

  /// - Throws: `ReadError` if there is no point at all; it names what the format expects.
  package func finish(name: String, expected: String) throws(ReadError) -> TrackFile {
    guard hasPoints else {
      let reason = issues.first.map { issue in
        let place = issue.line.map { "line \($0): " } ?? ""
        return "; first issue of \(issues.count + unlisted): \(place)\(issue.message)"
      }
      throw ReadError("\(name.isEmpty ? "the file" : name) holds no fix: \(expected) expected\(reason ?? "")")
    }
    var file = TrackFile(devices: devices, issues: listed)
    file.madeAt = madeAt
    return file
  }

  package var hasPoints: Bool { !devices.isEmpty || sink?.count ?? 0 > 0 }

  /// The issues so far; the unlisted ones are summed up in one more.
  package var listed: [ReadIssue] {
    guard unlisted > 0 else { return issues }
    return issues + [
      ReadIssue(.warning, "\(unlisted) more issues; only the first \(Self.listedIssues) are listed")
    ]
  }

  private mutating func position(of found: TrackFilePoint, line: Int?) -> Coordinate? {
    switch (found.latitude, found.longitude) {
    case (.number(let latitude), .number(let longitude)):
      do throws(CoordinateError) {
        return try Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
      } catch {
        note(.error, Self.kind(of: error), line: line, Self.message(for: error))
      }
    case (.words(let words), _):
      note(
        .error, .latitude, line: line,
        "latitude \"\(words)\" found, a number of degrees expected; the point is left out"
      )
    case (_, .words(let words)):
      note(
        .error, .longitude, line: line,
        "longitude \"\(words)\" found, a number of degrees expected; the point is left out")
    case (.missing, _), (_, .missing):
      note(
        .error, found.latitude == .missing ? .latitude : .longitude, line: line,
        "a point without a position found, latitude and longitude expected; it is left out")
    }
    return nil
  }

  private static func kind(of error: CoordinateError) -> TrackFileCounts.Kind {
    switch error {
    case .latitudeOutOfRange: .latitude
    case .longitudeOutOfRange: .longitude
    }
  }

  private static func message(for error: CoordinateError) -> String {
    switch error {
    case .latitudeOutOfRange(let given): "latitude \(given) found, -90 to 90 allowed; the point is left out"
    case .longitudeOutOfRange(let given):
      "longitude \(given) found, -360 to 360 allowed; the point is left out"
    }
  }

  private mutating func time(of found: TrackFilePoint, line: Int?) -> Instant? {
    switch found.time {
    case .missing:
      note(.error, .untimed, line: line, "a point without a time found; it is left out")
    case .words(let words), .read(.unreadable, as: let words):
      note(
        .error, .untimed, line: line, "time \"\(words)\" found, \(Timestamp.expected); the point is left out")
    case .read(.outOfRange, as: let words):
      note(
        .error, .untimed, line: line,
        "time \"\(words)\" found, \(Timestamp.allowedYears); the point is left out")
    case .read(.time(let instant, let zone), _):
      if zone == .assumedUTC, !saidAssumedUTC {
        saidAssumedUTC = true
        note(.warning, line: line, "times without a zone found; they are read as UTC")
      }
      return instant
    }
    return nil
  }

  private mutating func accuracy(of found: TrackFilePoint, line: Int?) -> Fix.Accuracy {
    switch found.accuracy {
    case .missing: return .unstated
    case .number(let metres): return .radius(.metres(metres))
    case .words(let words):
      note(
        .warning, line: line, "accuracy \"\(words)\" found, a number of metres expected; taken as unstated")
      return .unstated
    }
  }

  /// Phones write -1 for an unknown speed.
  private mutating func speed(of found: TrackFilePoint, line: Int?) -> Speed? {
    switch found.speed {
    case .missing: return nil
    case .number(let value): return value >= 0 ? .metresPerSecond(value) : nil
    case .words(let words):
      note(.warning, line: line, "speed \"\(words)\" found, a number expected; taken as unstated")
      return nil
    }
  }

  /// Phones write -1 for an unknown course.
  private mutating func course(of found: TrackFilePoint, line: Int?) -> Angle? {
    switch found.course {
    case .missing: return nil
    case .number(let degrees): return (0...360).contains(degrees) ? .degrees(degrees) : nil
    case .words(let words):
      note(.warning, line: line, "course \"\(words)\" found, a number of degrees expected; taken as unstated")
      return nil
    }
  }

  private mutating func altitude(of found: TrackFilePoint, line: Int?) -> Altitude? {
    if case .words(let words) = found.altitude {
      note(.warning, line: line, "height \"\(words)\" found, a number of metres expected; taken as unstated")
    }
    if case .words(let words) = found.altitudeError {
      note(
        .warning, line: line,
        "error of the height \"\(words)\" found, a number of metres expected; taken as unstated")
    }
    guard let metres = found.altitude.number else { return nil }
    return Altitude(metres: metres, error: found.altitudeError.number, reference: found.altitudeReference)
  }

  private mutating func hdop(of found: TrackFilePoint, line: Int?) -> Double? {
    switch found.hdop {
    case .missing: return nil
    case .number(let value): return value >= 0 ? value : nil
    case .words(let words):
      note(.warning, line: line, "hdop \"\(words)\" found, a number expected; taken as unstated")
      return nil
    }
  }
}
