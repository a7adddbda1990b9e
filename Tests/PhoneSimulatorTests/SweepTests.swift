import AlarmEngine
import Geometry
import PhoneSimulator
import Testing

/// Every figure in the catalogues has an effect: moved to the end of its range, it changes the events or the
/// energy of at least one of some busy days.
@Suite("Sweeps")
struct SweepTests {
  private struct Run: Equatable {
    let log: [UInt8]
    let joules: [Double]
    /// The number of callbacks to the application.
    let callbacks: Int
    init(_ phone: Phone, _ journal: Journal? = nil) {
      callbacks = journal?.entries.count ?? 0
      log = phone.log.bytes
      joules = EnergyLedger.Component.allCases.map { phone.ledger[$0] }
    }
  }
  private typealias Day = @Sendable (PhoneParameters, EnergyProfile) -> Run

  /// Switches on everything that is off by default.
  private static let busy = PhoneParameters.measured2019.with {
    $0.significantSilenceSeconds = 900
    $0.duplicateOnRelaunch = 0.5
    $0.spuriousEventsPerDay = 20
    $0.regionLossProbability = 0.2
    $0.jointFailureProbability = 0.5
    $0.jointFailureSeconds = 1200
    $0.entryCushionMetres = 20
    $0.terminationsPerDay = 6
    $0.keepAliveEndsPerDay = 24
    $0.firstUnlockSeconds = 300
    $0.alwaysReminderSeconds = 3600
    $0.hiddenPageKeepsTimers = 1
    $0.screenOffSeconds = 200
    $0.disturbedShare = 0.1
  }

  private static let profile = EnergyProfile.iPhone6.with { $0.lookupProbability = 1 }

  /// Stands and moves in turns for about twelve hours; through a city and indoors.
  private static let journey = Journey(
    from: Scene.home, at: Scene.start,
    legs: [
      .stand(.minutes(40)), .go(to: Scene.place(metres: 900), .metresPerSecond(1.5), .walking, .urbanCanyon),
      .stand(.minutes(25), .indoors), .go(to: Scene.place(metres: 6000), .metresPerSecond(12), .vehicle),
      .stand(.minutes(150)), .go(to: Scene.place(metres: 5200), .metresPerSecond(1.5), .walking),
      .stand(.minutes(10)), .go(to: Scene.home, .metresPerSecond(10), .vehicle), .stand(.hours(5), .indoors),
      .go(to: Scene.place(metres: 1200), .metresPerSecond(2), .walking), .stand(.minutes(30)),
    ])

  private static func watch(_ app: Recorder) {
    for (number, metres) in [0.0, 900, 2500, 5200, 6000].enumerated() {
      app.manager.startMonitoring(
        for: Scene.region("r\(number)", radius: 60 + Double(number) * 40, metres: metres))
    }
    app.manager.startMonitoring(for: Scene.region("huge", radius: 30_000))
    app.manager.startMonitoringSignificantLocationChanges()
    app.manager.startMonitoringVisits()
    app.environment.watchMotion { _ in app.environment.useNetwork() }
    app.environment.alert("launched")
    app.environment.vibrate("launched")
  }

  private static func suspended(
    _ version: IOSVersion, _ parameters: PhoneParameters, _ profile: EnergyProfile
  ) -> Run {
    let rig = Rig(journey, system: .iOS(version), parameters: parameters, profile: profile, seed: 5) {
      watch($0)
    }
    rig.app { app in
      app.manager.requestLocation()
      var task = 0
      task = app.environment.beginBackgroundTask { app.environment.endBackgroundTask(task) }
    }
    rig.phone.at(Scene.start + .minutes(1)) { $0.leaveApplication() }
    rig.phone.at(Scene.start + .minutes(100)) { $0.conditions.wifi = false }
    rig.phone.at(Scene.start + .minutes(230)) { $0.conditions.wifi = true }
    rig.phone.at(Scene.start + .minutes(280)) { $0.reboot() }
    rig.phone.at(Scene.start + .minutes(320)) { $0.openApplication() }
    rig.phone.at(Scene.start + .minutes(325)) { $0.forceQuit() }
    rig.phone.run(until: journey.end)
    return Run(rig.phone, rig.journal)
  }

