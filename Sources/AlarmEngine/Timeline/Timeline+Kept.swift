extension Timeline {
  /// The fixes that are not forgotten and arrived after `instant`, in the order of their own time.
  public func fixes(receivedAfter instant: Instant) -> [Fix] {
    inputs.compactMap { input in
      guard case .fix(let fix) = input, instant < fix.receivedAt else { return nil }
      return fix
    }
  }

  /// The commands after `instant` that are not forgotten, without replacements of zones.
  public func commands(after instant: Instant) -> [(command: Command, at: Instant)] {
    inputs.compactMap { input in
      guard case .command(let command, let at) = input, instant < at else { return nil }
      if case .replaceZones = command { return nil }
      return (command, at)
    }
  }

  /// The zone of an alarm that is not over, or whose events are not forgotten; otherwise nil.
  public func zone(of alarm: AlarmID) -> ZoneID? {
    for (zone, state) in states {
      switch state {
      case .ringing(alarm, _), .asleep(alarm, _), .acknowledged(alarm): return zone
      default: continue
      }
    }
    for event in events {
      switch event.kind {
      case .alarm(let report), .repeat(let report), .cleared(let report, _):
        if report.alarm == alarm { return report.zone }
      default: continue
      }
    }
    return nil
  }
}
