import AlarmEngine
import ZoneFormats

/// Reads GPX 1.0 and 1.1: track points, and route points that have times, of all tracks in the order of the
/// file.
///
/// Accuracy comes from extensions only (`hAcc` as Apple Health writes it, `accuracy`, `horizontalAccuracy`);
/// `hdop` is kept as hdop. Heights are `ele`, which GPX defines over sea level and many phones write over the
/// ellipsoid: they count as over the sea only if the extension `eleReference` is `sea_level`, as we write it.
/// Their error is `vAcc`. `speed` is in m/s and `course` in degrees, as in GPX 1.0 and by Apple and Garmin.
/// Waypoints are places, not fixes. Source: https://www.topografix.com/GPX/1/1/.
package final class GPXReader: TrackXMLReader {
  package let expected = "<trkpt lat=\"..\" lon=\"..\"> with a <time>"

  package let rootNames = ["gpx"]
  package var collector: TrackFileCollector
  private var point: TrackFilePoint?
  private var isRoutePoint = false
  private var line = 0
  /// Elements open inside the present point.
  private var depth = 0
  /// The innermost of `trk` and `metadata`, and the elements open inside it.
  private var holder: (name: String, depth: Int)?
  private var hasTrackName = false

  package init(_ collector: TrackFileCollector) { self.collector = collector }

  package func start(_ name: String, _ attributes: [String: String], line: Int) -> Bool {
    guard name == "trkpt" || name == "rtept" else {
      guard point != nil else {
        guard let holder else {
          if name == "metadata" || name == "trk" { self.holder = (name, 0) }
          return false
        }
        self.holder?.depth += 1
        return name == "time" && holder.name == "metadata" || name == "name" && holder.depth == 0
      }
      depth += 1
      return Self.wanted.contains(name)
    }
    finishPoint()  // Where its end tag is missing.
    var found = TrackFilePoint()
    found.latitude = .degrees(attributes["lat"])
    found.longitude = .degrees(attributes["lon"])
    point = found
    isRoutePoint = name == "rtept"
    self.line = line
    depth = 0
    return false
  }

  package func end(_ name: String, text: String, line: Int) {
    guard point != nil else {
      return endOutside(name, text)
    }
    guard name != "trkpt", name != "rtept" else { return finishPoint() }
    depth -= 1
    switch name {
    case "time" where depth == 0: point?.time = .read(text)
    case "hdop" where depth == 0: point?.hdop = NumberField(text)
    case "receivedAt":
      if case .time(let instant, _) = Timestamp.read(text) { point?.received = instant }
    case "speed": point?.speed = NumberField(text)
    case "course", "bearing": point?.course = NumberField(text)
    case "ele" where depth == 0: point?.altitude = NumberField(text)
    case "vAcc", "vacc", "verticalAccuracy": point?.altitudeError = NumberField(text)
    case "eleReference":
      if text.trimmed == "sea_level" {
        point?.altitudeReference = .seaLevel
      }
    case "hAcc", "hacc", "accuracy", "horizontalAccuracy": point?.accuracy = NumberField(text)
    default: break  // Temperatures, heart rates: nothing a fix holds.
    }
  }

  package func lostTag() { finishPoint() }

  /// Ends an element outside the points.
  private func endOutside(_ name: String, _ text: String) {
    guard let holder else { return }
    guard name != holder.name else {
      self.holder = nil
      return
    }
    self.holder?.depth = max(0, holder.depth - 1)
    if name == "time", holder.name == "metadata", case .time(let instant, _) = Timestamp.read(text) {
      collector.madeAt = instant
    }
    guard name == "name", holder.depth == 1 else { return }
    let found = text.trimmed
    // The name of a track comes before the file's.
    if holder.name == "trk", !hasTrackName, !found.isEmpty {
      (collector.name, hasTrackName) = (found, true)
    } else if collector.name.isEmpty {
      collector.name = found
    }
  }

  private func finishPoint() {
    guard let found = point else { return }
    point = nil
    // A route is a plan: its points need no times.
    if !isRoutePoint || found.time != .missing { collector.add(found, line: line) }
  }

  private static let wanted: Set<String> = [
    "time", "hdop", "speed", "course", "bearing", "hAcc", "hacc", "accuracy", "horizontalAccuracy",
    "receivedAt", "ele", "vAcc", "vacc", "verticalAccuracy", "eleReference",
  ]
}
