import AlarmEngine

/// One device's engine as the page sees it: numbers and bytes in, bytes out. It decides nothing itself.
public struct WebSession: Sendable {
  public private(set) var timeline: Timeline

  public init(device: DeviceID, settings: Settings, zones: [Zone]) {
    timeline = Timeline(device: device, settings: settings, zones: zones)
  }

  /// Inserts every row (`FixRow.width` numbers) that is a fix, in one go; the others are refused by name.
  ///
  /// - Precondition: whole rows.
  public mutating func insert(rows numbers: [Double]) -> Answer {
    precondition(numbers.count % FixRow.width == 0, "rows of seven numbers")
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

/// What one call changed.
public struct Answer: Equatable, Sendable {
  public struct RefusedRow: Equatable, Sendable {
    /// From 0.
    public let row: Int
    public let reason: FixRow.Refusal
    public init(row: Int, reason: FixRow.Refusal) {
      self.row = row
      self.reason = reason
    }
  }
  /// The events that became known.
  public let added: [Event]
  /// The events that turned out otherwise.
  public let retracted: [Event]
  /// The fixes that changed nothing, because they were there already or too old: `ignored` events all.
  public let ignored: [Event]
  public let refused: [RefusedRow]

  public init(added: [Event], retracted: [Event], ignored: [Event], refused: [RefusedRow]) {
    self.added = added
    self.retracted = retracted
    self.ignored = ignored
    self.refused = refused
  }

  init(_ change: Timeline.Change, refused: [RefusedRow] = []) {
    let ignored = change.refused.map { fix, reason in
      Event(
        time: fix.measuredAt, decidedAt: fix.measuredAt, learnedAt: fix.receivedAt,
        kind: .ignored(fix, reason))
    }
    self.init(added: change.added, retracted: change.retracted, ignored: ignored, refused: refused)
  }

  /// Little-endian: the number of bytes that follow for the events that became known, in 32 bits, and those events as
  /// `EventBytes`; the same for the events that turned out otherwise and for the ignored fixes; the number of refused
  /// rows in 32 bits, and of each its number in 32 and its reason in 8.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for events in [added, retracted, ignored] {
      let encoded = EventBytes.encode(events)
      Self.append(encoded.count, to: &bytes)
      bytes.append(contentsOf: encoded)
    }
    Self.append(refused.count, to: &bytes)
    for refusal in refused {
      Self.append(refusal.row, to: &bytes)
      bytes.append(refusal.reason.rawValue)
    }
    return bytes
  }

  private static func append(_ number: Int, to bytes: inout [UInt8]) {
    for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
  }
}
