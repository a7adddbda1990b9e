import AlarmEngine
import ZoneFormats

/// Corrects times that are 1024 or 2048 weeks too early.
///
/// GPS counts weeks in ten bits; a receiver with software older than the counter's last overflow dates its
/// positions 1024 weeks back. Such times are moved if the file gives evidence: the time of receipt of a
/// position, a neighbour in the track, or the time of the file itself is that many weeks later, within a day.
/// Otherwise they are kept, and reported.
package enum WeekRollover {
  private static let week: Int64 = 7 * 86_400_000
  private static let turns: [Int64] = [1024, 2048]
  private static let tolerance: Int64 = 86_400_000
  /// 1980-01-06, the beginning of GPS time.
  private static let beginning = Instant(millisecondsSince1970: 315_964_800_000)
  /// 2015-01-01. A time that would be moved to before it is more likely a true one of an old track.
  private static let plausible = Instant(millisecondsSince1970: 1_420_070_400_000)

  /// - Parameters:
  ///   - now: the present; no phone has a later time.
  ///   - before: for a part of a file, each device's time before that part.
  package static func settle(_ file: inout TrackFile, now: Instant, after before: [String: Instant] = [:]) {
    guard file.phone == nil else { return }
    var suspect: Instant?
    var moved: [Int64: (count: Int, first: Instant)] = [:]
    for index in file.devices.indices {
      let device = file.devices[index]
      guard device.points.contains(where: { isSuspect($0.fix.measuredAt, now: now) }) else { continue }
      for (place, turn) in moves(
        of: device.points, madeAt: file.madeAt, before: before[device.name], now: now
      ).enumerated() {
        let time = device.points[place].fix.measuredAt
        if turn > 0 {
          file.devices[index].points[place].move(to: time.later(by: turn * week))
          moved[turn, default: (0, time)].count += 1
          file.movedPoints += 1
        } else if suspect == nil, isSuspect(time, now: now) {
          suspect = time
        }
      }
    }
    for turn in turns {
      guard let (count, first) = moved[turn] else { continue }
      file.issues.append(
        ReadIssue(
          .warning,
          "times \(turn) weeks too early found (\(count) of them, \(RFC3339.string(from: first)) the first), as from a receiver "
            + "whose GPS week counter rolled over; moved to \(RFC3339.string(from: first.later(by: turn * week)))"
        ))
    }
    if let suspect, let issue = remark(on: suspect, now: now) { file.issues.append(issue) }
  }

  private static func remark(on time: Instant, now: Instant) -> ReadIssue? {
    guard let weeks = weeks(perhaps: time, now: now) else { return nil }
    let later = RFC3339.string(from: time.later(by: weeks * week))
    return ReadIssue(
      .warning,
      "the time \(RFC3339.string(from: time)) found, perhaps \(weeks) weeks too early, as from a receiver whose GPS week "
        + "counter rolled over (then it should be \(later)); kept unchanged")
  }

  /// True if a time may be too early by lost weeks.
  static func isSuspect(_ time: Instant, now: Instant) -> Bool {
    time >= beginning && weeks(perhaps: time, now: now) != nil
  }

  /// Returns the number of weeks after which a time would be plausible; nil if none is.
  private static func weeks(perhaps time: Instant, now: Instant) -> Int64? {
    turns.first { turn in
      let later = time.later(by: turn * week)
      return later >= plausible && later <= now
    }
  }

  /// Returns the weeks by which each point is to be moved, 0 for none.
  private static func moves(of points: [TrackFile.Point], madeAt: Instant?, before: Instant?, now: Instant)
    -> [Int64]
  {
    let suspects = points.map { isSuspect($0.fix.measuredAt, now: now) }
    var moves = points.indices.map { place in
      let fix = points[place].fix
      return suspects[place] && fix.receivedAt != fix.measuredAt
        ? weeks(from: fix.measuredAt, to: fix.receivedAt) : 0
    }
    for (order, first) in [(Array(points.indices), before ?? madeAt), (points.indices.reversed(), madeAt)] {
      var neighbour = first
      for place in order {
        let time = points[place].fix.measuredAt
        if suspects[place], moves[place] == 0, let neighbour {
          moves[place] = weeks(from: time, to: neighbour)
        }
        neighbour = time.later(by: moves[place] * week)
      }
    }
    return moves
  }

  private static func weeks(from time: Instant, to later: Instant) -> Int64 {
    let gap = later.millisecondsSince1970 - time.millisecondsSince1970
    return turns.first { abs(gap - $0 * week) <= tolerance } ?? 0
  }
}

extension Instant {
  fileprivate func later(by milliseconds: Int64) -> Instant {
    Instant(millisecondsSince1970: millisecondsSince1970 + milliseconds)
  }
}

extension TrackFile.Point {
  fileprivate mutating func move(to time: Instant) {
    let moved = Fix(
      position: fix.position, accuracy: fix.accuracy, measuredAt: time,
      receivedAt: fix.receivedAt == fix.measuredAt ? nil : fix.receivedAt, speed: fix.speed,
      course: fix.course,
      altitude: fix.altitude)
    self = TrackFile.Point(fix: moved, hdop: hdop)
  }
}
