import AlarmEngine
import Geometry
import Store

/// Says if a phone's positions show that it arrived at a zone by a time.
///
/// A pure function of the positions, so they may come late and in any order. It asks the engine which positions are
/// believable, and measures those against the zone's shape with its inset. The state of the zone's alarm is not asked: a
/// safety zone rings when the phone is possibly inside, which shows no arrival.
struct ArrivalProof {
  /// A position that is older than this at the time does not show that the phone is still there.
  static let newestAtMost = TimeSpan.hours(12)
  /// A position with a larger error counts only in a zone that is as deep.
  static let errorAtMost = Distance.metres(100)

  let expected: ExpectedArrival
  /// The time by which the phone was to be there.
  let due: Instant
  private let zone: Zone
  private let settings: Settings

  init(_ expected: ExpectedArrival, due: Instant, at zone: Zone, _ settings: Settings) {
    self.expected = expected
    self.due = due
    self.zone = zone
    self.settings = settings
  }

  /// From when on positions can matter. The first hour shows the engine whether later ones are believable.
  var from: Instant { max(due - Self.newestAtMost - .hours(1), Instant.allowed.lowerBound) }

  /// The earliest position that shows the arrival; nil if none does.
  /// - Parameter fixes: those since `from`, in any order.
  func arrival(_ fixes: [Fix]) -> Fix? {
    let inside = isInside
    let believed = believable(fixes)
    let inTime = believed.filter { $0.measuredAt <= due }
    let proofs =
      inTime.filter { $0.measuredAt >= due - expected.window }
      + (inTime.last.map { $0.measuredAt >= due - Self.newestAtMost ? [$0] : [] } ?? [])
      + believed.filter { $0.measuredAt > due }
    return proofs.filter(inside).min { $0.measuredAt < $1.measuredAt }
  }

  /// True if one of the positions may show the arrival, so that the earlier ones have to be read.
  func mayArrive(by fixes: [Fix]) -> Bool {
    let inside = isInside
    return fixes.contains { $0.measuredAt >= from && inside($0) }
  }

  /// The positions that the engine accepts, in the order of their times.
  private func believable(_ fixes: [Fix]) -> [Fix] {
    var timeline = Timeline(device: expected.device, settings: settings, zones: [])
    let change = timeline.insert(fixes.filter { $0.measuredAt >= from }.map { .fix($0) })
    var refused: Set<Fix> = Set([timeline.suspect].compactMap { $0 })
    for event in change.added { if case .ignored(let fix, _) = event.kind { refused.insert(fix) } }
    return fixes.filter { $0.measuredAt >= from && !refused.contains($0) }
      .sorted { $0.measuredAt < $1.measuredAt }
  }

  /// Tells if a position lies in the zone, as far as its error says.
  private var isInside: (Fix) -> Bool {
    let timeline = Timeline(device: expected.device, settings: settings, zones: [zone])
    let surroundings = timeline.surroundings(at: due)
    guard let slot = surroundings.slot(of: zone.id) else { return { _ in false } }
    let worst = max(Self.errorAtMost, surroundings.reach(of: slot))
    return { [zone, settings] fix in
      let error: Distance
      switch fix.accuracy {
      case .radius(let radius): error = radius
      case .unstated: error = settings.unstatedAccuracy
      case .invalid: return false
      }
      if let band = zone.band, let altitude = fix.altitude,
        band.side(of: altitude.height, error: altitude.certainError(radius: error)) != .within
      {
        return false
      }
      return error <= worst && surroundings.nearby(slot, from: fix.position).toEdge <= .zero
    }
  }
}
