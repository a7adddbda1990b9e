import AlarmEngine
import CoreLocationWatch
import Formats
import Geometry
import Packs
import PhoneHost
import PhoneSimulator
import TestSupport
import Testing

/// F10: a pack of 10,000 zones on phones whose systems watch 20 or 100 circles.
///
/// `SEEDS=20` tries twenty times as many days.
@Suite("A pack of ten thousand zones on a phone")
struct FollowedPackTests {
  private static let start = Instant(millisecondsSince1970: 1_790_000_000_000)
  private static let home = Coordinate(latitude: .degrees(48.2), longitude: .degrees(16.37))
  private static let count = 10_000

  /// The kind of phone, and the number of circles that its system watches.
  private enum Kind: CaseIterable {
    case iPhone, android
    var slots: Int { self == .iPhone ? 20 : 100 }
    var system: PhoneSystem { self == .iPhone ? .iOS(18) : .android(api: 34) }
  }

  /// Zones over 70 x 70 km around the phone's home, two per square kilometre.
  private static func zones(_ generator: inout SeededGenerator) -> [Zone] {
    (0..<count).map { number in
      let east = generator.double(in: -35_000...35_000)
      let north = generator.double(in: -35_000...35_000)
      let middle = Geodesic.destination(
        from: Geodesic.destination(from: home, azimuth: .degrees(90), distance: .metres(east)),
        azimuth: .degrees(0), distance: .metres(north))
      return Zone.valid(
        id: ZoneID(rawValue: UInt64(number + 1)), name: Text("Zone \(number)"),
        size: .metres(generator.double(in: 100...250)), outline: .locations([middle]))
    }
  }

  /// A morning: rest, a drive, a walk, another drive, rest.
  private static func journey(_ generator: inout SeededGenerator) -> Journey {
    var place = home
    func goal(_ metres: Double) -> Coordinate {
      place = Geodesic.destination(
        from: place, azimuth: .degrees(generator.double(in: 0...360)), distance: .metres(metres))
      return place
    }
    return Journey(
      from: home, at: start,
      legs: [
        .stand(.minutes(20)), .go(to: goal(9000), .metresPerSecond(14), .vehicle), .stand(.minutes(20)),
        .go(to: goal(1500), .metresPerSecond(1.4), .walking), .stand(.minutes(5)),
        .go(to: goal(14_000), .metresPerSecond(22), .vehicle), .stand(.minutes(10)),
      ])
  }

  /// The results of a day.
  private struct Day {
    var owed = 0
    var caught = 0
    /// Alarms that were owed and did not come, although the guarantee shown at that moment promised them.
    var missed: [String] = []
    var looks = 0
    /// Zones that were not reported, or watched by nothing, at the times checked.
    var unwatched: [String] = []
    var mostRegions = 0
    var refused = 0
  }

