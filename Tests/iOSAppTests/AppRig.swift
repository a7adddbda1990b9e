import AlarmEngine
import AppleFakes
import Foundation
import Geometry
import PhoneSimulator
import TestSupport

@testable import ProximityApp

/// The whole app on a simulated iPhone, with a person who installs it, grants every permission, arms zones,
/// puts the phone away and answers alarms.
@MainActor
final class AppRig {
  let phone: Phone
  let folder: URL
  /// The button that the person presses on an alarm after `reaction`; nil: none.
  var answer: String? = "stop"
  var reaction = TimeSpan.seconds(5)
  private weak var delegate: AppDelegate?

  var fake: FakePhone { phone.fake }
  var app: AlarmClock { delegate!.clock! }
  var isRunning: Bool { delegate?.clock != nil }

  init(
    _ journey: Journey, system: IOSVersion = IOSVersion(26, 1), parameters: PhoneParameters = .measured2019,
    seed: UInt64 = 1, authorization: CLAuthorizationStatus = .authorizedAlways
  ) throws {
    phone = Phone(
      journey: journey, system: .iOS(system), parameters: parameters, seed: seed, authorization: authorization
    )
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "proximity-app-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("Page"), withIntermediateDirectories: true)
    fake.folder = folder
    fake.notificationCentre.onShown = { [unowned self] in react(to: $0) }
    phone.install { [unowned self] in
      let made = AppDelegate()
      delegate = made
      return made
    }
  }

  /// Ends the process together with its phone: parts that outlived it would receive notifications of the next
  /// one.
  isolated deinit {
    phone.crash()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Opens the app for the first time, allows notifications and alarms, sets zones, arms them and leaves.
  func setUp(_ zones: [Zone]) {
    phone.openApplication()
    phone.perform { _ in
      MainActor.assumeIsolated {
        app.conditions.ask(.notifications)
        app.conditions.ask(.alarms)
      }
    }
    run(for: .seconds(2))
    phone.perform { _ in
      MainActor.assumeIsolated {
        app.engine?.setZones(zones, .phone)
        app.engine?.perform(.activate)
      }
    }
    run(for: .seconds(20))
    phone.leaveApplication()
  }

  func on(_ action: @MainActor (AlarmClock) -> Void) {
    phone.perform { _ in MainActor.assumeIsolated { action(app) } }
  }

  /// The page's view of permissions and problems.
  var permissions: String { post(["op": "permissions"], to: "proximityPhone").answer as? String ?? "" }

  /// Posts to the app as the page's script does, and returns the reply.
  func post(_ body: Any, to name: String) -> (answer: Any?, refusal: String?) {
    nonisolated(unsafe) let body = body
    nonisolated(unsafe) var result: (answer: Any?, refusal: String?) = (nil, "there is no page")
    phone.perform { _ in
      MainActor.assumeIsolated { if let web = app.page.web { result = web.post(body, to: name) } }
    }
    return result
  }

  /// Ends the process in the middle of the app's work; its memory stays until the call returns.
  func end() {
    let doomed = delegate
    phone.crash()
    phone.at(phone.now) { _ in withExtendedLifetime(doomed) {} }
  }

  /// The requests to the phone that the journal notes, and the fences that the phone watches for the app.
  func asked() throws -> (notes: ReadNotes, watched: Set<FenceID>) {
    var export: [UInt8] = []
    var watched: Set<FenceID> = []
    phone.perform { _ in
      MainActor.assumeIsolated {
        export = [UInt8](app.files.journalForExport)
        for region in CLLocationManager().monitoredRegions where region.identifier.hasPrefix("proximity.") {
          UInt64(region.identifier.dropFirst(10), radix: 16).map {
            _ = watched.insert(FenceID(rawValue: $0))
          }
        }
      }
    }
    return (try ReadNotes(export: export), watched)
  }

  func run(for span: TimeSpan) { phone.run(until: phone.now + span) }

  private func react(to shown: NotificationCentre.Shown) {
    guard let answer, shown.category == "alarm" else { return }
    phone.at(phone.now + reaction) { phone in
      MainActor.assumeIsolated { _ = phone.fake.notificationCentre.answer(shown.id, answer, on: phone) }
    }
  }

  /// Alarms that were shown with sound, each time.
  var rings: [NotificationCentre.Shown] { fake.notificationCentre.shown.filter { $0.category == "alarm" } }
  /// Other notifications, by the beginning of their ids.
  func told(_ start: String) -> [NotificationCentre.Shown] {
    fake.notificationCentre.shown.filter { $0.id.hasPrefix(start) }
  }
}

/// A small town, with places given east and north of its origin.
enum Town {
  static let morning = Instant(millisecondsSince1970: 1_750_050_000_000)
  static let home = Coordinate(latitude: .degrees(48.1), longitude: .degrees(11.5))

  static func place(_ east: Double, _ north: Double = 0) -> Coordinate {
    let along = Geodesic.destination(from: home, azimuth: .degrees(90), distance: .metres(east))
    return Geodesic.destination(from: along, azimuth: .degrees(0), distance: .metres(north))
  }

  static func zone(_ id: UInt64, _ name: Text, _ east: Double, _ north: Double = 0, radius: Double = 100)
    -> Zone
  {
    .valid(
      id: ZoneID(rawValue: id), name: name, size: .metres(radius), outline: .locations([place(east, north)]))
  }

  /// From home on foot past a hazard, by bus to a stop, two errands, home again: each zone is entered once.
  static let dayZones = [
    zone(1, "Hazard", 500, 20, radius: 60), zone(2, "Stop", 9000, radius: 200), zone(3, "Bakery", 9600, 900),
    zone(4, "Library", 8000, 2400),
  ]
  static func day(from start: Instant = morning) -> Journey {
    Journey(
      from: home, at: start,
      legs: [
        .stand(.hours(2), .indoors),
        .go(to: place(500), .metresPerSecond(1.4), .walking),
        .go(to: place(1000), .metresPerSecond(1.4), .walking), .stand(.minutes(6)),
        .go(to: place(9000), .metresPerSecond(9), .vehicle), .stand(.minutes(3)),
        .go(to: place(9600, 900), .metresPerSecond(1.4), .walking), .stand(.minutes(40), .indoors),
        .go(to: place(8000, 2400), .metresPerSecond(1.4), .walking), .stand(.hours(1), .indoors),
        .go(to: place(4000, 3000), .metresPerSecond(8), .vehicle),
        .go(to: home, .metresPerSecond(8), .vehicle),
        .stand(.hours(6), .indoors),
      ])
  }
}
