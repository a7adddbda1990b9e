import AlarmEngine
import Geometry
import PhoneHost
import TestSupport

/// The rules that hold for every life, by what the person did and where the phone truly was. It knows nothing of the engine
/// but the names of its events.
struct LifeOracle {
  /// The zones that a person last saved, and the state of being armed.
  struct Saved: Hashable, CustomStringConvertible {
    var zones: [ZoneID: Place] = [:]
    var isArmed = false
    var description: String {
      let all = zones.sorted { $0.key < $1.key }.map {
        "\($0.key.rawValue) \($0.value.name) \($0.value.radius) m"
      }
      return "[\(all.joined(separator: ", ")), \(isArmed ? "armed" : "not armed")]"
    }
  }
  /// A zone as a person sees it.
  struct Place: Hashable {
    var name: Text
    var radius: Double
    /// Metres east of the origin.
    var east: Double
  }

  /// A stay at one zone, by positions that the app has certainly got while it watched the zone.
  private struct Visit {
    var insideSince: Instant?
    var inside = 0
    var outsideSince: Instant?
    var outside = 0
    var alarms: [AlarmID] = []
    var isStopped = false
    var mayHaveLeft = false
    /// It rang because the phone had passed through.
    var hasPassed = false
    /// When the alarm was sent to sleep; nil if it did not, or has rung since.
    var sleptAt: Instant?
    /// Something happened of which this oracle does not know what it means: nothing is demanded until the zone is left.
    var isUnclear = false
    /// Positions inside after the time of sleep.
    var sinceSleep = 0
    var repeats = 0
    /// When the alarm first rang; nil once spans by the phone's clock are not those of the true time.
    var rangAt: Instant?
  }

  /// One element if that is certain; several if the process ended while something was saved.
  private(set) var saved: [Saved] = [Saved()]
  private var visits: [ZoneID: Visit] = [:]
  private var confirmed: Set<UInt64> = []
  private(set) var failures: [String] = []
  private(set) var alarms = 0
  /// True if a file was damaged so that the next life has to tell of it.
  private var owesDamage = false
  private var isTroubled = false

  var present: Saved { saved.last! }

  private mutating func fail(_ words: String) { failures.append(words) }

  // MARK: What a person does

  /// A person is about to save this.
  mutating func saves(_ next: Saved) {
    let former = present
    saved.append(next)
    if next.isArmed != former.isArmed { visits = [:] }
    for id in Set(former.zones.keys).union(next.zones.keys) {
      let (old, new) = (former.zones[id], next.zones[id])
      // Another name is no other zone.
      guard old?.radius != new?.radius || old?.east != new?.east else { continue }
      // An alarm of a zone that was redrawn goes on or begins anew.
      visits[id] = old == nil || new == nil ? nil : Visit(isUnclear: true)
    }
  }

  /// The page is about to hand over its data. It had none that the app lacks, so it must not undo what a person saved.
  mutating func pageOpened(with data: Saved) {
    for (id, place) in present.zones where data.zones[id] != place {
      fail("the page undoes the edit of zone \(id)")
    }
    if data.isArmed != present.isArmed { fail("the page undoes the arming") }
  }

  /// - Parameter isDone: false where the process ended meanwhile, or the disk refused it.
  mutating func hasSaved(isDone: Bool) {
    if isDone { saved = [present] } else { unclear() }
  }

  mutating func answered(_ zone: ZoneID, _ answer: Command, isDone: Bool, at now: Instant) {
    guard var visit = visits[zone] else { return }
    switch answer {
    case .acknowledgeInside: visit.isStopped = true
    case .sleep: (visit.sleptAt, visit.sinceSleep) = (now, 0)
    default: break
    }
    if !isDone { visit.isUnclear = true }
    visits[zone] = visit
  }

  // MARK: What the phone does

  private static let inner = 30.0
  private static let outer = 60.0

  /// A position is about to go to the app.
  mutating func measures(east: Double) {
    for (id, place) in present.zones {
      guard var visit = visits[id] else { continue }
      let beyond = abs(east - place.east) - place.radius
      // The phone was out, or nearly: to the app that may be another visit, and it may not.
      if beyond < Self.outer, visit.outside > 0 || visit.mayHaveLeft,
        visit.inside > 0 || !visit.alarms.isEmpty || visit.hasPassed
      {
        visit.isUnclear = true
      }
      if beyond > -Self.inner { visit.mayHaveLeft = true }
      visits[id] = visit
    }
  }

  /// A position went to the app.
  ///
  /// - Parameter isDone: false if the process ended meanwhile.
  mutating func measured(east: Double, isDone: Bool, at now: Instant) {
    for (id, place) in present.zones where present.isArmed {
      var visit = visits[id] ?? Visit()
      let beyond = abs(east - place.east) - place.radius
      if !isDone {
        if beyond > -Self.inner, visit.inside > 0 || !visit.alarms.isEmpty { visit.isUnclear = true }
      } else if beyond <= -Self.inner {
        (visit.outside, visit.outsideSince) = (0, nil)
        visit.inside += 1
        if let slept = visit.sleptAt, now - slept > .seconds(30) { visit.sinceSleep += 1 }
        if visit.insideSince == nil { visit.insideSince = now }
      } else if beyond >= Self.outer {
        visit.outside += 1
        if visit.outsideSince == nil { visit.outsideSince = now }
        if visit.outside >= 4, let since = visit.outsideSince, now - since >= .seconds(60) {
          visit = Visit(outsideSince: since, outside: visit.outside)
        }
      }
      visits[id] = visit
    }
  }

