import Geometry
import TestSupport

@testable import AlarmEngine

/// A certified watch with its timeline, which takes events at seconds from the start.
struct WatchTeller {
  var watch: CertifiedWatch
  var timeline: Timeline

  init(_ zones: [Zone], _ capabilities: Capabilities, _ parameters: CertifiedParameters = .init()) {
    watch = CertifiedWatch(parameters: parameters)
    timeline = Timeline(device: DeviceID(rawValue: 1), settings: AlarmStory.quietSettings, zones: zones)
    tell(.started(.person, capabilities: capabilities, lastKnown: nil), 0)
  }

  /// A position `east` metres east of the story's place.
  static func fix(_ east: Double, at seconds: Double, accuracy: Double = 5, speed: Double? = nil) -> Fix {
    let time = AlarmStory.start + .seconds(seconds)
    return Fix(
      position: AlarmStory.place(east: east), accuracy: .radius(.metres(accuracy)), measuredAt: time,
      receivedAt: time, speed: speed.map(Speed.metresPerSecond))
  }

  @discardableResult
  mutating func tell(_ event: WatchEvent, _ seconds: Double) -> [WatchCommand] {
    let now = AlarmStory.start + .seconds(seconds)
    if case .fix(let fix) = event { timeline.insert([.fix(fix)]) }
    timeline.advance(to: now)
    return watch.handle(event, at: now, zones: timeline.surroundings(at: now))
  }

  /// The timer fires, and the phone answers each request two seconds later.
  mutating func wait(until seconds: Double, at east: Double) {
    for case .requestFix in tell(.timer, seconds) {
      tell(.fix(Self.fix(east, at: seconds + 2)), seconds + 2)
    }
  }

  /// The system reports that the phone is inside its fence, and nothing more happens.
  @discardableResult
  mutating func park(_ seconds: Double) -> [WatchCommand] {
    tell(.fenceState(.movement, inside: true), seconds) + tell(.timer, seconds + 30)
  }

  var isFollowing: Bool { if case .following = watch.stage { true } else { false } }
  var isFencing: Bool { if case .fencing = watch.stage { true } else { false } }

  func guarantee(_ seconds: Double) -> Guarantee? {
    watch.guarantees(zones: timeline.surroundings(at: AlarmStory.start + .seconds(seconds))).first?
      .guarantee
  }
}
