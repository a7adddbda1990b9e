import AlarmEngine
import Formats
import Geometry
import Store

/// The text of a notice for people.
public struct NoticeWords: Hashable, Sendable {
  /// One line: the zone, or the problem.
  public let title: String
  /// Several lines: the event and its time, the distance, the person's own messages.
  public let body: String

  /// Makes the text in English. Names are used unchanged, except for control characters.
  public init(_ notice: AlarmNotice) {
    if let content = notice.content {
      self.init(showing: content, of: notice.zone)
    } else {
      self.init(telling: notice)
    }
  }

  private init(telling notice: AlarmNotice) {
    let place = notice.zone.map { $0.name.excerpt(100) } ?? ""
    let device = notice.device.name.excerpt(100)
    let who = place.isEmpty ? "The other" : place
    let what: String
    switch notice.message {
    case .ring(_, let cause), .repeat(_, let cause):
      title = place.isEmpty ? "Alarm" : place
      what = Self.words(for: cause, device: device)
    case .cleared:
      title = place.isEmpty ? "Alarm over" : "\(place): over"
      what = "\(device) is clear."
    case .missedSignal:
      title = place.isEmpty ? "Signal lost" : "\(place): signal lost"
      what = "\(device) was close by and has not reported since."
    case .deviceSilent:
      title = "\(device) is silent"
      what = "It must report and does not."
    case .batteryLow(let level):
      title = "\(device): battery low (\(Int((level * 100).rounded())) %)"
      what = "When it is empty, no zone rings. Charge it."
    case .distress:
      title = "SOS from \(device)"
      what = "The SOS button was pressed."
    case .checkInMissed:
      title = "\(device) is not back"
      what = "\(device) wanted to be back by the time below, and has not said so."
    case .checkInOver:
      title = "\(device) has answered"
      what = "\(device) is back, or has set a later time. The alarm about the missed time is over."
    case .checkInSoon:
      title = "Are you back soon?"
      what =
        "At the time below your channels are told that you are not back. Say that you are, or choose a later time."
    case .notArrived(_, let time):
      let by = time.isEmpty ? "in time" : "by \(time.excerpt(20))"
      title = "\(device) has not arrived\(place.isEmpty ? "" : " at \(place)") \(by)"
      what = "No position shows that \(device) is there."
    case .arrived(_, let time):
      let there = place.isEmpty ? "there" : "at \(place)"
      title =
        time.isEmpty
        ? "\(device) was \(there) in time" : "\(device) arrived \(there) at \(time.excerpt(20))"
      what = "The alarm about the missed time is over."
    case .deviceUnreadable(let why):
      title = "\(device) cannot be read"
      what =
        why == .malformed
        ? "No position can be read in what it sends. No zone rings until one can: check the app's settings."
        : "Its messages are encrypted, and the server has no key that opens them. No zone rings until the key is set."
    case .companionNear:
      title = "\(who) is near"
      what = "\(device) and \(who) are within the distance that was set."
    case .companionApart:
      title = "\(who) is away"
      what = "\(device) and \(who) are farther apart than was set."
    case .companionLost:
      title = "\(who): no position"
      what = "\(device) or \(who) has not reported for long. Nothing rings until both are known again."
    case .companionEnded:
      title = "\(who): no longer watched"
      what = "The place is not shown any more, or its owner refused the alarm. It will not ring again."
    case .perhaps:
      title = place.isEmpty ? "Perhaps inside" : "Perhaps at \(place)"
      what = "\(device) may be inside, but more likely is not. It rings when a position makes that likely."
    case .notice:
      title = place
      what = "\(device) is here."
    case .reminder:
      title = "Reminder"
      what = "\(device) is near one of its places."
    case .test:
      title = "Test"
      what = "A test alarm from Proximity Alarm for \(device)."
    }
    var lines = [what]
    if let distance = notice.distance {
      lines.append(notice.kind.isOfTwo ? Self.words(apart: distance) : Self.words(for: distance))
    }
    var time = "At \(RFC3339.string(from: notice.time))"
    if notice.learnedAt - notice.time > .minutes(1) {
      time += ", learnt at \(RFC3339.string(from: notice.learnedAt))"
    }
    lines.append(time + ".")
    if let position = notice.position?.coordinate {
      lines.append("Position \(Self.degrees(position.latitude)), \(Self.degrees(position.longitude)).")
    }
    lines += notice.messages.map { $0.excerpt(1000) }.filter { !$0.isEmpty }
    body = lines.joined(separator: "\n")
  }

  /// Makes the text of the information that a zone shows on entry, or of a reminder.
  private init(showing content: AlarmNotice.Content, of zone: AlarmNotice.Place?) {
    let name = zone?.name.excerpt(100) ?? ""
    let title = content.title.excerpt(200)
    self.title = title.isEmpty ? (name.isEmpty ? "Notice" : name) : title
    body = [content.text, content.link.excerpt(1000)].filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private static func words(for cause: Cause, device: String) -> String {
    switch cause {
    case .inside: "\(device) is inside."
    case .near: "\(device) is near."
    case .passed: "\(device) passed through."
    case .dwell: "\(device) stays inside."
    case .left: "\(device) has left."
    case .possible: "\(device) may be inside."
    }
  }

  private static func words(apart distance: Distance) -> String {
    "\(Int(max(0, min(5e7, distance.metres)).rounded())) m apart."
  }

  private static func words(for distance: Distance) -> String {
    // Limited to the Earth's circumference, so that whole metres fit any integer.
    let metres = Int(max(-5e7, min(5e7, distance.metres)).rounded())
    return metres < 0 ? "\(-metres) m inside." : "\(metres) m away."
  }

  /// Returns an angle with five decimals: a metre.
  private static func degrees(_ angle: Angle) -> String {
    let scaled = Int((abs(angle.degrees) * 100_000).rounded())
    let fraction = String(scaled % 100_000)
    return (angle.degrees < 0 && scaled > 0 ? "-" : "") + "\(scaled / 100_000)."
      + String(repeating: "0", count: 5 - fraction.count) + fraction
  }
}

extension AlarmNotice.Kind {
  /// True if the distance is between two devices.
  fileprivate var isOfTwo: Bool { self == .companionNear || self == .companionApart }
}
