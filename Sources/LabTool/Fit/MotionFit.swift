import AlarmEngine
import PhoneHost

/// How late the motion hardware's words come, which stops and starts it tells, and how soon live updates pause and go on.
struct MotionFit {
  private var starts = FitSample()
  private var stops = FitSample()
  private var changes = FitSample()
  private var first = FitSample()
  private var toldStops = FitShare()
  private var toldStarts = FitShare()
  private var pauses = FitSample()
  private var resumptions = FitSample()

  /// No change is told later than this; a word after it belongs to another change.
  private static let longestDelay = 600.0

  private struct Word {
    let at: Instant
    let motion: Motion
  }

  mutating func take(_ story: JournalStory, _ way: WayTrack, hasTruth: Bool) {
    var words: [Word] = []
    var watched: [(from: Instant, to: Instant)] = []
    var (watchedSince, lastChange): (Instant?, Instant?)
    var isFirst = true
    var live: (since: Instant, isResting: Bool)?
    var stillSince: Instant?
    for (at, note) in story.notes {
      switch note {
      case .started, .stopped:
        if let since = watchedSince { watched.append((since, at)) }
        (watchedSince, live) = (nil, nil)
      case .motionWatched(let wanted):
        if let since = watchedSince { watched.append((since, at)) }
        watchedSince = wanted ? at : nil
        isFirst = true
      case .motion(let motion, let since):
        defer {
          words.append(Word(at: at, motion: motion))
          isFirst = false
        }
        stillSince = motion == .still ? since : nil
        guard let since, since != lastChange, let watchedSince else { continue }
        lastChange = since
        if since >= watchedSince {
          add((at - since).seconds, of: motion)
        } else if isFirst, (watchedSince - since).seconds > Self.longestDelay {
          // The change was noticed long ago: the wait is that of a new listener.
          first.add((at - watchedSince).seconds)
        }
      case .session(let session, _):
        live = session.wakesOnMotion ? live ?? (at, false) : nil
      case .sessionEnded: live = nil
      case .liveUpdates(let areResting):
        guard let begun = live else { continue }
        if areResting, !begun.isResting, let stillSince {
          // The rest counts from its beginning, or from that of the updates.
          pauses.add((at - max(begun.since, stillSince)).seconds)
        } else if !areResting, begun.isResting, hasTruth {
          let stop = way.stops.last { $0.to <= at }
          if let stop, stop.to >= begun.since, (at - stop.to).seconds <= Self.longestDelay {
            resumptions.add((at - stop.to).seconds)
          }
        }
        live = (at, areResting)
        if !areResting { words.append(Word(at: at, motion: .unknown)) }
      default: break
      }
    }
    if let watchedSince, let end = story.end { watched.append((watchedSince, end)) }
    // The journal's own positions show no stop that was not told: told stops end the requests.
    if hasTruth { judge(way.stops, words, watched) }
  }

  private mutating func add(_ delay: Double, of motion: Motion) {
    guard (0...Self.longestDelay).contains(delay) else { return }
    changes.add(delay)
    if motion == .still { stops.add(delay) } else { starts.add(delay) }
  }

  private mutating func judge(
    _ rests: [WayTrack.Stop], _ words: [Word], _ watched: [(from: Instant, to: Instant)]
  ) {
    let late = TimeSpan.seconds(Self.longestDelay)
    for stop in rests {
      // Told before the stop or after it, a word would be of another change.
      guard watched.contains(where: { $0.from <= stop.from && $0.to >= stop.to + late }) else { continue }
      let isTold = words.contains {
        $0.motion == .still && $0.at >= stop.from - .seconds(60) && $0.at <= stop.to
      }
      toldStops.add(isTold)
      guard isTold else { continue }
      toldStarts.add(
        words.contains { $0.motion != .still && $0.at >= stop.to - .seconds(60) && $0.at <= stop.to + late })
    }
  }

  func rows(_ assumed: FitAssumptions) -> [FitRow] {
    let group = "Motion"
    func delay(_ name: String, _ p: Double, _ part: String, _ sample: FitSample) -> FitRow {
      FitRow(
        group: group, factor: "motionDelay.\(name)", part: part, unit: .seconds,
        assumed: assumed["motionDelay.\(name)"], fitted: sample.quantile(p))
    }
    var rows = [
      delay("p5", 0.05, "", changes), delay("p25", 0.25, "", changes), delay("p50", 0.5, "", changes),
      delay("p75", 0.75, "", changes), delay("p95", 0.95, "", changes), delay("p99", 0.99, "", changes),
      delay("p50", 0.5, "starts", starts), delay("p95", 0.95, "starts", starts),
      delay("p50", 0.5, "stops", stops), delay("p95", 0.95, "stops", stops),
    ]
    rows.append(
      FitRow(
        group: group, factor: "motionFirstSeconds", unit: .seconds, assumed: assumed["motionFirstSeconds"],
        fitted: first.quantile(0.5)))
    // The simulated phone tells each change.
    for (part, share) in [("stops told", toldStops), ("starts told after a told stop", toldStarts)] {
      rows.append(
        FitRow(
          group: group, factor: "(share of changes)", part: part, unit: .number, assumed: 1,
          fitted: share.estimate))
    }
    rows.append(
      FitRow(
        group: group, factor: "liveRestSeconds", unit: .seconds, assumed: assumed["liveRestSeconds"],
        fitted: pauses.quantile(0.5)))
    rows.append(delay("p50", 0.5, "live updates going on", resumptions))
    rows.append(delay("p95", 0.95, "live updates going on", resumptions))
    return rows
  }
}
