import AlarmEngine
import Geometry
import PhoneHost

/// How late the phone tells that a fence was crossed, and how often it does not.
struct FenceFit {
  let assumed: FitAssumptions
  private var exits = FitSample()
  private var entries = FitSample()
  private var afterRest = FitSample()
  private var inSession = FitSample()
  private var lost = FitShare()

  init(assumed: FitAssumptions) { self.assumed = assumed }

  private struct Standing {
    let fence: Fence
    let from: Instant
    var to: Instant?
  }
  private struct Report {
    let at: Instant
    let id: FenceID
    let isEntry: Bool
  }

  /// An event that has not come by then is lost.
  private static let longestDelay = 2000.0
  /// A fence that stood so long after a crossing without an event lost it.
  private static let leastStanding = 900.0

  mutating func take(_ story: JournalStory, _ way: WayTrack) {
    var (standing, reports, satellites) = Self.read(story)
    for place in standing.indices where standing[place].to == nil { standing[place].to = story.end }
    var used: Set<Int> = []
    for each in standing {
      guard let to = each.to else { continue }
      let name = story.isAndroid ? "smallestGeofenceRadiusMetres" : "smallestRegionRadiusMetres"
      let crossings = way.crossings(
        of: each.fence.center, radius: max(each.fence.radius.metres, assumed[name]), from: each.from, to: to)
      for (number, crossing) in crossings.enumerated() {
        guard crossing.isEntry ? each.fence.onEntry : each.fence.onExit else { continue }
        let next = number + 1 < crossings.count ? crossings[number + 1].at : nil
        let limit = crossing.at + .seconds(Self.longestDelay)
        let report = reports.indices.first { place in
          let report = reports[place]
          return !used.contains(place) && report.id == each.fence.id && report.isEntry == crossing.isEntry
            && report.at >= crossing.at && report.at <= min(limit, to)
            && (next.map { report.at <= $0 } ?? true)
        }
        if let report {
          used.insert(report)
          lost.add(false)
          add((reports[report].at - crossing.at).seconds, crossing, story, way, satellites)
        } else if (min(to, next ?? to) - crossing.at).seconds >= Self.leastStanding {
          lost.add(true)
        }
      }
    }
  }

  private mutating func add(
    _ delay: Double, _ crossing: WayTrack.Crossing, _ story: JournalStory, _ way: WayTrack,
    _ satellites: [(from: Instant, to: Instant)]
  ) {
    if satellites.contains(where: { $0.from <= crossing.at && crossing.at <= $0.to }) {
      return inSession.add(delay)
    }
    let rest = way.stops.last { $0.to <= crossing.at }?.length ?? 0
    if story.isAndroid, rest > assumed["geofenceStillAfterSeconds"] { return afterRest.add(delay) }
    if story.isAndroid || !crossing.isEntry { exits.add(delay) } else { entries.add(delay) }
  }

  private static func read(
    _ story: JournalStory
  ) -> (standing: [Standing], reports: [Report], satellites: [(from: Instant, to: Instant)]) {
    var standing: [Standing] = []
    var current: [FenceID: Int] = [:]
    var reports: [Report] = []
    var satellites: [(from: Instant, to: Instant)] = []
    var session: Instant?
    func end(_ id: FenceID, at time: Instant) {
      if let place = current.removeValue(forKey: id) { standing[place].to = time }
    }
    for (at, note) in story.notes {
      switch note {
      case .fences(let laid, let removed):
        for id in removed { end(id, at: at) }
        for fence in laid {
          end(fence.id, at: at)
          current[fence.id] = standing.count
          standing.append(Standing(fence: fence, from: at))
        }
      case .fenceFailed(let id): end(id, at: at)
      case .fenceEntered(let id): reports.append(Report(at: at, id: id, isEntry: true))
      case .fenceExited(let id): reports.append(Report(at: at, id: id, isEntry: false))
      case .session(let wanted, _) where wanted.accuracy.isBySatellites && !wanted.wakesOnMotion:
        session = session ?? at
      case .session, .sessionEnded, .started, .stopped:
        if let since = session { satellites.append((since, at)) }
        session = nil
      default: break
      }
    }
    if let session, let end = story.end { satellites.append((session, end)) }
    return (standing, reports, satellites)
  }

  func rows(isAndroid: Bool) -> [FitRow] {
    let group = "Fences"
    func delays(_ name: String, _ sample: FitSample) -> [FitRow] {
      [("p25", 0.25), ("p50", 0.5), ("p75", 0.75), ("p95", 0.95)].map { part, p in
        FitRow(
          group: group, factor: "\(name).\(part)", unit: .seconds, assumed: assumed["\(name).\(part)"],
          fitted: sample.quantile(p))
      }
    }
    var rows =
      isAndroid
      ? delays("geofenceLatency", exits) : delays("exitLatency", exits) + delays("entryLatency", entries)
    if isAndroid {
      rows.append(
        FitRow(
          group: group, factor: "geofenceLatency.p50 + geofenceStillSeconds / 2", part: "after a long rest",
          unit: .seconds, assumed: assumed["geofenceLatency.p50"] + assumed["geofenceStillSeconds"] / 2,
          fitted: afterRest.quantile(0.5)))
    }
    rows.append(
      FitRow(
        group: group, factor: "regionLatencyInSessionSeconds", part: "95 in 100 within", unit: .seconds,
        assumed: assumed["regionLatencyInSessionSeconds"], fitted: inSession.quantile(0.95)))
    rows.append(
      FitRow(
        group: group, factor: "regionLossProbability", unit: .number,
        assumed: assumed["regionLossProbability"],
        fitted: lost.estimate))
    return rows
  }
}
