import AlarmEngine
import ZoneFormats

/// GeoJSON with times, and its relatives.
///
/// - `LineString`, `MultiLineString`, `MultiPoint` with one time per position in `properties`: `coordTimes`, `times`,
///   `coordinateProperties.times` (as togeojson writes them), or as a fourth number of each position.
/// - `Point` features with a time in `properties` (`timestamp`, `time`, `tst`, ...) and, where stated, accuracy in metres,
///   speed in m/s, course and device id: Overland (also its `{"locations": [...]}`), OwnTracks exports.
/// - A third number of a position is its height, over the ellipsoid (RFC 7946) or whatever the program took for it; else
///   `altitude` of a point's properties. Its error is `vertical_accuracy`.
/// - OwnTracks `location` messages in an array, alone, or under `data`.
///
/// Elements of Google's timeline are read as `GoogleTimelineReader` does: a file of it may begin with pages of Wi-Fi scans.
/// One feature at a time is in memory.
package final class GeoJSONTrackReader: TrackJSONReader {
  package var expected: String {
    isGoogle ? google.expected : "a LineString with one time per position, or Points with a time"
  }
  package let elementName = "a feature"
  package let keys: [String]
  package var collector: TrackFileCollector
  private let google = GoogleTimelineReader(TrackFileCollector())
  private var isGoogle = false

  package init(_ collector: TrackFileCollector) {
    self.collector = collector
    keys = ["features", "data"] + google.keys
  }

  package func takeDocument(_ document: JSONValue) {
    if let name = document["name"]?.string, !name.isEmpty { collector.name = name }
  }

  /// A feature, a bare geometry, or an OwnTracks message.
  package func takeElement(_ item: JSONValue, line: Int) {
    if let geometry = item["geometry"] {
      takeGeometry(geometry, properties: item["properties"] ?? .null, line: line)
    } else if item["coordinates"] != nil {
      takeGeometry(item, properties: item["properties"] ?? .null, line: line)
    } else if item["lat"] != nil || item["lon"] != nil {
      OwnTracksRecordingReader.take(item, received: nil, line: line, into: &collector)
    } else if GoogleTimelineReader.knows(item) {
      isGoogle = true
      google.take(item, line: line, into: &collector)
    }
  }

  private func takeGeometry(
    _ geometry: JSONValue, properties: JSONValue, line: Int?
  ) {
    let coordinates = geometry["coordinates"] ?? .null
    switch geometry["type"]?.string {
    case "Point": takePoint(coordinates, properties, line: line)
    case "LineString", "MultiPoint":
      takeName(properties)
      takeLine(coordinates, Series(properties, part: nil), line: line)
    case "MultiLineString":
      takeName(properties)
      for part in 0..<coordinates.count {
        takeLine(coordinates.element(part) ?? .null, Series(properties, part: part), line: line)
      }
    case "GeometryCollection":
      guard case .array(let parts)? = geometry["geometries"] else { return }
      for part in parts where part["type"]?.string != "GeometryCollection" {
        takeGeometry(part, properties: properties, line: line)
      }
    default: break  // Areas are zones, not tracks.
    }
  }

  private func takeName(_ properties: JSONValue) {
    if collector.name.isEmpty { collector.name = properties["name"]?.string ?? "" }
  }

  private func takePoint(_ position: JSONValue, _ properties: JSONValue, line: Int?) {
    func first(_ names: [String]) -> JSONValue? {
      for name in names { if let value = properties[name] { return value } }
      return nil
    }
    var found = TrackFilePoint()
    found.longitude = position.element(0)?.degrees ?? .missing
    found.latitude = position.element(1)?.degrees ?? .missing
    found.time = (first(Self.times) ?? position.element(3)).map { $0.time } ?? .missing
    if let receipt = first(["received_at", "receivedAt", "created_at", "isorcv"]),
      case .read(.time(let instant, _), _) = receipt.time
    {
      found.received = instant
    }
    found.accuracy = first(Self.accuracies)?.field ?? .missing
    found.speed = first(["speed"])?.field ?? properties["vel"]?.field.scaled(by: 1 / 3.6) ?? .missing
    found.course = first(["course", "bearing", "heading", "cog"])?.field ?? .missing
    found.altitude = (first(["altitude", "altitude_m", "alt"]) ?? position.element(2))?.field ?? .missing
    found.altitudeError =
      first(["vertical_accuracy", "altitude_accuracy", "vertical_accuracy_m", "vac", "vAcc"])?.field
      ?? .missing
    collector.add(found, device: first(["device_id", "device", "topic"])?.string ?? "", line: line)
  }

  private func takeLine(_ positions: JSONValue, _ series: Series, line: Int?) {
    guard series.times.count > 0 || positions.element(0)?.element(3) != nil else {
      collector.note(
        .error, .untimed, points: positions.count, line: line,
        "a line without times found, one time per position in \"coordTimes\" expected; it is left out")
      return
    }
    if series.times.count > 0, series.times.count != positions.count {
      // The times cannot be assigned to the positions.
      collector.sawTime = true
      collector.note(
        .error, .untimed, points: positions.count, line: line,
        "a line with \(positions.count) positions and \(series.times.count) times found, one time per position allowed; it is left out"
      )
      return
    }
    for i in 0..<positions.count {
      let position = positions.element(i) ?? .null
      var found = TrackFilePoint()
      found.longitude = position.element(0)?.degrees ?? .missing
      found.latitude = position.element(1)?.degrees ?? .missing
      found.time = (series.times.element(i) ?? position.element(3)).map { $0.time } ?? .missing
      found.accuracy = series.accuracies.element(i)?.field ?? .missing
      found.speed = series.speeds.element(i)?.field ?? .missing
      found.altitude = position.element(2)?.field ?? .missing
      collector.add(found, line: line)
    }
  }

  /// The values that belong to a line's positions.
  private struct Series {
    let times: JSONValue
    let accuracies: JSONValue
    let speeds: JSONValue

    /// - Parameter part: the index of one of several lines, whose values are arrays of arrays.
    init(_ properties: JSONValue, part: Int?) {
      func first(_ names: [String]) -> JSONValue {
        for holder in [properties["coordinateProperties"], properties] {
          for name in names {
            guard let values = holder?[name], values.count > 0 else { continue }
            guard let part else { return values }
            if let values = values.element(part) { return values }
          }
        }
        return .null
      }
      times = first(["coordTimes", "times", "timestamps", "time"])
      accuracies = first(["accuracies", "accuracy", "horizontal_accuracy", "hAcc"])
      speeds = first(["speeds", "speed"])
    }
  }

  private static let times = [
    "timestamp", "time", "tst", "measured_at", "recorded_at", "datetime", "date_time", "isotst",
    "timestampMs", "at",
  ]
  private static let accuracies = ["horizontal_accuracy", "accuracy", "accuracy_m", "acc", "hAcc"]
}
