import AlarmEngine
import Geometry
import Store

/// One thing for the writer, and who waits for it.
struct IngestJob: Sendable {
  enum Work: Sendable {
    case report(DeviceReport)
    case answer(AlarmAnswer, AlarmRecord, until: Instant, by: String)
    /// Arms or disarms, as the device's record says.
    case arm(DeviceID, Bool, by: String)
    /// The device's record is different now: its owner, its settings, or it is gone.
    case refresh(DeviceID)
    /// Something may have fallen due, or its zones or settings are others now.
    case due(DeviceID, DueMark)
    /// A channel will not take an alarm of the device: perhaps the next step is to be told at once.
    case unreached(AlarmID, DeviceID)
    /// Somebody else wrote to the store: nothing in memory is to be relied upon.
    case dropEngines
    /// Only what is done before every job: whether the system's clock was set.
    case lookAtClock
  }

  let work: Work
  let finish: @Sendable (Result<IngestOutcome, any Error>) -> Void
  /// Zones that were made ready for it.
  var waitedFor: Set<ZoneSetNeed> = []

  /// How much of the queue it takes.
  var weight: Int {
    if case .report(let report) = work { return 1 + report.fixes.count }
    return 1
  }
}

/// What one request of a phone brought.
struct DeviceReport: Sendable {
  var device: DeviceID
  var fixes: [StoredFix]
  var rawBodies: [RawBody] = []
  /// What the phone told of itself, in any order.
  var told: [PhoneTold] = []
  /// Whether the phone was heard of: what cannot be read does not keep the alarm about its silence away.
  var isHeard = true
  /// It sent something encrypted that could not be read.
  var unread: DeviceStatus.Unread?
  /// Whether the reply wants to know how far the next zone is.
  var wantsDistance = false

  init(device: DeviceID, fixes: [StoredFix], isHeard: Bool = true) {
    self.device = device
    self.fixes = fixes
    self.isHeard = isHeard
  }
}

/// What stands in the store now, and what a reply is made of.
struct IngestOutcome: Sendable {
  /// After an answer: the alarm.
  var alarm: AlarmRecord?
  var device: Device?
  /// Of the device, in the order of their ids.
  var open: [AlarmRecord] = []
  /// Of the open alarms' positions, where it was stated.
  var accuracies: [AlarmID: Distance] = [:]
  var watched: WatchedZones?
  var position: Fix?
  var maximumSpeed = Settings.phone.maximumSpeed
  /// To the next line at which an alarm is due; nil where there is none or nobody asked.
  var nearest: Distance?
}