  private static func tracking(_ version: IOSVersion, _ parameters: PhoneParameters, _ profile: EnergyProfile)
    -> Run
  {
    let rig = Rig(journey, system: .iOS(version), parameters: parameters, profile: profile, seed: 6) { app in
      app.manager.allowsBackgroundLocationUpdates = true
      app.manager.activityType = version >= 13 ? .fitness : .automotiveNavigation
      app.manager.distanceFilter = version >= 13 ? 25 : kCLDistanceFilterNone
      app.manager.startMonitoring(for: Scene.region())
      app.manager.startUpdatingLocation()
    }
    func at(_ minutes: Double, _ change: @escaping (CLLocationManager) -> Void) {
      rig.phone.at(Scene.start + .minutes(minutes)) { phone in
        phone.openApplication()
        rig.app { change($0.manager) }
        phone.leaveApplication()
      }
    }
    at(39) { $0.startUpdatingLocation() }
    at(41) { $0.allowDeferredLocationUpdates(untilTraveled: 2000, timeout: 3000) }
    at(60) { $0.desiredAccuracy = kCLLocationAccuracyHundredMeters }
    at(79) {
      $0.desiredAccuracy = kCLLocationAccuracyBest
      $0.startUpdatingLocation()
    }
    at(250) { manager in
      manager.stopUpdatingLocation()
      manager.requestLocation()
    }
    at(270) { manager in
      manager.desiredAccuracy = kCLLocationAccuracyThreeKilometers
      manager.requestLocation()
    }
    at(280) { manager in
      manager.desiredAccuracy = kCLLocationAccuracyHundredMeters
      manager.requestLocation()
    }
    rig.phone.at(Scene.start + .minutes(300)) { $0.conditions.network = false }
    at(562) {
      $0.desiredAccuracy = kCLLocationAccuracyBest
      $0.startUpdatingLocation()
    }
    rig.phone.run(until: journey.end)
    return Run(rig.phone, rig.journal)
  }

  /// A session that only keeps the application running, and a permission that is requested and answered.
  private static func asking(_ parameters: PhoneParameters, _ profile: EnergyProfile) -> Run {
    var user = User()
    user.keepsAlways = false
    let rig = Rig(
      journey, parameters: parameters, profile: profile, seed: 7, authorization: .notDetermined, user: user
    ) { app in
      app.manager.requestAlwaysAuthorization()
      app.environment.after(.minutes(11)) { watch(app) }
      app.environment.after(.minutes(12)) {
        app.manager.desiredAccuracy = kCLLocationAccuracyThreeKilometers
        app.manager.allowsBackgroundLocationUpdates = true
        app.manager.pausesLocationUpdatesAutomatically = false
        app.manager.startUpdatingLocation()
      }
    }
    rig.phone.at(Scene.start + .minutes(15)) { $0.leaveApplication() }
    rig.phone.at(Scene.start + .minutes(200)) { phone in
      phone.setReducedAccuracy(true)
      phone.openApplication()
    }
    rig.phone.at(Scene.start + .minutes(205)) { $0.leaveApplication() }
    rig.phone.run(until: journey.end)
    return Run(rig.phone, rig.journal)
  }

  /// A monitor and live updates.
  private static func monitoring(_ parameters: PhoneParameters, _ profile: EnergyProfile) -> Run {
    let rig = Rig(journey, parameters: parameters, profile: profile, seed: 8) { app in
      let isNew = app.environment["added"] == nil
      app.environment["added"] = "yes"
      let environment = app.environment
      nonisolated(unsafe) let noted = environment
      Phone.current?.task {
        let monitor = await CLMonitor("zones")
        if isNew {
          for number in 0..<22 {
            let region = Scene.region(metres: Double(number) * 300)
            await monitor.add(
              CLMonitor.CircularGeographicCondition(center: region.center, radius: 120),
              identifier: "c\(number)")
          }
        }
        do {
          for try await event in await monitor.events {
            noted.note("\(event.identifier) \(event.state)")
            if event.identifier == "c3" { await monitor.remove("c3") }
          }
        } catch {
          Issue.record(error)
        }
      }
      Phone.current?.task {
        do { for try await _ in CLLocationUpdate.liveUpdates() {} } catch { Issue.record(error) }
      }
    }
    rig.phone.at(Scene.start + .minutes(30)) { $0.leaveApplication() }
    rig.phone.at(Scene.start + .minutes(35)) { $0.terminateIfSuspended() }
    rig.phone.at(Scene.start + .minutes(240)) { $0.reboot() }
    rig.phone.run(until: journey.end)
    return Run(rig.phone, rig.journal)
  }

  private final class AndroidApp: GeofenceReceiver {
    let environment: ApplicationEnvironment
    private var updates: LocationUpdates?
    init(_ launch: Launch) {
      environment = launch.environment
      updates = environment.requestLocationUpdates(.balanced, interval: .seconds(20)) { _ in }
      lay()
      plan(30)
    }
    private func lay() {
      for number in 0..<15 {
        do throws(GeofencingError) {
          try environment.addGeofences(
            (0..<8).map { part in
              Geofence(
                requestID: "\(number) \(part)", centre: Scene.place(metres: Double(number * 8 + part) * 60),
                radius: .metres(110), transitions: [.enter, .exit])
            }, intent: "i\(number / 2)")
        } catch {
          environment.note("\(error)")
        }
      }
    }
    private func plan(_ left: Int) {
      environment.setExactAlarm(id: "a", after: .minutes(5)) { [weak self] in
        if left > 0 { self?.plan(left - 1) }
      }
    }
    func geofence(_ id: String, did transition: Geofence.Transitions) {
      environment.note("\(id) \(transition.rawValue)")
    }
  }

