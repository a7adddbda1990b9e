#if !canImport(CoreLocation)
  import AlarmEngine
  import Foundation
  import Geometry
  import PhoneSimulator

  /// One journey of the simulated phone: the fences, the reported crossings, and the true stays.
  struct RegionRun {
    /// A crossing that the phone reported, compared with the true one.
    struct Crossing {
      let event: RegionWatcher.Event
      /// The phone's position at the time of the report.
      let position: Coordinate
      /// Seconds between the true crossing and the report; nil without a true crossing.
      let delay: Double?
    }

    let fences: [Fence]
    let journey: Journey
    let system: String
    let seed: UInt64
    private(set) var problem: RegionWatcher.Problem?
    private(set) var events: [RegionWatcher.Event] = []
    /// For each fence, the periods in which the phone was truly inside.
    let stays: [[ClosedRange<Instant>]]
    /// The number of times the system started the application for a crossing.
    private(set) var launches = 0
    private(set) var joules = 0.0

    init(
      _ fences: [Fence] = Morning.fences, along journey: Journey = Morning.journey,
      system: PhoneSystem = .iOS(18), parameters: PhoneParameters = .measured2019,
      authorization: CLAuthorizationStatus = .authorizedAlways, isReduced: Bool = false, seed: UInt64
    ) {
      self.fences = fences
      self.journey = journey
      self.system = "\(system)"
      self.seed = seed
      stays = fences.map { Self.stays(in: $0, journey) }
      let outcome = Outcome()
      let phone = Phone(
        journey: journey, system: system, parameters: parameters, seed: seed, authorization: authorization)
      phone.setReducedAccuracy(isReduced)
      phone.install { RegionApplication($0, fences: fences, outcome: outcome) }
      phone.openApplication()
      phone.at(journey.start + .minutes(1)) { $0.leaveApplication() }
      // The system frees memory by ending the application; the next crossing launches it again.
      phone.at(journey.start + .minutes(120)) { $0.terminateIfSuspended() }
      phone.run(until: journey.end)
      problem = outcome.problem
      events = outcome.events
      launches = outcome.launches
      joules = phone.ledger.marginal
    }

    var crossings: [Crossing] {
      events.compactMap { event in
        guard event.kind == .entered || event.kind == .exited else { return nil }
        let time = Instant(millisecondsSince1970: Int64((event.date.timeIntervalSince1970 * 1000).rounded()))
        let fence = fences.firstIndex { $0.id == event.fence }
        let truth = fence.flatMap { fence in
          stays[fence].map { event.kind == .entered ? $0.lowerBound : $0.upperBound }.last { $0 <= time }
        }
        return Crossing(
          event: event, position: journey.position(at: time), delay: truth.map { (time - $0).seconds })
      }
    }

    /// Metres per second, an upper bound of the journey's speed.
    private static let greatestSpeed = 20.0

    /// Samples the journey every second near the edge of a fence, and elsewhere as rarely as the greatest
    /// speed permits.
    private static func stays(in fence: Fence, _ journey: Journey) -> [ClosedRange<Instant>] {
      let centre = Coordinate(latitude: .degrees(fence.latitude), longitude: .degrees(fence.longitude))
      var stays: [ClosedRange<Instant>] = []
      var since: Instant?
      var time = journey.start
      while time <= journey.end {
        let beyond = centre.distance(to: journey.position(at: time)).metres - fence.radius
        let isInside = beyond <= 0
        if isInside, since == nil { since = time }
        if !isInside, let entry = since {
          stays.append(entry...time)
          since = nil
        }
        time = time + .seconds(max(1, (abs(beyond) / greatestSpeed).rounded(.down)))
      }
      return stays + (since.map { [$0...journey.end] } ?? [])
    }

    /// The results of a run. They outlive the application's process.
    fileprivate final class Outcome {
      var problem: RegionWatcher.Problem?
      var events: [RegionWatcher.Event] = []
      var launches = 0
    }
  }

  /// The application: a watcher, and a notification for each crossing.
  private final class RegionApplication: PhoneApplication {
    private let watcher: RegionWatcher

    init(_ launch: Launch, fences: [Fence], outcome: RegionRun.Outcome) {
      let environment = launch.environment
      watcher = RegionWatcher(now: { environment.date })
      watcher.onEvent = { event in
        outcome.events.append(event)
        guard event.kind == .entered || event.kind == .exited else { return }
        let title = fences.first { $0.id == event.fence }?.title ?? event.fence
        environment.alert(event.kind == .entered ? "Arrived: \(title)" : "Left: \(title)")
      }
      // After a launch for a crossing the regions are still monitored, and the event follows.
      if launch.isInBackground {
        outcome.launches += 1
      } else {
        outcome.problem = watcher.watch(fences)
      }
    }
  }
#endif
