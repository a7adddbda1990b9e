import AlarmEngine
import ZoneFormats

/// Google's timeline, in any of its five forms.
///
/// - The phone's export on Android: an object with `semanticSegments` (visits, activities, paths) and `rawSignals`
///   (single positions of the last weeks). A place is `"48.1°, 11.5°"` or `"geo:48.1,11.5"`.
/// - The phone's export on iOS: a list of such segments; the times in a path are minutes after the segment's start.
/// - Takeout's Semantic Location History: an object with `timelineObjects` (`placeVisit`, `activitySegment`); their waypoints
///   have no times and are passed over, the points of a `simplifiedRawPath` have.
/// - Takeout's `Timeline Edits.json`: an object with `timelineEdits`, whose raw signals have positions.
/// - Takeout's former `Records.json`: an object with `locations`, degrees in ten-millionths, `timestamp` or `timestampMs`.
///
/// A visit gives two positions, at its start and its end, in the place that Google considers most likely. A
/// part of a larger visit (`hierarchyLevel` above 0) is skipped, since it would be at a second place at the
/// same time. An activity gives its start and its end. Accuracies are in metres, speeds in m/s. Wi-Fi scans,
/// activity guesses, notes and Google's data on frequent places are skipped. One element at a time is in
/// memory.
package final class GoogleTimelineReader: TrackJSONReader {
  package let expected = "visits, activities, paths or positions of Google's timeline"
  package let elementName = "an element"
  package let keys = [
    "semanticSegments", "rawSignals", "locations", "timelineObjects", "timelineEdits",
  ]
  package var collector: TrackFileCollector
  private var saidWaypoints = false

  package init(_ collector: TrackFileCollector) { self.collector = collector }

  /// Members that begin or occur in a segment of a list.
  private static let segmentMembers = ["visit", "activity", "timelinePath", "timelineMemory"]
  private static let objectMembers = [
    "semanticSegments", "rawSignals", "latitudeE7", "timelineObjects", "timelineEdits",
  ]

  /// True if the beginning of a JSON text is that of one of the forms.
  package static func begins(_ text: ArraySlice<UInt8>) -> Bool {
    func names(_ member: String) -> Bool {
      let mark = [UInt8(ascii: "\"")] + Array(member.utf8) + [UInt8(ascii: "\"")]
      return text.indices.contains { text[$0] == mark[0] && text[$0...].starts(with: mark) }
    }
    if text.first == UInt8(ascii: "[") { return names("startTime") && segmentMembers.contains { names($0) } }
    return objectMembers.contains { names($0) }
  }

  /// True if an element is one of Google's, in a file whose beginning does not show it.
  static func knows(_ element: JSONValue) -> Bool {
    guard let members = element.members else { return false }
    return members.contains { ownMembers.contains($0.0) }
      || element["startTime"] != nil && (element["visit"] != nil || element["activity"]?.isObject == true)
      || element["activity"]?.list != nil && element["timestamp"] ?? element["timestampMs"] != nil
  }

  private static let ownMembers: Set<String> = [
    "latitudeE7", "longitudeE7", "timelinePath", "timelineMemory", "placeVisit", "activitySegment",
    "rawSignal",
    "placeAggregates", "wifiScan", "activityRecord",
  ]

  /// Reads one element of a file for another reader.
  func take(_ element: JSONValue, line: Int, into others: inout TrackFileCollector) {
    swap(&collector, &others)
    takeElement(element, line: line)
    swap(&collector, &others)
  }

  package func takeElement(_ element: JSONValue, line: Int) {
    if let position = element["position"] ?? element["rawSignal"]?["signal"]?["position"] {
      takeSignal(position, line: line)
    } else if let visit = element["placeVisit"] {
      takePlaceVisit(visit, line: line)
    } else if let segment = element["activitySegment"] {
      takeSegment(segment, line: line)
    } else if let visit = element["visit"] {
      takeVisit(visit, of: element, line: line)
    } else if let activity = element["activity"], activity.isObject {
      add(activity["start"], element["startTime"], line: line)
      add(activity["end"], element["endTime"], line: line)
    } else if let path = element["timelinePath"]?.list {
      for point in path { takePathPoint(point, of: element, line: line) }
    } else if element["latitudeE7"] != nil || element["longitudeE7"] != nil {
      takeRecord(element, line: line)
    }
  }

  private func takeVisit(_ visit: JSONValue, of segment: JSONValue, line: Int) {
    if let level = visit["hierarchyLevel"]?.field.number, level > 0 { return }
    guard let place = visit["topCandidate"]?["placeLocation"] else { return }
    add(place, segment["startTime"], line: line)
    add(place, segment["endTime"], line: line)
  }

  private func takePathPoint(_ point: JSONValue, of segment: JSONValue, line: Int) {
    guard let minutes = point["durationMinutesOffsetFromStartTime"] else {
      return add(point["point"], point["time"], line: line)
    }
    var found = TrackFilePoint()
    (found.latitude, found.longitude) = Self.place(point["point"])
    found.time = Self.time(segment["startTime"] ?? .null, plus: minutes)
    collector.add(found, line: line)
  }

  private func takeSignal(_ position: JSONValue, line: Int) {
    var found = TrackFilePoint()
    if let point = position["point"], point["latE7"] ?? point["latitudeE7"] != nil {
      (found.latitude, found.longitude) = Self.numbers(point)
    } else {
      (found.latitude, found.longitude) = Self.place(position["LatLng"] ?? position["latLng"])
    }
    found.time = Self.timestamp(position["timestamp"], position["timestampMs"])
    found.accuracy =
      position["accuracyMm"].map { $0.field.scaled(by: 0.001) } ?? (position["accuracyMeters"] ?? .null).field
    found.speed = (position["speedMetersPerSecond"] ?? .null).field
    found.altitude = (position["altitudeMeters"] ?? .null).field
    collector.add(found, line: line)
  }

  private func takePlaceVisit(_ visit: JSONValue, line: Int) {
    var place = visit["location"] ?? .null
    if place["latitudeE7"] == nil, visit["centerLatE7"] != nil {
      place = .object([
        ("latitudeE7", visit["centerLatE7"] ?? .null), ("longitudeE7", visit["centerLngE7"] ?? .null),
      ])
    }
    // Skips visits without a known place.
    guard place["latitudeE7"] ?? place["longitudeE7"] != nil else { return }
    let duration = visit["duration"]
    add(
      numbers: place, Self.timestamp(duration?["startTimestamp"], duration?["startTimestampMs"]), line: line)
    takeRawPath(visit["simplifiedRawPath"], line: line)
    add(numbers: place, Self.timestamp(duration?["endTimestamp"], duration?["endTimestampMs"]), line: line)
  }

  private func takeSegment(_ segment: JSONValue, line: Int) {
    let duration = segment["duration"]
    if let start = segment["startLocation"], start["latitudeE7"] ?? start["longitudeE7"] != nil {
      add(
        numbers: start, Self.timestamp(duration?["startTimestamp"], duration?["startTimestampMs"]), line: line
      )
    }
    takeRawPath(segment["simplifiedRawPath"], line: line)
    if (segment["waypointPath"]?["waypoints"]?.count ?? 0) > 0, !saidWaypoints {
      saidWaypoints = true
      collector.note(.warning, line: line, "waypoints without times found; they are passed over")
    }
    if let end = segment["endLocation"], end["latitudeE7"] ?? end["longitudeE7"] != nil {
      add(numbers: end, Self.timestamp(duration?["endTimestamp"], duration?["endTimestampMs"]), line: line)
    }
  }

  private func takeRawPath(_ path: JSONValue?, line: Int) {
    for point in path?["points"]?.list ?? [] {
      add(
        numbers: point, Self.timestamp(point["timestamp"], point["timestampMs"]),
        accuracy: (point["accuracyMeters"] ?? .null).field, line: line)
    }
  }

  private func add(
    numbers place: JSONValue, _ time: TrackFilePoint.Time, accuracy: NumberField = .missing, line: Int
  ) {
    var found = TrackFilePoint()
    (found.latitude, found.longitude) = Self.numbers(place)
    found.time = time
    found.accuracy = accuracy
    collector.add(found, line: line)
  }

  private static func numbers(_ place: JSONValue) -> (latitude: NumberField, longitude: NumberField) {
    (
      degrees(place["latitudeE7"] ?? place["latE7"], largest: 90),
      degrees(place["longitudeE7"] ?? place["lngE7"], largest: 180)
    )
  }

  private static func timestamp(_ time: JSONValue?, _ milliseconds: JSONValue?) -> TrackFilePoint.Time {
    (time ?? milliseconds ?? .null).time
  }

  private func takeRecord(_ record: JSONValue, line: Int) {
    var found = TrackFilePoint()
    found.latitude = Self.degrees(record["latitudeE7"], largest: 90)
    found.longitude = Self.degrees(record["longitudeE7"], largest: 180)
    found.time = (record["timestamp"] ?? record["timestampMs"] ?? .null).time
    found.accuracy = (record["accuracy"] ?? .null).field
    found.speed = (record["velocity"] ?? .null).field
    found.course = (record["heading"] ?? .null).field
    found.altitude = (record["altitude"] ?? .null).field
    found.altitudeError = (record["verticalAccuracy"] ?? .null).field
    collector.add(found, line: line)
  }

  private func add(_ place: JSONValue?, _ time: JSONValue?, line: Int) {
    var found = TrackFilePoint()
    (found.latitude, found.longitude) = Self.place(place)
    found.time = (time ?? .null).time
    collector.add(found, line: line)
  }

  /// Converts ten-millionths of degrees. Some files hold negative values as unsigned ones, 2³² more.
  private static func degrees(_ value: JSONValue?, largest: Double) -> NumberField {
    guard case .number(let number)? = value?.field else { return value?.field ?? .missing }
    let signed = number > largest * 1e7 ? number - 4_294_967_296 : number
    return .number((abs(signed) <= largest * 1e7 ? signed : number) / 1e7)
  }

  /// Reads `"48.1°, 11.5°"`, `"geo:48.1,11.5"`, or an object with one of them as `latLng`.
  private static func place(_ value: JSONValue?) -> (latitude: NumberField, longitude: NumberField) {
    guard let value else { return (.missing, .missing) }
    guard let text = (value["latLng"] ?? value["LatLng"] ?? value).string else {
      return value.isObject ? (.missing, .missing) : (value.field, .missing)
    }
    let bare = text.hasPrefix("geo:") ? text.dropFirst(4).prefix { $0 != ";" } : text[...]
    let parts = bare.filter { $0 != "°" }.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return (.words(NumberField.excerpt(text)), .missing) }
    return (.degrees(String(parts[0])), .degrees(String(parts[1])))
  }

  private static func time(_ start: JSONValue, plus minutes: JSONValue) -> TrackFilePoint.Time {
    guard case .read(.time(let instant, let zone), let words) = start.time else { return start.time }
    guard case .number(let count) = minutes.field, abs(count) < 1e9 else {
      return .words(minutes.string ?? minutes.text)
    }
    let reading = Timestamp.instant(
      milliseconds: Double(instant.millisecondsSince1970) + (count * 60_000).rounded())
    guard case .time(let moved, _) = reading else { return .read(reading, as: words) }
    return .read(.time(moved, zone: zone), as: words)
  }
}
