import AlarmEngine
import Geometry
import Store

/// One piece of work for the writer, with the function to call when it is done.
package struct IngestJob: Sendable {
  package enum Work: Sendable {
    case report(DeviceReport)
    case answer(AlarmAnswer, AlarmRecord, until: Instant, by: String)
    /// Arms or disarms the device's engine, as the device's record says.
    case arm(DeviceID, Bool, by: String)
    /// The device's record has changed: its owner, its settings, or it was deleted.
    case refresh(DeviceID)
    /// Something may have fallen due, or the zones or settings have changed.
    case due(DeviceID, DueMark)
    /// A channel will not take an alarm of the device. The next escalation step may be due at once.
    case unreached(AlarmID, DeviceID)
    /// Another process has written to the store, so all engines in memory are dropped.
    case dropEngines
    /// Only checks whether the system's clock was set, as every job does first.
    case lookAtClock

    var device: DeviceID? {
      switch self {
      case .report(let report): report.device
      case .answer(_, let alarm, _, _): alarm.device
      case .arm(let device, _, _), .refresh(let device), .due(let device, _), .unreached(_, let device):
        device
      case .dropEngines, .lookAtClock: nil
      }
    }
  }

  let work: Work
  var device: DeviceID? { work.device }
  let finish: @Sendable (Result<IngestOutcome, any Error>) -> Void
  /// The zones for which the job has waited.
  var waitedFor: Set<ZoneSetNeed> = []

  /// The room that the job takes in the queue.
  var weight: Int {
    if case .report(let report) = work { return 1 + report.fixes.count }
    return 1
  }
}

/// The contents of one request of a phone.
package struct DeviceReport: Sendable {
  var device: DeviceID
  package var fixes: [StoredFix]
  package var rawBodies: [RawBody] = []
  /// The phone's reports about itself, in any order.
  package var told: [PhoneTold] = []
  /// True if the report counts as a sign of life. A report that cannot be read does not, so that the alarm
  /// about silence still comes.
  package var isHeard = true
  /// The reason why an encrypted message of the phone could not be read.
  package var unread: DeviceStatus.Unread?
  /// The reason why no position could be read from a report that should have held one.
  package var malformed: String?
  /// True if the reply needs the distance to the nearest zone.
  package var wantsDistance = false

  package init(device: DeviceID, fixes: [StoredFix], isHeard: Bool = true) {
    self.device = device
    self.fixes = fixes
    self.isHeard = isHeard
  }
}

/// The state in the store after a job, for the reply.
package struct IngestOutcome: Sendable {
  /// The alarm, after an answer to it.
  var alarm: AlarmRecord?
  var device: Device?
  /// The device's open alarms, ordered by id.
  package var open: [AlarmRecord] = []
  /// The accuracy of each open alarm's position, if it was stated.
  var accuracies: [AlarmID: Distance] = [:]
  var watched: WatchedZones?
  var position: Fix?
  var maximumSpeed = Settings.phone.maximumSpeed
  /// The distance to the nearest line at which an alarm rings; nil if there is none or it was not wanted.
  var nearest: Distance?
}
