import AlarmEngine
import CommandLineSupport
import Formats
import Geometry
import PhoneSimulator

/// The log of one policy on one phone: `log.txt` for reading (S170), `track.gpx` for a map.
struct SimulationLog {
  /// The name of the trial's folder: scenario, policy, host, profile and seed.
  let name: String
  /// One line per time: the policy's input, its answer, and the alarms.
  let text: String
  /// The fixes that the policy saw.
  let gpx: String

  /// The most logs written at once.
  static let most = 200

  init(_ trial: JournaledTrial, of entry: SimulationRun.Entry) {
    let subject = entry.subject
    let parts = [
      trial.course.scenario, subject.policy, subject.host, subject.profile, "seed \(entry.seed)",
      "course \(entry.course + 1)",
    ]
    name = Self.fileName(parts.joined(separator: " "))

    var lines: [(time: Instant, words: String)] = []
    var fixes: [Fix] = []
    for moment in trial.journal.entries {
      if case .fix(let fix) = moment.event { fixes.append(fix) }
      var words = Self.words(moment.event)
      if !moment.commands.isEmpty {
        words += " -> " + moment.commands.map { Self.words($0) }.joined(separator: ", ")
      }
      lines.append((moment.time, words + " (\(LabTool.words(moment.reason.rule)))"))
    }
    let names = Dictionary(
      trial.course.zones.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    for alarm in trial.raised {
      let zone = names[alarm.zone].map { displayName($0) } ?? "a zone"
      lines.append((alarm.raisedAt, "ALARM \(zone): \(CommandLineSupport.words(alarm.cause))"))
    }
    text =
      lines.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map { "\(timeWords($0.element.time))  \($0.element.words)\n" }.joined()
    let points = fixes.map { TrackFile.Point(fix: $0) }
    gpx = TrackFile(devices: [TrackFile.Device(name: subject.policy, points: points)], issues: []).gpx()
  }

  /// Keeps letters, digits and hyphens, so that the name is one folder on any system.
  static func fileName(_ words: String) -> String {
    var name = ""
    for character in words.lowercased() {
      if character.isASCII, character.isLetter || character.isNumber {
        name.append(character)
      } else if !name.hasSuffix("-") {
        name.append("-")
      }
    }
    return name
  }
}

// MARK: Words

extension SimulationLog {
  private static func words(_ place: Coordinate) -> String {
    "\(fixedPoint(place.latitude.degrees, decimals: 6)),\(fixedPoint(place.longitude.degrees, decimals: 6))"
  }

  private static func words(_ fix: Fix) -> String {
    guard case .radius(let radius) = fix.accuracy else { return words(fix.position) }
    return "\(words(fix.position)) within \(lengthWords(radius))"
  }

  private static func words(_ fence: FenceID) -> String {
    fence == .movement ? "the fence round the phone" : "a zone's fence"
  }

  private static func words(_ event: WatchEvent) -> String {
    switch event {
    case .started(let start, _, _):
      switch start {
      case .person: "started by a person"
      case .relaunch: "started again by the system"
      case .reboot: "started after the phone restarted"
      }
    case .stopped: "stopped"
    case .fix(let fix): "position \(words(fix))"
    case .fixFailed: "no position came"
    case .fenceEntered(let fence): "entered \(words(fence))"
    case .fenceExited(let fence): "left \(words(fence))"
    case .fenceState(let fence, let inside):
      "\(inside.map { $0 ? "inside" : "outside" } ?? "unknown whether inside") \(words(fence))"
    case .fenceFailed(let fence): "\(words(fence)) is not watched"
    case .significantChange(let fix): "significant change \(words(fix))"
    case .visitArrived(let place): "visit began at \(words(place))"
    case .visitDeparted(let place): "visit ended at \(words(place))"
    case .motion(let motion): "motion \(motion)"
    case .timer: "timer"
    case .capabilitiesChanged: "capabilities changed"
    case .cameToForeground: "came to the foreground"
    case .wentToBackground: "went to the background"
    case .willTerminate: "about to be terminated"
    case .zonesChanged: "zones changed"
    case .clockJumped(let span): "the clock was set by \(fixedPoint(span.seconds, decimals: 3)) s"
    }
  }

  private static func words(_ command: WatchCommand) -> String {
    switch command {
    case .session(let session): "session of \(LabTool.words(session.accuracy))"
    case .endSession: "end the session"
    case .requestFix(let accuracy, let within):
      "one position of \(LabTool.words(accuracy)) within \(spanWords(within))"
    case .fences(let fences):
      fences.isEmpty
        ? "no fences"
        : fences.count > 1
          ? "\(fences.count) fences"
          : "fence at \(words(fences[0].center) + " of " + lengthWords(fences[0].radius))"
    case .requestState(let fence): "request the state of \(words(fence))"
    case .significantChanges(let on): "significant changes \(on ? "on" : "off")"
    case .visits(let on): "visits \(on ? "on" : "off")"
    case .motion(let on): "motion \(on ? "on" : "off")"
    case .timer(let at): at.map { "timer at \(timeWords($0))" } ?? "no timer"
    case .holdBackground: "hold background time"
    case .releaseBackground: "release background time"
    case .warn(.cannotLocate): "warn: no position, and the phone may be inside a safety zone"
    case .warn(.wifiIsOff): "warn: Wi-Fi is off"
    case .warnIfSilent(let at):
      at.map { "warn at \(timeWords($0)) unless postponed" } ?? "no warning of silence"
    }
  }
}
