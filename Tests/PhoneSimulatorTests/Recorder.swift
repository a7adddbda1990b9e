import AlarmEngine
import Foundation
import Geometry
import PhoneSimulator

/// The callbacks that an application received, across all its processes.
final class Journal {
  enum Callback {
    case locations([CLLocation])
    case entered(String)
    case exited(String)
    case state(String, CLRegionState)
    case failed(CLError.Code?)
    case regionFailed(String?, CLError.Code?)
    case started(String)
    case visit(CLVisit)
    case paused
    case authorization(CLAuthorizationStatus)
    case launched(inBackground: Bool)
  }
  var entries: [(time: Instant, callback: Callback)] = []
  /// The running process' recorder.
  weak var recorder: Recorder?

  var fixes: [(time: Instant, location: CLLocation)] {
    entries.flatMap { entry -> [(time: Instant, location: CLLocation)] in
      guard case .locations(let locations) = entry.callback else { return [] }
      return locations.map { (entry.time, $0) }
    }
  }
  func times(where matches: (Callback) -> Bool) -> [Instant] {
    entries.filter { matches($0.callback) }.map(\.time)
  }
  var arrivals: [Instant] { times { if case .entered = $0 { true } else { false } } }
  var exits: [Instant] { times { if case .exited = $0 { true } else { false } } }
  var launches: Int { times { if case .launched = $0 { true } else { false } }.count }
  var states: [CLRegionState] {
    entries.compactMap { if case .state(_, let state) = $0.callback { state } else { nil } }
  }
}

/// Ordinary location code that records all its callbacks.
final class Recorder: NSObject, PhoneApplication, CLLocationManagerDelegate {
  let manager = CLLocationManager()
  let environment: ApplicationEnvironment
  private let journal: Journal

  init(_ launch: Launch, journal: Journal, atLaunch: (Recorder) -> Void) {
    environment = launch.environment
    self.journal = journal
    super.init()
    journal.recorder = self
    manager.delegate = self
    note(.launched(inBackground: launch.isInBackground))
    atLaunch(self)
  }

  private func note(_ callback: Journal.Callback) {
    journal.entries.append((environment.now, callback))
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    note(.locations(locations))
  }
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    note(.failed((error as? CLError)?.code))
  }
  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    note(.entered(region.identifier))
  }
  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    note(.exited(region.identifier))
  }
  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) { note(.state(region.identifier, state)) }
  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  ) { note(.regionFailed(region?.identifier, (error as? CLError)?.code)) }
  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
    note(.started(region.identifier))
  }
  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) { note(.visit(visit)) }
  func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) { note(.paused) }
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    note(.authorization(manager.authorizationStatus))
  }
}

/// A phone with a recorder on it, and its journal.
struct Rig {
  let phone: Phone
  let journal = Journal()

  /// Opens the application at the journey's start.
  init(
    _ journey: Journey, system: PhoneSystem = .iOS(18), parameters: PhoneParameters = .measured2019,
    profile: EnergyProfile = .iPhone6, seed: UInt64 = 1,
    authorization: CLAuthorizationStatus = .authorizedAlways, user: User = User(),
    atLaunch: @escaping (Recorder) -> Void = { _ in }
  ) {
    phone = Phone(
      journey: journey, system: system, parameters: parameters, energyProfile: profile, seed: seed,
      authorization: authorization, user: user)
    phone.install { [journal] in Recorder($0, journal: journal, atLaunch: atLaunch) }
    phone.openApplication()
  }

  func run(seconds: Double) { phone.run(until: phone.now + .seconds(seconds)) }

  /// Runs code of the application now.
  func app(_ body: (Recorder) -> Void) {
    phone.perform { _ in if let recorder = journal.recorder { body(recorder) } }
  }

  func occurrences(_ matches: (Occurrence) -> Bool) -> [EventLog.Entry] {
    phone.log.entries.filter { matches($0.occurrence) }
  }
}

enum Scene {
  static let start = Instant(millisecondsSince1970: 1_700_000_000_000)
  static let home = Coordinate(latitude: .degrees(48.2), longitude: .degrees(16.37))

  static func place(metres: Double, bearing: Double = 90, from origin: Coordinate = home) -> Coordinate {
    Geodesic.destination(from: origin, azimuth: .degrees(bearing), distance: .metres(metres))
  }

  /// Stands, moves straight east, stands again.
  static func straight(
    stand: Double = 60, speed: Double, metres: Double, standAfter: Double = 3600,
    motion: Journey.Motion = .walking
  ) -> Journey {
    Journey(
      from: home, at: start,
      legs: [
        .stand(.seconds(stand)), .go(to: place(metres: metres), .metresPerSecond(speed), motion),
        .stand(.seconds(standAfter)),
      ])
  }

  static func still(hours: Double) -> Journey {
    Journey(from: home, at: start, legs: [.stand(.hours(hours))])
  }

  static func region(_ id: String = "r", radius: Double = 100, metres: Double = 0) -> CLCircularRegion {
    let centre = place(metres: metres)
    return CLCircularRegion(
      center: CLLocationCoordinate2D(
        latitude: centre.latitude.degrees, longitude: centre.longitude.degrees), radius: radius,
      identifier: id)
  }
}

extension PhoneParameters {
  /// No lost and no false events, for tests of a single rule.
  static let faultless = PhoneParameters.measured2019.with {
    $0.regionLossProbability = 0
    $0.spuriousEventsPerDay = 0
  }
}