  /// The clock was set, or time was lost: spans by the phone's clock are not those of the true time.
  mutating func lostTime(at now: Instant) {
    visits = visits.mapValues { visit in
      var visit = visit
      (visit.outside, visit.inside) = (min(visit.outside, 1), min(visit.inside, 1))
      if visit.outsideSince != nil { visit.outsideSince = now }
      if visit.insideSince != nil { visit.insideSince = now }
      if visit.sleptAt != nil { (visit.sleptAt, visit.sinceSleep) = (now, 0) }
      visit.rangAt = nil
      return visit
    }
  }

  mutating func told(_ told: Told, at now: Instant) {
    if confirmed.contains(told.number) {
      fail("event \(told.number) is told again as new: \(told.event.kind)")
    }
    switch told.event.kind {
    case .alarm(let report):
      alarms += 1
      var visit = visits[report.zone] ?? Visit()
      // A zone that was passed through is no stay, but its alarm may still ring when the phone comes back.
      if report.cause == .passed {
        visit.hasPassed = true
        visits[report.zone] = visit
        return
      }
      if visit.alarms.isEmpty { visit.rangAt = now }
      if !visit.alarms.contains(report.alarm) { visit.alarms.append(report.alarm) }
      visit.sleptAt = nil
      if !visit.isUnclear {
        if visit.alarms.count > 1 { fail("a second alarm of one visit to \(report.zone)") }
        if visit.isStopped { fail("the alarm of \(report.zone) rings after Stop") }
      }
      visits[report.zone] = visit
    case .repeat(let report):
      visits[report.zone]?.repeats += 1
      guard let visit = visits[report.zone], !visit.isUnclear else { return }
      if visit.isStopped { fail("the alarm of \(report.zone) repeats after Stop") }
    default: break
    }
  }

  mutating func confirmed(upTo number: UInt64) {
    guard number > 0 else { return }
    var at = number
    while at > 0, confirmed.insert(at).inserted { at -= 1 }
  }

  mutating func damaged(_ damage: LifeDisk.Damage) {
    switch damage {
    case .snapshotLost, .snapshotDamaged, .journalLost, .journalDamaged: owesDamage = true
    case .allLost:
      if present.isArmed, !present.zones.isEmpty { owesDamage = true }
      saved = [Saved()]
    case .journalTailDamaged:
      // Looks like a write that was not finished. An edit of zones is not in the journal alone.
      break
    case .historyLost: return
    }
    confirmed = []
    unclear()
  }

  /// Nothing is demanded of the visits that there are.
  mutating func unclear() {
    for id in present.zones.keys {
      visits[id] = visits[id] ?? Visit()
      visits[id]?.isUnclear = true
    }
  }

  // MARK: What is demanded

  /// After an input was carried out, or a life begun.
  mutating func look(at phone: LifePhone, begins: Bool = false) {
    guard let host = phone.host else { return }
    var zones: [ZoneID: Place] = [:]
    for zone in host.timeline.zones {
      guard case .locations(let places) = zone.outline, let place = places.first else { continue }
      zones[zone.id] = Place(name: zone.name, radius: zone.size?.metres ?? 0, east: LifeStory.east(of: place))
    }
    let there = Saved(zones: zones, isArmed: host.timeline.armed)
    if saved.contains(there) {
      if begins || !phone.isBehind { saved = [there] }
    } else {
      fail("the person saved \(saved.map(\.description).joined(separator: " or ")), the app has \(there)")
      saved = [there]
    }
    if begins, owesDamage {
      if !phone.hasToldDamage { fail("nothing is told of lost or damaged files") }
      owesDamage = false
    }
    let isStopped =
      present.isArmed && !present.zones.isEmpty && (phone.location != .precise || !phone.mayNotify)
    if begins, isStopped, !phone.isTroubleTold { fail("nothing is told of a permission that is missing") }
    for (id, visit) in visits where present.isArmed && !visit.isUnclear && !visit.mayHaveLeft {
      look(at: visit, of: id, phone)
    }
  }

  /// How often each alarm has repeated that nobody has answered.
  func repeats(at now: Instant) -> [ZoneID: Int] {
    guard present.isArmed, saved.count == 1 else { return [:] }
    return visits.filter { id, visit in
      present.zones[id] != nil && !visit.isUnclear && !visit.isStopped && visit.sleptAt == nil
        && !visit.mayHaveLeft && visit.rangAt.map { now - $0 < .hours(20) } ?? false
    }.mapValues { $0.repeats }
  }

  /// A process was there for longer than two cycles of alarms.
  mutating func waited(since former: [ZoneID: Int], at now: Instant) {
    let present = repeats(at: now)
    for (id, count) in former where present[id] == count {
      fail("the alarm of \(id) does not repeat")
    }
  }

  private mutating func look(at visit: Visit, of id: ZoneID, _ phone: LifePhone) {
    guard present.zones[id] != nil, !visit.isStopped else { return }
    if visit.alarms.isEmpty {
      if !visit.hasPassed, visit.inside >= 3, let since = visit.insideSince,
        phone.time - since >= .seconds(20)
      {
        fail("no alarm at \(id), \(visit.inside) positions inside")
        visits[id]?.isUnclear = true
      }
      return
    }
    if visit.sleptAt != nil {
      if visit.sinceSleep > 1 {
        fail("the alarm of \(id) does not ring after sleep")
        visits[id]?.isUnclear = true
      }
    } else if let ringing = phone.ringing, !ringing.contains(where: { visit.alarms.contains($0.alarm) }) {
      fail("the alarm of \(id) has gone, by \(ringing.count) that ring")
      visits[id]?.isUnclear = true
    }
  }
}
