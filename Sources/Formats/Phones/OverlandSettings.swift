import AlarmEngine
import Geometry

/// Settings that Overland takes from our reply; nil leaves a setting as it is.
///
/// Only values that the app knows are offered. `send_interval` off is left out: the phone would never ask
/// again.
public struct OverlandSettings: Hashable, Sendable {
  public enum SendInterval: String, CaseIterable, Sendable {
    case seconds1 = "1s"
    case seconds5 = "5s"
    case seconds10 = "10s"
    case seconds15 = "15s"
    case seconds30 = "30s"
    case minutes1 = "1m"
    case minutes2 = "2m"
    case minutes5 = "5m"
    case minutes10 = "10m"
    case minutes30 = "30m"
  }
  public enum TrackingMode: String, CaseIterable, Sendable { case off, standard, significant, both }
  public enum Accuracy: String, CaseIterable, Sendable {
    case navigation = "nav"
    case best
    case metres10 = "10m"
    case metres100 = "100m"
    case kilometre1 = "1km"
    case kilometres3 = "3km"
  }
  public enum ActivityType: String, CaseIterable, Sendable {
    case other, car, fitness
    case navigation = "nav"
    case air
  }
  public enum LoggingMode: String, CaseIterable, Sendable { case all, latest, owntracks }
  public enum ResumeFence: String, CaseIterable, Sendable {
    case off
    case metres100 = "100m"
    case metres200 = "200m"
    case metres500 = "500m"
    case kilometre1 = "1km"
    case kilometres2 = "2km"
  }
  public enum MinimumDistance: String, CaseIterable, Sendable {
    case off
    case metre1 = "1m"
    case metres10 = "10m"
    case metres50 = "50m"
    case metres100 = "100m"
    case metres500 = "500m"
  }
  public enum MinimumTime: String, CaseIterable, Sendable {
    case seconds1 = "1s"
    case seconds5 = "5s"
    case seconds10 = "10s"
    case seconds30 = "30s"
    case minutes1 = "1m"
    case minutes5 = "5m"
  }

  /// Tracking settings: `main` holds those outside trips, `trip` those during one.
  public struct Tracking: Hashable, Sendable {
    public var trackingMode: TrackingMode?
    public var visitTracking: Bool?
    public var desiredAccuracy: Accuracy?
    public var activityType: ActivityType?
    public var backgroundIndicator: Bool?
    public var pausesAutomatically: Bool?
    public var loggingMode: LoggingMode?
    public var resumeWithGeofence: ResumeFence?
    public var minimumDistance: MinimumDistance?
    public var minimumTime: MinimumTime?
    /// Only during a trip.
    public var preventScreenLock: Bool?
    public init() {}

    fileprivate func changes(since former: Self) -> Self {
      var changes = Self()
      changes.trackingMode = changed(trackingMode, former.trackingMode)
      changes.visitTracking = changed(visitTracking, former.visitTracking)
      changes.desiredAccuracy = changed(desiredAccuracy, former.desiredAccuracy)
      changes.activityType = changed(activityType, former.activityType)
      changes.backgroundIndicator = changed(backgroundIndicator, former.backgroundIndicator)
      changes.pausesAutomatically = changed(pausesAutomatically, former.pausesAutomatically)
      changes.loggingMode = changed(loggingMode, former.loggingMode)
      changes.resumeWithGeofence = changed(resumeWithGeofence, former.resumeWithGeofence)
      changes.minimumDistance = changed(minimumDistance, former.minimumDistance)
      changes.minimumTime = changed(minimumTime, former.minimumTime)
      changes.preventScreenLock = changed(preventScreenLock, former.preventScreenLock)
      return changes
    }

    fileprivate var json: JSONValue {
      var members: [(String, JSONValue)] = []
      func say(_ name: String, _ word: String?) {
        if let word { members.append((name, .string(word))) }
      }
      func say(_ name: String, _ flag: Bool?) {
        if let flag { members.append((name, .bool(flag))) }
      }
      say("tracking_mode", trackingMode?.rawValue)
      say("visit_tracking", visitTracking)
      say("desired_accuracy", desiredAccuracy?.rawValue)
      say("activity_type", activityType?.rawValue)
      say("background_indicator", backgroundIndicator)
      say("pause_automatically", pausesAutomatically)
      say("logging_mode", loggingMode?.rawValue)
      say("resume_with_geofence", resumeWithGeofence?.rawValue)
      say("min_distance", minimumDistance?.rawValue)
      say("min_time", minimumTime?.rawValue)
      say("prevent_screen_lock", preventScreenLock)
      return .object(members)
    }
  }

  public var sendInterval: SendInterval?
  /// `driving`, `walking` and the like.
  public var tripMode: String?
  public var main = Tracking()
  public var trip = Tracking()
  public init() {}

  public var isEmpty: Bool { self == Self() }

  /// Returns the settings that differ from `former`, the ones last sent to the phone; all of them if `former`
  /// is nil.
  public func changes(since former: Self?) -> Self {
    guard let former else { return self }
    var changes = Self()
    changes.sendInterval = changed(sendInterval, former.sendInterval)
    changes.tripMode = changed(tripMode, former.tripMode)
    changes.main = main.changes(since: former.main)
    changes.trip = trip.changes(since: former.trip)
    return changes
  }

  var json: JSONValue {
    var members: [(String, JSONValue)] = []
    if let sendInterval { members.append(("send_interval", .string(sendInterval.rawValue))) }
    if let tripMode { members.append(("trip_mode", .string(tripMode))) }
    if main != Tracking() { members.append(("main", main.json)) }
    if trip != Tracking() { members.append(("trip", trip.json)) }
    return .object(members)
  }
}

private func changed<Value: Equatable>(_ new: Value?, _ old: Value?) -> Value? { new == old ? nil : new }
