import AlarmEngine
import ZoneFormats

/// Reads files of OwnTracks Recorder: lines of time of receipt, kind and JSON message, separated by tabs.
///
///     2026-11-21T11:32:05Z	*                 	{"_type":"location","lat":47.1,"lon":8.2,"tst":1795260725,"acc":12}
///
/// Messages other than `location` are skipped. `tst` is the time of measurement, the line's time that of
/// receipt; `acc` is in metres, `vel` in km/h, `cog` in degrees, -1 for unknown. Lines without a time are
/// read too, as `mosquitto_sub` writes them. Recorder writes a line end inside a message as ` 0A`: such a
/// message is read as if it were on one line.
package final class OwnTracksRecordingReader: TrackFormatReader {
  package let expected = "lines that end in {\"_type\":\"location\",\"lat\":..,\"lon\":..,\"tst\":..}"
  package private(set) var collector: TrackFileCollector
  private var lines = TrackFileLines()

  package init(_ collector: TrackFileCollector) { self.collector = collector }

  package func feed(_ chunk: [UInt8]) throws(ReadError) { lines.feed(chunk) { take($0, $1) } }

  package func finish() throws(ReadError) { lines.finish { take($0, $1) } }

  private func take(_ line: ArraySlice<UInt8>, _ number: Int) {
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
      Self.take(try Self.parse(Array(text[start...])), received: received, line: number, into: &collector)
    } catch {
      collector.note(.error, line: number, "the message is not JSON (\(error.message)); it is left out")
    }
  }

  private static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
    do throws(JSONError) { return try JSONValue.parse(bytes) } catch {
      guard let cleaned = withoutHexControls(bytes) else { throw error }
      return try JSONValue.parse(cleaned)
    }
  }

  /// Replaces line ends, tabs and NULs that Recorder wrote as two digits by blanks; no number of JSON looks
  /// like one.
  /// - Returns: nil if there are none outside strings.
  private static func withoutHexControls(_ bytes: [UInt8]) -> [UInt8]? {
    var cleaned = bytes
    var changed = false
    var inString = false
    var at = 0
    while at < bytes.count {
      let byte = bytes[at]
      if inString {
        if byte == UInt8(ascii: "\\") { at += 1 }
        if byte == UInt8(ascii: "\"") { inString = false }
      } else if byte == UInt8(ascii: "\"") {
        inString = true
      } else if byte == UInt8(ascii: "0"), at > 0, bytes[at - 1] == 0x20, at + 1 < bytes.count,
        Self.controls.contains(bytes[at + 1]), at + 2 == bytes.count || !Self.isWord(bytes[at + 2])
      {
        (cleaned[at], cleaned[at + 1]) = (0x20, 0x20)
        changed = true
        at += 1
      }
      at += 1
    }
    return changed ? cleaned : nil
  }

  /// The second digits of NUL, tab, line feed and carriage return.
  private static let controls = Array("09AaDd".utf8)

  private static func isWord(_ byte: UInt8) -> Bool {
    byte.isDigit || byte == UInt8(ascii: ".")
      || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
  }

  /// Reads one message; anything but a position is skipped.
  static func take(
    _ message: JSONValue, received: Instant?, line: Int?, into collector: inout TrackFileCollector
  ) {
    if let type = message["_type"]?.string, type != "location" { return }
    var found = TrackFilePoint()
    found.latitude = message["lat"]?.degrees ?? .missing
    found.longitude = message["lon"]?.degrees ?? .missing
    found.time = message["tst"].map { time($0) } ?? .missing
    found.received = received
    found.accuracy = message["acc"]?.field ?? .missing
    found.speed = message["vel"]?.field.scaled(by: 1 / 3.6) ?? .missing
    found.course = message["cog"]?.field ?? .missing
    found.altitude = message["alt"]?.field ?? .missing
    found.altitudeError = message["vac"]?.field ?? .missing
    collector.add(found, device: message["topic"]?.string ?? "", line: line)
  }

  /// Reads a time. Overland's OwnTracks mode counts from 2001-01-01, 978,307,200 s after 1970.
  private static func time(_ value: JSONValue) -> TrackFilePoint.Time {
    guard let seconds = value.field.number, (1..<1e9).contains(seconds) else {
      return value.time
    }
    return .read(Timestamp.instant(milliseconds: (seconds + 978_307_200) * 1000), as: String(seconds))
  }
}
