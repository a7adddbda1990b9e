import AlarmEngine
import CoreLocationWatch
import Foundation
import Geometry
import PhoneHost
import PhoneSimulator
import TestSupport

/// A simulated phone whose application keeps its journals as the real one does.
struct VolunteersPhone {
  let journey: Journey
  var parameters = PhoneParameters.measured2019
  var energy = EnergyProfile.iPhone6

  static func place(_ metres: Double) -> Coordinate { AlarmStory.place(east: metres) }

  /// Carries the phone along the whole journey.
  /// - Returns: the file that the application exports at the end.
  func export(on host: Capabilities.Host, _ policy: FixedProgramme) -> [UInt8] {
    let record = TrialRecord(
      timeline: Timeline(device: DeviceID(rawValue: 1), settings: .phone, zones: [], armed: true))
    let disk = Disk()
    record.onKeep = disk.keep
    let phone = Phone(
      journey: journey, system: host == .timed ? .android(api: 34) : .iOS(18), parameters: parameters,
      energyProfile: energy, seed: 7)
    if host == .timed {
      phone.install { TimedWatch($0, host: host, record: record, policy: policy) }
      phone.openApplication()
      phone.leaveApplication()
    } else {
      phone.watch(keeping: record) { policy }
    }
    phone.run(until: journey.end)
    return JournalExport.bytes(of: disk.parts)
  }

  /// The way as a second phone records it, as a CSV table.
  var track: String {
    var lines = ["time,latitude,longitude,accuracy"]
    var time = journey.start
    while time <= journey.end {
      let place = journey.position(at: time)
      lines.append(
        "\(time.millisecondsSince1970 / 1000),\(place.latitude.degrees),\(place.longitude.degrees),5")
      time = time + .seconds(10)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private final class Disk {
    private(set) var parts: [JournalExport.Part] = []
    private var journal: [UInt8] = []

    func keep(_ command: PhoneCommand) {
      switch command {
      case .append(let bytes):
        if case .journal = parts.last { parts.removeLast() }
        journal += bytes
        parts.append(.journal(journal))
      case .replace(let bytes):
        parts.append(.snapshot(bytes))
        journal = []
      default: break
      }
    }
  }
}

/// Asks the phone for the same things again and again, whatever it answers.
struct FixedProgramme: WatchDecisions {
  var session: Session?
  var fences: [Fence] = []
  /// Each with the time until the next step; begins anew after the last.
  var steps: [(command: WatchCommand, wait: TimeSpan)] = []
  /// The request after each fence event.
  var answer: WatchCommand?
  private var next = 0

  init(
    session: Session? = nil, fences: [Fence] = [], answer: WatchCommand? = nil,
    steps: [(command: WatchCommand, wait: TimeSpan)] = []
  ) {
    self.session = session
    self.fences = fences
    self.answer = answer
    self.steps = steps
  }

  let reason = WatchReason(.notStarted)

  mutating func handle(_ event: WatchEvent, at now: Instant, zones: Surroundings) -> [WatchCommand] {
    switch event {
    case .started(let start, _, _):
      var commands: [WatchCommand] = [.motion(true)]
      if let session { commands.append(.session(session)) }
      if !fences.isEmpty, start == .person { commands.append(.fences(fences)) }
      return commands + step(at: now)
    case .timer: return step(at: now)
    case .fenceEntered, .fenceExited: return answer.map { [$0] } ?? []
    default: return []
    }
  }

  private mutating func step(at now: Instant) -> [WatchCommand] {
    guard !steps.isEmpty else { return [] }
    let step = steps[next % steps.count]
    next += 1
    return [step.command, .timer(now + step.wait)]
  }

  func guarantee(ofWatched zone: ZoneSlot, _ zones: Surroundings) -> Guarantee { .notWatched(.disarmed) }
}
