import Geometry

/// A fix or a command for the engine, with its own time.
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

/// An action of a person, or of a program on their behalf, on a device's alarms.
public enum Command: Hashable, Sendable {
  case activate
  case deactivate
  /// Removes the notification; repeats go on.
  case close(AlarmID)
  /// Silences the alarm for the zone's sleep time. After that, the next triggering fix rings again.
  case sleep(AlarmID)
  /// Silences the alarm until a time, and at least for the zone's sleep time.
  case sleepUntil(AlarmID, Instant)
  /// Silences the alarm until the phone leaves the zone.
  case acknowledgeInside(AlarmID)
  /// Silences the alarm until `until`: the next midnight by the device's calendar, which the host knows.
  case acknowledgeForToday(AlarmID, until: Instant)
  /// Replaces all zones of the device; zones that are not in the new set are removed. Many devices can share
  /// one set.
  case replaceZones(WatchedZones)
}

extension Command {
  /// Returns the same answer for another alarm; nil if this is no answer to `alarm`.
  fileprivate func readdressed(from alarm: AlarmID, to other: AlarmID) -> Command? {
    switch self {
    case .close(alarm): .close(other)
    case .sleep(alarm): .sleep(other)
    case .sleepUntil(alarm, let until): .sleepUntil(other, until)
    case .acknowledgeInside(alarm): .acknowledgeInside(other)
    case .acknowledgeForToday(alarm, let until): .acknowledgeForToday(other, until: until)
    default: nil
    }
  }
}

extension Timeline {
  /// Returns the answers to an alarm that are not forgotten, addressed to another one. A host inserts them
  /// when an answered alarm gets another id, because a late fix moved its beginning.
  public func answers(to alarm: AlarmID, addressedTo other: AlarmID) -> [Input] {
    inputs.compactMap { input in
      guard case .command(let command, let at) = input else { return nil }
      return command.readdressed(from: alarm, to: other).map { .command($0, at: at) }
    }
  }
}

extension Input {
  /// True if this input is applied before `other`.
  ///
  /// The order is by time; at the same time fixes before commands, since an answer to an alarm comes after
  /// the fix that rang it; then by content, so that the order never depends on arrival. Only commands of one
  /// kind and time keep their order of arrival.
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
  /// The order of fixes of the same time: the most accurate first, then by position.
  fileprivate func precedes(_ other: Fix) -> Bool {
    let (a, b) = (accuracyOrder, other.accuracyOrder)
    if a != b { return a < b }
    if position.latitude != other.position.latitude { return position.latitude < other.position.latitude }
    if position.longitude != other.position.longitude { return position.longitude < other.position.longitude }
    return false
  }

  /// For comparing accuracies; unstated ones come last.
  private var accuracyOrder: Double { accuracy.stated?.metres ?? .infinity }

  /// The same measurement: time, position and accuracy.
  func isSame(as other: Fix) -> Bool {
    measuredAt == other.measuredAt && position == other.position && accuracy == other.accuracy
  }

  /// True if this report of a measurement is kept in place of `other`: the one that arrived first; if they
  /// arrived together, one chosen by content.
  func preferred(to other: Fix) -> Bool {
    if receivedAt != other.receivedAt { return receivedAt < other.receivedAt }
    let (a, b) = (speed?.metresPerSecond ?? -1, other.speed?.metresPerSecond ?? -1)
    if a != b { return a > b }
    let (c, d) = (course?.degrees ?? -1, other.course?.degrees ?? -1)
    if c != d { return c > d }
    return Altitude.isPreferred(altitude, to: other.altitude)
  }
}

extension Altitude {
  /// True if `a` is preferred to `b`: a known altitude to none, then by content.
  fileprivate static func isPreferred(_ a: Altitude?, to b: Altitude?) -> Bool {
    guard let a, let b else { return a != nil && b == nil }
    if a.height != b.height { return a.height > b.height }
    let (x, y) = (a.error?.metres ?? -1, b.error?.metres ?? -1)
    return x != y ? x > y : a.reference.rawValue < b.reference.rawValue
  }
}

// MARK: Lists in the order of application

extension [Input] {
  /// The index of the first input that has to be applied after `input`, or of a report of the same
  /// measurement.
  func place(of input: Input) -> Int {
    var place = partitioningIndex { input.precedes($0) }
    if case .fix(let fix) = input {
      // A preferred report of a known measurement replaces the stored one, which lies before it.
      while place > 0, case .fix(let other) = self[place - 1], other.isSame(as: fix) { place -= 1 }
    }
    return place
  }

  /// The fix in the list that is the same measurement.
  func known(_ fix: Fix) -> Fix? {
    guard let last, fix.measuredAt <= last.time else { return nil }
    var place = partitioningIndex { !$0.precedes(.fix(fix)) }
    while place < count, self[place].time == fix.measuredAt {
      if case .fix(let other) = self[place], other.isSame(as: fix) { return other }
      place += 1
    }
    return nil
  }

  /// True if the same command of the same time is in the list. A command that is sent twice counts once.
  func isKnown(_ command: Input) -> Bool {
    self[partitioningIndex { !$0.precedes(command) }...].prefix { $0.time == command.time }.contains(command)
  }

  /// Returns this list and another one merged. Of equal inputs those of this list come first; of two reports
  /// of one measurement the preferred one is kept.
  func merged(with fresh: [Input]) -> [Input] {
    var merged: [Input] = []
    merged.reserveCapacity(count + fresh.count)
    func add(_ input: Input) {
      if case .fix(let fix) = input, case .fix(let last)? = merged.last, last.isSame(as: fix) {
        if fix.preferred(to: last) { merged[merged.count - 1] = input }
        return
      }
      merged.append(input)
    }
    var (i, j) = (0, 0)
    while i < count || j < fresh.count {
      if j == fresh.count || (i < count && !fresh[j].precedes(self[i])) {
        add(self[i])
        i += 1
      } else {
        add(fresh[j])
        j += 1
      }
    }
    return merged
  }
}
