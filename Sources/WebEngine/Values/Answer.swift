import AlarmEngine

/// The changes by one call.
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
  /// The events that are no longer true.
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
      bytes.append(littleEndian: encoded.count)
      bytes.append(contentsOf: encoded)
    }
    bytes.append(littleEndian: refused.count)
    for refusal in refused {
      bytes.append(littleEndian: refusal.row)
      bytes.append(refusal.reason.rawValue)
    }
    return bytes
  }
}
