import Geometry

/// Something told to the engine, with its own time.
public enum Input: Hashable, Sendable {
  case fix(Fix)
  case command(Command, at: Instant)

  public var time: Instant {
    switch self {
    case .fix(let fix): fix.measuredAt
    case .command(_, let at): at
    }
  }
}

/// What people, and programs for them, do to a device's alarms.
public enum Command: Hashable, Sendable {
  case activate
  case deactivate
  /// Notification gone, repeats go on.
  case close(AlarmID)
  /// Quiet for the zone's sleep time, then the next triggering fix rings anew.
  case sleep(AlarmID)
  /// Quiet until then, and no less than the zone's sleep time.
  case sleepUntil(AlarmID, Instant)
  /// Quiet until the zone is left.
  case acknowledgeInside(AlarmID)
  /// Quiet until `until`, the next midnight by the device's calendar, which the edge knows.
  case acknowledgeForToday(AlarmID, until: Instant)
  /// All zones of the device from now on; zones not among them are gone. One set serves many devices.
  case replaceZones(WatchedZones)
}

extension Input {
  /// The order in which inputs are folded: by time, fixes before commands (an answer to an alarm comes after the fix
  /// that rang it), then by content, so that equal times never depend on arrival. Commands of one kind at one instant keep their order of arrival.
  func precedes(_ other: Input) -> Bool {
    if time != other.time { return time < other.time }
    switch (self, other) {
    case (.command(let a, _), .command(let b, _)): return a.rank < b.rank
    case (.command, .fix): return false
    case (.fix, .command): return true
    case (.fix(let a), .fix(let b)): return a.precedes(b)
    }
  }
}

extension Command {
  fileprivate var rank: UInt8 {
    switch self {
    case .deactivate: 0
    case .replaceZones: 1
    case .activate: 2
    case .close: 3
    case .sleep: 4
    case .sleepUntil: 5
    case .acknowledgeInside: 6
    case .acknowledgeForToday: 7
    }
  }
}

extension Fix {
  /// Among fixes of one instant: the most accurate first, then by place.
  fileprivate func precedes(_ other: Fix) -> Bool {
    let (a, b) = (accuracyOrder, other.accuracyOrder)
    if a != b { return a < b }
    if position.latitude != other.position.latitude { return position.latitude < other.position.latitude }
    if position.longitude != other.position.longitude { return position.longitude < other.position.longitude }
    return false
  }

  /// Unstated accuracies come last.
  private var accuracyOrder: Double {
    switch accuracy {
    case .radius(let radius): radius.metres
    case .unstated: .infinity
    }
  }

  /// The same measurement: time, position and accuracy.
  func isSame(as other: Fix) -> Bool {
    measuredAt == other.measuredAt && position == other.position && accuracy == other.accuracy
  }

  /// Of two reports of the same measurement the one that arrived first; equal arrivals by what they say.
  func preferred(to other: Fix) -> Bool {
    if receivedAt != other.receivedAt { return receivedAt < other.receivedAt }
    let (a, b) = (speed?.metresPerSecond ?? -1, other.speed?.metresPerSecond ?? -1)
    if a != b { return a > b }
    return (course?.degrees ?? -1) > (other.course?.degrees ?? -1)
  }
}
