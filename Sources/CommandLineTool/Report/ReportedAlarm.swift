import AlarmEngine
import CommandLineSupport

/// One alarm from its first ring to its end.
struct ReportedAlarm {
  let device: Int
  let event: Event
  let report: AlarmReport
  /// The number of rings after the first, and the time of the last.
  private(set) var repeats = 0
  private(set) var lastRing: Instant
  /// Nil if it was still ringing at the end of the track.
  private(set) var cleared: (time: Instant, why: Clearing)?

  /// All alarms of a replay, in the order of decision.
  static func all(in run: ReplayRun) -> [ReportedAlarm] {
    struct Key: Hashable {
      let device: Int
      let alarm: AlarmID
    }
    var alarms: [ReportedAlarm] = []
    var open: [Key: Int] = [:]
    for entry in run.entries {
      switch entry.event.kind {
      case .alarm(let report):
        open[Key(device: entry.device, alarm: report.alarm)] = alarms.count
        alarms.append(
          ReportedAlarm(device: entry.device, event: entry.event, report: report, lastRing: entry.event.time))
      case .repeat(let report):
        guard let index = open[Key(device: entry.device, alarm: report.alarm)] else { continue }
        alarms[index].repeats += 1
        alarms[index].lastRing = max(alarms[index].lastRing, entry.event.time)
      case .cleared(let report, let why):
        guard let index = open[Key(device: entry.device, alarm: report.alarm)] else { continue }
        alarms[index].cleared = (entry.event.time, why)
      case .missedSignal, .ignored, .notice, .proposal, .perhaps:
        continue
      }
    }
    return alarms
  }

  private init(device: Int, event: Event, report: AlarmReport, lastRing: Instant) {
    self.device = device
    self.event = event
    self.report = report
    self.lastRing = lastRing
  }
}
