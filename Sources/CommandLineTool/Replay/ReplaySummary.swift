import AlarmEngine
import CommandLineSupport
import Geometry

/// The summary of a replay: fixes, ignored fixes by reason, alarms, and the nearest approach to each silent
/// zone.
struct ReplaySummary {
  struct Silent {
    let zone: Zone
    /// The nearest approach among all devices; nil without a fix.
    let nearest: NearestApproach?
  }

  let fixes: Int
  let devices: Int
  let zones: Int
  /// Counts by reason, most frequent first; equal counts in the order of the reasons.
  let ignored: [(reason: UnusedFix.Reason, count: Int)]
  let alarms: Int
  let repeats: Int
  let missedSignals: Int
  /// Zones that never rang, nearest first.
  let silent: [Silent]
  let ringing: Set<ZoneID>

  /// - Throws: `CancellationError` after Control-C.
  init(_ run: ReplayRun, tracks: [MeasuredTrack]) throws {
    fixes = run.devices.map(\.fixes.count).reduce(0, +)
    devices = run.devices.count
    zones = run.zones.count
    var alarms = 0
    var repeats = 0
    var missed = 0
    var ringing: Set<ZoneID> = []
    for entry in run.entries {
      switch entry.event.kind {
      case .alarm(let report):
        alarms += 1
        ringing.insert(report.zone)
      case .repeat: repeats += 1
      case .missedSignal: missed += 1
      case .ignored, .cleared, .notice, .proposal, .perhaps: break
      }
    }
    ignored = UnusedFix.counts(in: run)
    self.alarms = alarms
    self.repeats = repeats
    self.missedSignals = missed
    self.ringing = ringing
    silent = try run.zones.filter { !ringing.contains($0.zone.id) }
      .map { placed in
        try Interruption.check()
        let nearest = tracks.compactMap { $0.nearestApproach(to: placed) }.min { $0.distance < $1.distance }
        return Silent(zone: placed.zone, nearest: nearest)
      }
      .sorted { a, b in
        (a.nearest?.distance.metres ?? .infinity, a.zone.name, a.zone.id)
          < (b.nearest?.distance.metres ?? .infinity, b.zone.name, b.zone.id)
      }
  }

  /// The most silent zones that are listed; further ones are only counted.
  static let silentShown = 20

  var lines: [String] {
    var lines = [
      "\(counted(fixes, "fix", "fixes"))\(devices > 1 ? " of \(devices) devices" : "") through "
        + "\(counted(zones, "zone", "zones")): \(counted(alarms, "alarm", "alarms")), "
        + "\(counted(repeats, "repeat", "repeats"))"
        + (missedSignals > 0 ? ", \(counted(missedSignals, "loss of signal", "losses of signal"))" : "")
    ]
    if repeats > 0 {
      let hours = Int(Settings().repeatHorizon.seconds / 3600)
      lines.append("an unanswered alarm repeats for at most \(counted(hours, "hour", "hours"))")
    }
    lines += UnusedFix.lines(for: ignored)
    guard !silent.isEmpty else { return lines }
    lines.append("")
    lines.append("Silent zones and their nearest fix:")
    var table = TextTable()
    for one in silent.prefix(Self.silentShown) {
      table.add(["  \(displayName(one.zone.name))", Self.why(one)])
    }
    lines += table.lines
    if silent.count > Self.silentShown {
      lines.append("  and \(silent.count - Self.silentShown) more, all farther away")
    }
    return lines
  }

  /// The reason why a zone did not ring, judged by its distance.
  static func why(_ silent: Silent) -> String {
    guard let nearest = silent.nearest else { return "no fix" }
    var text = "\(distanceWords(nearest.distance)) at \(timeWords(nearest.at))"
    if silent.zone.alertDistance > .zero {
      text += ", alert distance \(lengthWords(silent.zone.alertDistance))"
    }
    if !silent.zone.active { text += ", switched off" }
    return text
  }
}
