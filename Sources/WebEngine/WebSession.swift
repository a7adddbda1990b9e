import AlarmEngine
import PAD

/// One device's engine as the page sees it: numbers and bytes in, bytes out. It makes no decisions.
public struct WebSession: Sendable {
  public private(set) var timeline: Timeline
  /// The faults in the zones with which the session was started.
  public let issues: [PADIssue]

  /// - Parameter pad: the zones, as Proximity Alarm Data. All readable ones are watched.
  public init(device: DeviceID, settings: Settings, pad: [UInt8]) {
    let reader = PADReader.read(pad)
    issues = reader.issues
    timeline = Timeline(device: device, settings: settings, zones: reader.zones)
  }

  /// Little-endian, 32 bits each: how many zones watch, how many have no area and do not, the number of issues; then
  /// for each issue its line in 32 bits and in 8 whether something was left out (1) or merely odd (0).
  public var startBytes: [UInt8] {
    var bytes: [UInt8] = []
    for count in [timeline.zones.count, timeline.refusedZones.count, issues.count] {
      bytes.append(littleEndian: count)
    }
    for issue in issues {
      bytes.append(littleEndian: issue.line)
      bytes.append(issue.isError ? 1 : 0)
    }
    return bytes
  }

  /// Inserts every row (`FixRow.width` numbers) that is a fix, in one go; the others are refused by name.
  ///
  /// - Precondition: whole rows.
  public mutating func insert(rows numbers: [Double]) -> Answer {
    precondition(numbers.count % FixRow.width == 0, "rows of ten numbers")
    var inputs: [Input] = []
    inputs.reserveCapacity(numbers.count / FixRow.width)
    var refused: [Answer.RefusedRow] = []
    var row = 0
    for start in stride(from: 0, through: numbers.count - FixRow.width, by: FixRow.width) {
      do {
        inputs.append(.fix(try FixRow.fix(numbers[start..<(start + FixRow.width)])))
      } catch {
        refused.append(Answer.RefusedRow(row: row, reason: error))
      }
      row += 1
    }
    return Answer(timeline.insert(inputs), refused: refused)
  }

  /// Lets time pass to `now`: repeats, dwells, schedules.
  public mutating func advance(to now: Instant) -> Answer {
    Answer(timeline.advance(to: now))
  }

  /// All events so far, as `EventBytes`.
  public var eventBytes: [UInt8] { EventBytes.encode(timeline.events) }
}

extension [UInt8] {
  /// The lower 32 bits.
  mutating func append(littleEndian number: Int) {
    for shift in stride(from: 0, to: 32, by: 8) { append(UInt8(truncatingIfNeeded: number >> shift)) }
  }
}
