import AlarmEngine
import Foundation
import Geometry

/// One item of the reply to an OwnTracks post.
public enum OwnTracksItem: Hashable, Sendable {
  /// A friend's name, and a picture (PNG).
  case card(trackerID: String, name: String, face: [UInt8]? = nil)
  /// A friend's position.
  case location(trackerID: String, Fix)
  /// Raises a notification on the phone: "AN enters Cliff edge". Anything but entering is shown as leaving.
  ///
  /// The same `trackerID` and second replace an earlier notification on iOS: give `at` as the alarm's true time.
  case transition(
    trackerID: String, isEntering: Bool, zone: String, at: Instant, zoneMadeAt: Instant, Fix)
  case command(OwnTracksCommand)

  /// Encodes items as the body of a reply: an array, empty if there are none.
  public static func encode(_ items: [Self]) -> [UInt8] {
    JSONValue.array(items.map(\.json)).bytes
  }

  /// The item as a message of its own, for MQTT.
  package var message: [UInt8] { json.bytes }

  /// Encodes the reply to a device that has a key: its whole body must be encrypted.
  /// - Parameter box: nonce and box of `encode(items)`.
  public static func encode(sealed box: [UInt8]) -> [UInt8] {
    Array(
      JSONValue.object([
        ("_type", .string("encrypted")), ("data", .string(Data(box).base64EncodedString())),
      ]).text.utf8)
  }

  var json: JSONValue {
    switch self {
    case .card(let trackerID, let name, let face):
      var members: [(String, JSONValue)] = [
        ("_type", .string("card")), ("tid", .string(trackerID)), ("name", .string(name)),
      ]
      if let face { members.append(("face", .string(Data(face).base64EncodedString()))) }
      return .object(members)
    case .location(let trackerID, let fix):
      return .object(
        [("_type", .string("location")), ("tid", .string(trackerID))] + Self.place(fix)
          + [("tst", .seconds(fix.measuredAt))])
    case .transition(let trackerID, let isEntering, let zone, let at, let zoneMadeAt, let fix):
      return .object(
        [
          ("_type", .string("transition")), ("event", .string(isEntering ? "enter" : "leave")),
          ("desc", .string(zone)), ("tid", .string(trackerID)), ("tst", .seconds(at)),
          ("wtst", .seconds(zoneMadeAt)),
        ] + Self.place(fix) + [("t", .string("c"))])
    case .command(let command):
      return .object([("_type", .string("cmd")), ("action", .string(command.action))] + command.details)
    }
  }

  /// Android reads `acc` as a whole number and ignores the whole body where it is none.
  private static func place(_ fix: Fix) -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = []
    if let stated = fix.accuracy.stated { members.append(("acc", .wholeUp(stated.metres))) }
    return members + [
      ("lat", .number(fix.position.latitude.degrees)), ("lon", .number(fix.position.longitude.degrees)),
    ]
  }
}

/// A remote command for OwnTracks.
public enum OwnTracksCommand: Hashable, Sendable {
  case reportLocation
  case status
  /// Report all waypoints. Only waypoints in the phone's report may be deleted.
  case waypoints
  case dump
  case reportSteps(from: Instant, to: Instant)
  case setWaypoints(OwnTracksFences)
  /// Remove all waypoints, also those that the person made.
  case clearWaypoints
  case setConfiguration(OwnTracksConfiguration)

  /// True if the app of that platform knows the command. The person must allow more than `cmd`: on iOS
  /// `allowRemoteLocation` for `reportLocation`, `remoteConfiguration` for the last three; on Android
  /// `remoteConfiguration` for `setConfiguration`.
  public func isKnown(to platform: OwnTracksPlatform) -> Bool {
    switch self {
    case .dump, .reportSteps: platform != .android
    case .reportLocation, .status, .waypoints, .setWaypoints, .clearWaypoints, .setConfiguration: true
    }
  }

  var action: String {
    switch self {
    case .reportLocation: "reportLocation"
    case .status: "status"
    case .waypoints: "waypoints"
    case .dump: "dump"
    case .reportSteps: "reportSteps"
    case .setWaypoints: "setWaypoints"
    case .clearWaypoints: "clearWaypoints"
    case .setConfiguration: "setConfiguration"
    }
  }

  fileprivate var details: [(String, JSONValue)] {
    switch self {
    case .reportLocation, .status, .waypoints, .dump, .clearWaypoints: []
    case .reportSteps(let from, let to): [("from", .seconds(from)), ("to", .seconds(to))]
    case .setWaypoints(let fences): [("waypoints", fences.json)]
    case .setConfiguration(let configuration): [("configuration", configuration.json)]
    }
  }
}

/// The OwnTracks app that sends a request.
public enum OwnTracksPlatform: Hashable, Sendable {
  case ios, android, unknown

  /// Android says `Owntracks-Android/<flavour>/<code>`; iOS names its own networking library.
  public init(userAgent: String?) {
    let words = (userAgent ?? "").lowercased()
    self =
      words.contains("owntracks-android")
      ? .android : words.contains("cfnetwork") || words.contains("darwin") ? .ios : .unknown
  }
}

extension JSONValue {
  /// Whole seconds since 1970, rounded down.
  static func seconds(_ instant: Instant) -> Self {
    .integer(Int64(TimestampCalendar.floorDivide(Int(instant.millisecondsSince1970), by: 1000)))
  }
  /// Rounds up to a whole number, clamped to 0 to 2,000,000,000 so that 32 bits hold it.
  static func wholeUp(_ value: Double) -> Self {
    .integer(Int64(min(max(value.rounded(.up), 0), 2_000_000_000)))
  }
}