  private static func android(_ parameters: PhoneParameters, _ profile: EnergyProfile) -> Run {
    let phone = Phone(
      journey: journey, system: .android(api: 34), parameters: parameters, energyProfile: profile, seed: 9)
    phone.install { AndroidApp($0) }
    phone.openApplication()
    phone.at(Scene.start + .minutes(2)) { $0.leaveApplication() }
    phone.at(Scene.start + .minutes(70)) { $0.conditions.wifi = false }
    phone.at(Scene.start + .minutes(100)) { $0.conditions.wifi = true }
    phone.at(Scene.start + .minutes(500)) { phone in
      phone.setReducedAccuracy(true)
      phone.openApplication()
    }
    phone.run(until: journey.end)
    return Run(phone)
  }

  private final class Page: PhoneApplication {
    let environment: ApplicationEnvironment
    private var watch: LocationUpdates?
    init(_ launch: Launch) {
      environment = launch.environment
      watch = environment.watchPosition(PositionOptions(enableHighAccuracy: true)) { [environment] in
        environment.note("\($0)")
      }
      tick()
    }
    private func tick() {
      environment.after(.milliseconds(700)) { [weak self] in
        guard let self, environment.now < Scene.start + .minutes(30) else { return }
        environment.note("tick")
        tick()
      }
    }
  }

  private static func page(_ parameters: PhoneParameters, _ profile: EnergyProfile) -> Run {
    let phone = Phone(
      journey: journey, system: .webPage, parameters: parameters, energyProfile: profile, seed: 10)
    phone.install { Page($0) }
    phone.openApplication()
    phone.at(Scene.start + .minutes(1)) { $0.leaveApplication() }
    phone.at(Scene.start + .minutes(20)) { $0.openApplication() }
    phone.run(until: Scene.start + .minutes(40))
    return Run(phone)
  }

  private static let days: [Day] = [
    { suspended(18, $0, $1) }, { tracking(18, $0, $1) }, { android($0, $1) }, { page($0, $1) },
    { asking($0, $1) }, { monitoring($0, $1) }, { suspended(12, $0, $1) }, { suspended(6, $0, $1) },
    { suspended(26, $0, $1) }, { tracking(12, $0, $1) },
  ]

  /// The day on which a figure is most likely to have an effect, to try it first.
  private static func first(for name: String) -> Int {
    let days: [(day: Int, words: [String])] = [
      (2, ["geofence", "Geofence", "doze", "backgroundFixes", "approximate"]),
      (3, ["hidden", "screen", "page"]),
      (4, ["prompt", "alwaysPrompt", "reduced", "keepAlive"]), (5, ["monitor", "live"]),
      (6, ["Budget7"]), (7, ["Budget4"]), (8, ["outsideFirst", "forceQuit26"]),
      (9, ["deferred", "autoPauseNavigation"]),
      (
        1,
        [
          "Start", "noFix", "accuracy", "Sigma", "Share", "Spacing", "settling", "oneShot", "autoPause",
          "disturbed", "canyon", "Correlation", "InSession", "best", "network", "lookup", "filter", "acquire",
          "acquisition", "cache", "firstCallback", "clearly",
        ]
      ),
    ]
    return days.first { $0.words.contains { name.contains($0) } }?.day ?? 0
  }

  private static func effect(
    _ name: String, _ plain: inout [Int: Run], _ change: (inout PhoneParameters, inout EnergyProfile) -> Void
  ) -> Bool {
    var (parameters, costs) = (busy, profile)
    change(&parameters, &costs)
    let first = first(for: name)
    return ([first] + days.indices.filter { $0 != first }).contains { index in
      let before = plain[index] ?? days[index](busy, profile)
      plain[index] = before
      return days[index](parameters, costs) != before
    }
  }

  /// Figures with a test of their own: the larger region is advised in an error only.
  private static let toldElsewhere: Set<String> = ["alternateRegionFactor"]

  @Test func `every figure does something`() {
    var plain: [Int: Run] = [:]
    for row in PhoneParameters.catalogue
    where row.range.lowerBound < row.range.upperBound && !Self.toldElsewhere.contains(row.name) {
      // Only the median of a distribution: few days reach its ends.
      if row.name.contains("."), !row.name.hasSuffix(".p50") { continue }
      let now = row.value(Self.busy)
      let (low, high) = (row.range.lowerBound, row.range.upperBound)
      let ends = high - now > now - low ? [high, low] : [low, high]
      #expect(
        ends.contains { end in
          end != now && Self.effect(row.name, &plain) { parameters, _ in row.set(&parameters, end) }
        }, "\(row.name)")
    }
    for row in EnergyProfile.catalogue where row.name != "batteryWattHours" {
      let now = row.value(Self.profile)
      #expect(
        [row.range.upperBound, row.range.lowerBound].contains { end in
          end != now && Self.effect(row.name, &plain) { _, profile in row.set(&profile, end) }
        }, "\(row.name)")
    }
    #expect(
      EnergyProfile.iPhone6.with { $0.batteryWattHours = 20 }.share(joules: 1000)
        < EnergyProfile.iPhone6.share(joules: 1000))
  }
}