  private func live(_ zones: [Zone], _ journey: Journey, _ kind: Kind, seed: UInt64) -> Day {
    let record = TrialRecord(
      timeline: Timeline(device: DeviceID(rawValue: 1), settings: .phone, zones: zones))
    let phone = Phone(journey: journey, system: kind.system, parameters: .ideal, seed: seed)
    switch kind {
    case .iPhone: phone.watch(keeping: record) { CertifiedWatch() }
    case .android:
      phone.install { TimedWatch($0, host: .timed, record: record, policy: CertifiedWatch()) }
      phone.openApplication()
      phone.leaveApplication()
    }
    // Zones far from the way cannot be entered.
    let way = stride(from: 0.0, through: (journey.end - journey.start).seconds, by: 20).map {
      journey.position(at: journey.start + .seconds($0))
    }
    let middles = Dictionary(uniqueKeysWithValues: zones.map { ($0.id, Self.middle(of: $0)) })
    let near = zones.filter { zone in
      let middle = Self.middle(of: zone)
      return way.contains {
        // A degree is 111 km in latitude, and 74 km in longitude here.
        abs($0.latitude.degrees - middle.latitude.degrees) < 0.02
          && abs($0.longitude.degrees - middle.longitude.degrees) < 0.03
      }
    }
    let truth = GroundTruth(journey, zones: near)
    var day = Day()
    let looks = stride(from: 60.0, to: (journey.end - journey.start).seconds, by: 600)
    for seconds in looks {
      phone.at(journey.start + .seconds(seconds)) { phone in
        day.looks += 1
        let said = record.shown?(phone.now) ?? []
        let known = Set(said.map(\.zone))
        for zone in zones where !known.contains(zone.id) {
          day.unwatched.append("\(zone.id) at \(seconds) s: nothing")
        }
        for (zone, guarantee) in said {
          if case .notWatched(let why) = guarantee { day.unwatched.append("\(zone) at \(seconds) s: \(why)") }
        }
      }
    }
    var shown: [GroundTruth.Visit: Guarantee] = [:]
    for visit in truth.visits where visit.isOwed {
      phone.at(visit.entry) { phone in
        shown[visit] = record.shown?(phone.now)?.first { $0.zone == visit.zone }?.guarantee
      }
    }
    phone.run(until: journey.end)
    let sizes = Dictionary(uniqueKeysWithValues: zones.map { ($0.id, $0.size?.metres ?? 0) })
    let matching = Matching(
      record.alarms, with: truth,
      distance: { zone, time in
        guard let middle = middles[zone], let size = sizes[zone] else { return 0 }
        return Geodesic.between(journey.position(at: time), middle) - size
      }, depth: { _, _ in 0 })
    day.owed = matching.outcomes.count
    day.caught = matching.caught
    for outcome in matching.outcomes where !outcome.isCaught {
      let visit = outcome.visit
      let entered = "\(visit.zone) from \((visit.entry - journey.start).seconds) s for \(visit.stay) s"
      switch shown[visit] {
      case .guaranteed(let promise):
        // A shorter stay is not covered; after a rest the promise counts from the departure, which was
        // earlier.
        guard visit.stay >= (promise.late + promise.coarse).seconds else { continue }
        day.missed.append("\(entered), promised within \(promise.late.seconds) s")
      case .bestEffort: continue  // And it was said why.
      case .notWatched, nil: day.missed.append("\(entered), unwatched")
      }
    }
    var laid = Set<String>()
    for entry in phone.log.entries {
      switch entry.occurrence {
      case .regionAdded(let id): laid.insert(id)
      case .regionRemoved(let id): laid.remove(id)
      case .regionRefused: day.refused += 1
      default: break
      }
      day.mostRegions = max(day.mostRegions, laid.count)
    }
    return day
  }

  private static func middle(of zone: Zone) -> Coordinate {
    guard case .locations(let places) = zone.outline, let place = places.first else { return home }
    return place
  }

  @Test(arguments: Seeds.few(1, from: 1))
  func `none of them is ever unwatched unsaid, and no promised entry is missed`(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let entries = Self.zones(&generator).map { ZonePack.Entry(publishing: $0) }
    // The pack as the phone gets it: signed, verified, read.
    let bytes = try PackSamples.key.seal(PackSamples.head(), whole: entries)
    let zones = try HeldPack(bytes, signedBy: PackSamples.key.publicKey).entries.map { try $0.zone() }
    try #require(zones.count == Self.count)
    let journey = Self.journey(&generator)
    for kind in Kind.allCases {
      let day = live(zones, journey, kind, seed: UInt64(seed))
      let told: Comment = "seed \(seed), \(kind): \(day)"
      #expect(day.owed >= 2 && day.looks >= 9, told)
      #expect(day.missed.isEmpty, told)
      #expect(Double(day.caught) >= 0.8 * Double(day.owed), told)
      #expect(day.unwatched.isEmpty, "seed \(seed), \(kind): \(day.unwatched.prefix(5))")
      #expect(day.refused == 0 && day.mostRegions <= kind.slots, told)
    }
  }
}

extension Geodesic {
  fileprivate static func between(_ a: Coordinate, _ b: Coordinate) -> Double {
    Geodesic(from: a, to: b).length.metres
  }
}
