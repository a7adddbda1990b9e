import AlarmEngine

/// What OwnTracks Recorder keeps: lines of time received, kind and JSON message, tabs between.
///
///     2026-11-21T11:32:05Z	*                 	{"_type":"location","lat":47.1,"lon":8.2,"tst":1795260725,"acc":12}
///
/// Messages other than `location` are passed over. `tst` is the time measured, the line's time the one received; `acc` in
/// metres, `vel` in km/h, `cog` in degrees, -1 for unknown. Lines without a time in front are read as well, as
/// `mosquitto_sub` writes them.
struct OwnTracksRecordingReader {
  static let expected = "lines that end in {\"_type\":\"location\",\"lat\":..,\"lon\":..,\"tst\":..}"

  static func read(_ source: ByteSource) throws -> TrackFile {
    var collector = TrackFileCollector()
    collector.sink = source.sink
    try TrackFileLines.read(source) { line, number in
      let text = line.trimmed
      guard !text.isEmpty else { return }
      guard let start = text.firstIndex(of: UInt8(ascii: "{")) else {
        collector.note(.error, line: number, "a line without a message in { } found; it is left out")
        return
      }
      var received: Instant?
      let front = text[..<start].prefix { $0 != 0x09 && $0 != 0x20 }
      if case .time(let instant, _) = Timestamp.read(front) { received = instant }
      do throws(JSONError) {
        take(
          try JSONValue.parse(Array(text[start...])), received: received, line: number,
          into: &collector)
      } catch {
        collector.note(.error, line: number, "the message is not JSON (\(error.message)); it is left out")
      }
    }
    return try collector.finish(name: source.name, expected: expected)
  }

  /// One message; anything but a position is passed over.
  static func take(
    _ message: JSONValue, received: Instant?, line: Int?, into collector: inout TrackFileCollector
  ) {
    if let type = message["_type"]?.string, type != "location" { return }
    var found = TrackFilePoint()
    found.latitude = message["lat"]?.degrees ?? .missing
    found.longitude = message["lon"]?.degrees ?? .missing
    found.time = message["tst"].map(time) ?? .missing
    found.received = received
    found.accuracy = message["acc"]?.field ?? .missing
    found.speed = message["vel"]?.field.scaled(by: 1 / 3.6) ?? .missing
    found.course = message["cog"]?.field ?? .missing
    found.altitude = message["alt"]?.field ?? .missing
    found.altitudeError = message["vac"]?.field ?? .missing
    collector.add(found, device: message["topic"]?.string ?? "", line: line)
  }

  /// Overland in its OwnTracks guise counts from 2001-01-01: 978,307,200 s later.
  private static func time(_ value: JSONValue) -> TrackFilePoint.Time {
    guard let seconds = value.field.number, (1..<1e9).contains(seconds) else {
      return value.time
    }
    return .read(Timestamp.instant(milliseconds: (seconds + 978_307_200) * 1000), as: String(seconds))
  }
}
