import AlarmEngine

/// GeoJSON with times, and its relatives.
///
/// - `LineString`, `MultiLineString`, `MultiPoint` with one time per position in `properties`: `coordTimes`, `times`,
///   `coordinateProperties.times` (as togeojson writes them), or as a fourth number of each position.
/// - `Point` features with a time in `properties` (`timestamp`, `time`, `tst`, ...) and, where stated, accuracy in metres,
///   speed in m/s, course and device id: Overland (also its `{"locations": [...]}`), OwnTracks exports.
/// - OwnTracks `location` messages in an array, alone, or under `data`.
///
/// The whole file is in memory while it is read.
struct GeoJSONTrackReader {
  static let expected = "a LineString with one time per position, or Points with a time"

  private var collector = TrackFileCollector()

  static func read(_ input: TrackFileInput) throws -> TrackFile {
    var encoding = TextEncoding()
    let bytes = encoding.decode(try input.rest(), isLast: true)
    let root: GeoJSONTrackValue
    do throws(GeoJSONTrackValue.Failure) { root = try GeoJSONTrackValue.parse(bytes[...]) } catch {
      throw ReadError(
        "\(input.name.isEmpty ? "the file" : input.name) is not JSON (line \(error.line)): \(error.message)")
    }
    var reader = Self()
    reader.take(root)
    return try reader.collector.finish(name: input.name, expected: expected)
  }

  private mutating func take(_ value: GeoJSONTrackValue) {
    if case .array(let values) = value {
      for value in values { takeItem(value) }
    } else if let items = value["features"] ?? value["locations"] ?? value["data"],
      case .array(let values) = items
    {
      for value in values { takeItem(value) }
    } else {
      takeItem(value)
    }
  }

  /// A feature, a bare geometry, or an OwnTracks message.
  private mutating func takeItem(_ item: GeoJSONTrackValue) {
    if let geometry = item["geometry"] {
      takeGeometry(geometry, properties: item["properties"] ?? .null, line: item.line)
    } else if item["coordinates"] != nil {
      takeGeometry(item, properties: item["properties"] ?? .null, line: item.line)
    } else if item["lat"] != nil || item["lon"] != nil {
      OwnTracksRecordingReader.take(item, received: nil, line: item.line, into: &collector)
    }
  }

  private mutating func takeGeometry(
    _ geometry: GeoJSONTrackValue, properties: GeoJSONTrackValue, line: Int?
  ) {
    let coordinates = geometry["coordinates"] ?? .null
    switch geometry["type"]?.string {
    case "Point": takePoint(coordinates, properties, line: line)
    case "LineString", "MultiPoint":
      takeLine(coordinates, Series(properties, part: nil), line: line)
    case "MultiLineString":
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

  private mutating func takePoint(_ position: GeoJSONTrackValue, _ properties: GeoJSONTrackValue, line: Int?)
  {
    func first(_ names: [String]) -> GeoJSONTrackValue? {
      for name in names { if let value = properties[name] { return value } }
      return nil
    }
    var found = TrackFilePoint()
    found.longitude = position.element(0)?.field ?? .missing
    found.latitude = position.element(1)?.field ?? .missing
    found.time = (first(Self.times) ?? position.element(3)).map(Self.time) ?? .missing
    if let receipt = first(["received_at", "receivedAt", "created_at", "isorcv"]),
      case .read(.time(let instant, _), _) = Self.time(receipt)
    {
      found.received = instant
    }
    found.accuracy = first(Self.accuracies)?.field ?? .missing
    found.speed = first(["speed"])?.field ?? properties["vel"]?.field.scaled(by: 1 / 3.6) ?? .missing
    found.course = first(["course", "bearing", "heading", "cog"])?.field ?? .missing
    collector.add(found, device: first(["device_id", "device", "topic"])?.string ?? "", line: line)
  }

  private mutating func takeLine(_ positions: GeoJSONTrackValue, _ series: Series, line: Int?) {
    guard series.times.count > 0 || positions.element(0)?.element(3) != nil else {
      collector.note(
        .error, line: line,
        "a line without times found, one time per position in \"coordTimes\" expected; it is left out")
      return
    }
    for i in 0..<positions.count {
      let position = positions.element(i) ?? .null
      var found = TrackFilePoint()
      found.longitude = position.element(0)?.field ?? .missing
      found.latitude = position.element(1)?.field ?? .missing
      found.time = (series.times.element(i) ?? position.element(3)).map(Self.time) ?? .missing
      found.accuracy = series.accuracies.element(i)?.field ?? .missing
      found.speed = series.speeds.element(i)?.field ?? .missing
      collector.add(found, line: line)
    }
  }

  /// The values beside a line's positions.
  private struct Series {
    let times: GeoJSONTrackValue
    let accuracies: GeoJSONTrackValue
    let speeds: GeoJSONTrackValue

    /// - Parameter part: which line of several; their values stand in arrays of arrays.
    init(_ properties: GeoJSONTrackValue, part: Int?) {
      func first(_ names: [String]) -> GeoJSONTrackValue {
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

  static func time(_ value: GeoJSONTrackValue) -> TrackFilePoint.Time {
    switch value {
    case .null: .missing
    case .number(let number): .read(String(number))
    case .string(let text): .read(text)
    case .bool(let value): .words(String(value))
    case .numbers, .array: .words("[...]")
    case .object: .words("{...}")
    }
  }

  private static let times = [
    "timestamp", "time", "tst", "measured_at", "recorded_at", "datetime", "date_time", "isotst",
    "timestampMs", "at",
  ]
  private static let accuracies = ["horizontal_accuracy", "accuracy", "accuracy_m", "acc", "hAcc"]
}
