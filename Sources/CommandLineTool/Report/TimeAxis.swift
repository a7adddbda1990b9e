import AlarmEngine
import CommandLineSupport

/// Time from left to right, with long silences cut to a narrow break.
struct TimeAxis {
  struct Stretch: Equatable {
    let start: Instant
    let end: Instant
    /// Shares of the width, 0 to 1.
    let left: Double
    let right: Double
  }
  /// The stretches in order; the breaks lie between them.
  let stretches: [Stretch]
  private static let breakWidth = 0.02
  private static let mostStretches = 10

  /// - Parameter times: ascending.
  /// - Precondition: there is at least one.
  init(_ times: [Instant]) {
    precondition(!times.isEmpty, "an axis needs a time")
    let whole = times.last! - times.first!
    var gap = max(600, whole.seconds / 40)
    var runs = Self.runs(times, gap: gap)
    while runs.count > Self.mostStretches {
      gap *= 2
      runs = Self.runs(times, gap: gap)
    }
    // A single fix gets half a minute, so that every stretch has a width.
    let lengths = runs.map { max(30, ($0.end - $0.start).seconds) }
    let total = lengths.reduce(0, +)
    let free = 1 - Self.breakWidth * Double(runs.count - 1)
    var stretches: [Stretch] = []
    var left = 0.0
    for (run, length) in zip(runs, lengths) {
      let right = left + free * length / total
      let end = max(run.end, run.start + .seconds(30))
      stretches.append(Stretch(start: run.start, end: end, left: left, right: min(1, right)))
      left = right + Self.breakWidth
    }
    self.stretches = stretches
  }

  private static func runs(_ times: [Instant], gap: Double) -> [(start: Instant, end: Instant)] {
    var runs = [(start: times[0], end: times[0])]
    for time in times.dropFirst() {
      if (time - runs[runs.count - 1].end).seconds > gap {
        runs.append((time, time))
      } else {
        runs[runs.count - 1].end = time
      }
    }
    return runs
  }

  /// The share of the width, 0 to 1, at which a time lies; within a break, in proportion.
  func share(of time: Instant) -> Double {
    for (index, stretch) in stretches.enumerated() {
      if time < stretch.start {
        guard index > 0 else { return 0 }
        let former = stretches[index - 1]
        let part = (time - former.end).seconds / max(1e-3, (stretch.start - former.end).seconds)
        return former.right + (stretch.left - former.right) * max(0, min(1, part))
      }
      if time <= stretch.end {
        let part = (time - stretch.start).seconds / (stretch.end - stretch.start).seconds
        return stretch.left + (stretch.right - stretch.left) * part
      }
    }
    return 1
  }

  /// True if two times lie on either side of a break.
  func isBroken(between a: Instant, and b: Instant) -> Bool {
    zip(stretches, stretches.dropFirst()).contains { a <= $0.end && b >= $1.start }
  }

  struct Tick: Equatable {
    let share: Double
    let words: String

    /// The label is centred; near the right edge most of it lies to the left.
    var isLast: Bool { share > 0.93 }
    /// The range that the label covers, in shares of the width of a plot as narrow as on a phone.
    var covers: ClosedRange<Double> {
      let width = Double(words.count) * Self.characterWidth
      let left = share - width * (isLast ? 0.85 : 0.5)
      return left...left + width
    }
    /// A digit is 6.6 pixels wide, the plot 420 and more.
    private static let characterWidth = 6.6 / 420
    static let gap = 0.015
  }

  /// Round times, at least `apart` of the width from each other, farther if their labels are longer.
  func ticks(apart: Double = 0.14) -> [Tick] {
    let seconds = stretches.reduce(0) { $0 + ($1.end - $1.start).seconds }
    let steps: [Int64] = [
      10, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800,
      2_592_000, 31_536_000,
    ]
    let step = steps.first { Double($0) >= seconds * apart } ?? steps.last!
    var ticks: [Tick] = []
    var day = ""
    /// Labels keep a gap, even if the last ones are drawn to the left of their time.
    func hasRoom(_ tick: Tick) -> Bool {
      guard let last = ticks.last else { return true }
      return tick.share - last.share >= apart && tick.covers.lowerBound - last.covers.upperBound >= Tick.gap
    }
    for stretch in stretches {
      // Times are round by the clock that is shown.
      let ahead = Int64(PrintedZone.secondsFromUTC(at: stretch.start)) * 1000
      var next = stretch.start.millisecondsSince1970 + ahead
      let grain = step * 1000
      next += ((grain - next % grain) % grain + grain) % grain
      var isFirst = true
      while next - ahead <= stretch.end.millisecondsSince1970 {
        let time = Instant(millisecondsSince1970: next - ahead)
        next += grain
        let share = share(of: time)
        let calendar = CalendarTime(time)
        let clock = step < 60 ? calendar.clock : String(calendar.clock.prefix(5))
        let words =
          step >= 86_400
          ? calendar.date
          : calendar.date == day || day.isEmpty ? clock : "\(calendar.date.dropFirst(5)) \(clock)"
        let tick = Tick(share: share, words: words)
        guard hasRoom(tick) else { continue }
        day = calendar.date
        isFirst = false
        ticks.append(tick)
      }
      // A short stretch between round times gets a label as well.
      let calendar = CalendarTime(stretch.start)
      let tick = Tick(share: stretch.left, words: "\(calendar.date.dropFirst(5)) \(calendar.clock.prefix(5))")
      if isFirst, hasRoom(tick) {
        ticks.append(tick)
        day = calendar.date
      }
    }
    return ticks
  }
}
