import AlarmEngine
import Geometry
import TestSupport
import Testing

/// Runs a story on a policy and writes down its commands to the phone.
///
///     0:00  start            -> ask best 30, timer 0:31
///     0:05  x 5000 ±10       -> fences movement 1020, session 3km
///
/// `x` is a fix that many metres east of the origin; `slc` is a significant change there.
struct WatchStory<Policy: WatchDecisions> {
  var policy: Policy
  var timeline: Timeline
  var capabilities: Capabilities

  init(_ policy: Policy, zones: [Zone], capabilities: Capabilities) {
    self.policy = policy
    self.capabilities = capabilities
    timeline = Timeline(device: DeviceID(rawValue: 1), settings: AlarmStory.quietSettings, zones: zones)
  }

  mutating func told(_ story: String) -> String {
    story.split(separator: "\n").map { line in
      let text = line.split(separator: ">", maxSplits: 1)[0].split(separator: "-")[0]
      let words = text.split(separator: " ").map(String.init)
      guard let time = words.first else { return "" }
      let said = tell(Array(words.dropFirst()), at: AlarmStory.start + Self.span(time))
      return (words + (said.isEmpty ? [] : ["->", said.joined(separator: ", ")])).joined(separator: " ")
    }.joined(separator: "\n")
  }

  private mutating func tell(_ words: [String], at now: Instant) -> [String] {
    let number = words.count > 1 ? Double(words[1]) ?? 0 : 0
    let accuracy = words.last.flatMap { $0.hasPrefix("±") ? Double($0.dropFirst()) : nil } ?? 5
    let fix = Fix(
      position: AlarmStory.place(east: number), accuracy: .radius(.metres(accuracy)), measuredAt: now)
    _ = timeline.advance(to: now)
    let event: WatchEvent
    switch words.first {
    case "start": event = .started(.person, capabilities: capabilities, lastKnown: nil)
    case "relaunch": event = .started(.relaunch, capabilities: capabilities, lastKnown: nil)
    case "stop": event = .stopped
    case "x":
      _ = timeline.insert([.fix(fix)])
      event = .fix(fix)
    case "slc":
      _ = timeline.insert([.fix(fix)])
      event = .significantChange(fix)
    case "failed": event = .fixFailed
    case "exit": event = .fenceExited(words.count > 1 ? FenceID(rawValue: UInt64(number)) : .movement)
    case "enter": event = .fenceEntered(FenceID(rawValue: UInt64(number)))
    case "inside": event = .fenceState(.movement, inside: true)
    case "outside": event = .fenceState(.movement, inside: false)
    case "refused": event = .fenceFailed(words.count > 1 ? FenceID(rawValue: UInt64(number)) : .movement)
    case "still": event = .motion(.still)
    case "walking": event = .motion(.walking)
    case "driving": event = .motion(.driving)
    case "timer": event = .timer
    case "foreground": event = .cameToForeground
    case "background": event = .wentToBackground
    case "terminate": event = .willTerminate
    case "disarm":
      _ = timeline.insert([.command(.deactivate, at: now)])
      event = .zonesChanged
    default: return ["? \(words)"]
    }
    return policy.handle(event, at: now, zones: timeline.surroundings(at: now)).map(Self.words)
  }

  static func words(_ command: WatchCommand) -> String {
    switch command {
    case .session(let session):
      if session.wakesOnMotion { return "session until moved" }
      let filter = session.distanceFilter.map { " filter \(Int($0.metres))" } ?? ""
      return "session \(session.accuracy)\(filter)\(session.mayPause ? " pausing" : "")"
    case .endSession: return "end session"
    case .requestFix(let accuracy, let within): return "ask \(accuracy) within \(Int(within.seconds))"
    case .fences(let fences):
      let list = fences.map { fence in
        "\(fence.id == .movement ? "movement" : "\(fence.id.rawValue)") \(Int(fence.radius.metres + 0.5))"
      }
      return "fences \(list.isEmpty ? "none" : list.joined(separator: " "))"
    case .requestState: return "state?"
    case .significantChanges(let on): return on ? "slc" : "no slc"
    case .visits(let on): return on ? "visits" : "no visits"
    case .motion(let on): return on ? "motion" : "no motion"
    case .timer(let time): return time.map { "timer \(clock($0 - AlarmStory.start))" } ?? "no timer"
    case .holdBackground: return "hold"
    case .releaseBackground: return "release"
    case .warn(.cannotLocate(let zone)): return "warn cannot locate \(zone.rawValue)"
    case .warn(.wifiIsOff): return "warn Wi-Fi off"
    case .warnIfSilent(let time):
      return time.map { "asleep \(clock($0 - AlarmStory.start))" } ?? "never asleep"
    }
  }

  private static func span(_ text: String) -> TimeSpan {
    .seconds(text.split(separator: ":").reduce(0) { $0 * 60 + Double($1)! })
  }
  private static func clock(_ span: TimeSpan) -> String {
    let seconds = Int(span.seconds)
    return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
  }
}

func expectWatch<Policy: WatchDecisions>(
  _ policy: Policy, zones: [Zone] = [AlarmStory.circle()], _ capabilities: Capabilities, _ story: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  var teller = WatchStory(policy, zones: zones, capabilities: capabilities)
  #expect(teller.told(story) == AlarmStory.plain(story), sourceLocation: sourceLocation)
}
