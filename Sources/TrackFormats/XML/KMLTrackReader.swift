import AlarmEngine
import ZoneFormats

/// Reads KML tracks: `gx:Track` and `gx:MultiTrack` (`Track`, `MultiTrack` in KML 2.3), times and places
/// paired in order.
///
/// Heights follow the places; they are over the sea if `altitudeMode` is `absolute`. Relative to the ground
/// (`clampToGround`, the default, or `relativeToGround`), no height is known without the terrain. Accuracy,
/// the height's error (`vertical_accuracy`), speed and course come from `gx:SimpleArrayData` of those names.
/// In a file without any track, each placemark with a `TimeStamp` and a `Point` is a fix, and each with a
/// `TimeSpan` and a `Point`, as in Google's days, is two: at the beginning and the end of the stay. Line
/// strings have no times: each gives an issue.
/// Source: OGC 12-007r2, KML 2.3, 9.17.
package final class KMLTrackReader: TrackXMLReader, KMLDocumentReader {
  package let expected = "<gx:Track> with as many <when> as <gx:coord>"

  package let rootNames = ["kml"]
  package var collector: TrackFileCollector
  package var links = KMLLinks()
  /// Timed points, used when no track is found.
  private var placemarks: [(point: TrackFilePoint, line: Int)] = []
  private var sawTrack = false

  private struct Track {
    let line: Int
    var times: [TrackFilePoint.Time] = []
    var places: [(latitude: NumberField, longitude: NumberField, height: NumberField, line: Int)] = []
    var isAbsolute = false
    var arrays: [String: [NumberField]] = [:]
    /// True if times and places can no longer be paired.
    var isBroken = false
  }
  private var track: Track?
  private var array: String?
  private var placemark: (point: TrackFilePoint, line: Int)?
  /// The placemark's `TimeSpan`.
  private var span: (begin: TrackFilePoint.Time, end: TrackFilePoint.Time) = (.missing, .missing)
  private var isInSpan = false
  private var isInPoint = false
  /// The placemark's name, and whether it has a track.
  private var title = ""
  private var isTrackHolder = false
  private var isAbsolute = false
  private var height = NumberField.missing

  package init(_ collector: TrackFileCollector) { self.collector = collector }

  package func finish() {
    noteLinks()
    finishDocuments()
  }

  /// Ends the last document of an archive, whose links were followed.
  package func finishDocuments() {
    endTrack()
    if !sawTrack { for (point, line) in placemarks { collector.add(point, line: line) } }
    placemarks = []
  }

  package func begin(document: String) {
    endTrack()
    (placemark, array, isInPoint) = (nil, nil, false)
    collector.document = document
  }

  package func start(_ name: String, _ attributes: [String: String], line: Int) -> Bool {
    if links.start(name) { return true }
    switch name {
    case "Track":
      endTrack()  // Where its end tag is missing.
      track = Track(line: line)
      isTrackHolder = true
      return false
    case "Placemark":
      placemark = (TrackFilePoint(), line)
      (isAbsolute, height) = (false, .missing)
      (title, isTrackHolder) = ("", false)
      (span, isInSpan) = ((.missing, .missing), false)
      return false
    case "name": return placemark != nil && track == nil
    case "TimeSpan":
      isInSpan = placemark != nil
      return false
    case "begin", "end": return isInSpan
    case "altitudeMode": return track != nil || isInPoint
    case "Point":
      isInPoint = true
      return false
    case "LineString":
      collector.note(
        .error, .untimed, line: line,
        "a line without times found, <gx:Track> expected; it is left out")
      return false
    case "SimpleArrayData":
      array = attributes["name"]?.lowercased()
      return false
    case "when", "coord": return track != nil || name == "when"
    case "value": return track != nil && array.map { Self.arrays.contains($0) } == true
    case "coordinates": return isInPoint
    default: return false
    }
  }

  package func end(_ name: String, text: String, line: Int) {
    links.end(name, text: text, line: line)
    switch name {
    case "Track": endTrack()
    case "Placemark":
      if isTrackHolder, collector.name.isEmpty { collector.name = title }
      if isAbsolute {
        placemark?.point.altitude = height
        placemark?.point.altitudeReference = .seaLevel
      }
      if let placemark, placemark.point.time != .missing, placemark.point.latitude != .missing {
        placemarks.append(placemark)
      } else if var placemark, placemark.point.latitude != .missing {
        for time in [span.begin, span.end] where time != .missing {
          placemark.point.time = time
          placemarks.append(placemark)
        }
      }
      placemark = nil
    case "name" where placemark != nil && track == nil && title.isEmpty: title = text.trimmed
    case "TimeSpan": isInSpan = false
    case "begin" where isInSpan: span.begin = .read(text)
    case "end" where isInSpan: span.end = .read(text)
    case "Point": isInPoint = false
    case "SimpleArrayData": array = nil
    case "altitudeMode":
      let mode = text.trimmed
      if track != nil { track?.isAbsolute = mode == "absolute" } else { isAbsolute = mode == "absolute" }
    case "when" where track != nil: track?.times.append(.read(text))
    case "when": placemark?.point.time = .read(text)
    case "coord":
      let place = Self.place(text, text.split(whereSeparator: { $0.isWhitespace }))
      track?.places.append((place.latitude, place.longitude, place.height, line))
    case "value":
      if let array, Self.arrays.contains(array) {
        track?.arrays[array, default: []].append(NumberField(text))
      }
    case "coordinates" where isInPoint:
      let place = Self.place(text, text.split(separator: ",", omittingEmptySubsequences: false))
      placemark?.point.longitude = place.longitude
      placemark?.point.latitude = place.latitude
      height = place.height
    default: break
    }
  }

  package func lostTag() {
    track?.isBroken = true
    placemark = nil
  }

  private func endTrack() {
    guard let track else { return }
    self.track = nil
    sawTrack = true
    guard !track.isBroken else {
      collector.note(
        .error, line: track.line,
        "a track with a broken tag found, times and places cannot be paired; it is left out")
      return
    }
    if track.times.count != track.places.count {
      collector.note(
        .error, line: track.line,
        "a track with \(track.times.count) times and \(track.places.count) places found; the surplus is left out"
      )
    }
    func value(_ names: [String], _ i: Int) -> NumberField {
      for name in names { if let values = track.arrays[name], i < values.count { return values[i] } }
      return .missing
    }
    for (i, (time, place)) in zip(track.times, track.places).enumerated() {
      var found = TrackFilePoint()
      found.time = time
      found.latitude = place.latitude
      found.longitude = place.longitude
      found.accuracy = value(Self.accuracies, i)
      if track.isAbsolute { (found.altitude, found.altitudeReference) = (place.height, .seaLevel) }
      found.altitudeError = value(Self.heightErrors, i)
      found.speed = value(["speed"], i)
      found.course = value(Self.courses, i)
      collector.add(found, line: place.line)
    }
  }

  /// Reads longitude, latitude and an optional height; more parts are another form, which is refused.
  private static func place(_ text: String, _ parts: [Substring])
    -> (latitude: NumberField, longitude: NumberField, height: NumberField)
  {
    guard parts.count <= 3 else { return (.words(NumberField.excerpt(text)), .missing, .missing) }
    let numbers = parts.map { String($0) }
    return (
      .degrees(numbers.dropFirst().first), .degrees(numbers.first), NumberField(numbers.dropFirst(2).first)
    )
  }

  private static let accuracies = ["accuracy", "horizontal_accuracy", "hacc"]
  private static let courses = ["bearing", "course", "heading"]
  private static let heightErrors = ["vertical_accuracy", "vacc"]
  private static let arrays = Set(accuracies + heightErrors + courses + ["speed"])
}
