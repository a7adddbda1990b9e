import ZoneFormats

/// Garmin's Training Center XML: the track points of all laps in the order of the file.
///
/// Speed is the extension's `Speed`, m/s. `AltitudeMeters` is by satellites, a barometer or a map, which the
/// file does not say. Points without a position (indoors) are left out, each with an issue.
package final class TCXReader: TrackXMLReader {
  package let expected = "<Trackpoint> with <Time> and <Position>"

  package let rootNames = ["TrainingCenterDatabase"]
  package var collector: TrackFileCollector
  private var point: TrackFilePoint?
  private var line = 0

  package init(_ collector: TrackFileCollector) { self.collector = collector }

  package func start(_ name: String, _ attributes: [String: String], line: Int) -> Bool {
    guard name == "Trackpoint" else { return point != nil && Self.wanted.contains(name) }
    finishPoint()  // Where its end tag is missing.
    point = TrackFilePoint()
    self.line = line
    return false
  }

  package func end(_ name: String, text: String, line: Int) {
    guard point != nil else { return }
    switch name {
    case "Trackpoint": finishPoint()
    case "Time": point?.time = .read(text)
    case "LatitudeDegrees": point?.latitude = .degrees(text)
    case "LongitudeDegrees": point?.longitude = .degrees(text)
    case "Speed": point?.speed = NumberField(text)
    case "AltitudeMeters": point?.altitude = NumberField(text)
    default: break  // Distances, heart rates: nothing a fix holds.
    }
  }

  package func lostTag() { finishPoint() }

  private func finishPoint() {
    guard let found = point else { return }
    point = nil
    collector.add(found, line: line)
  }

  private static let wanted: Set<String> = [
    "Time", "LatitudeDegrees", "LongitudeDegrees", "Speed", "AltitudeMeters",
  ]
}
