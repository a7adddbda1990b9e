import Geometry

/// Events as bytes: one form and one only for equal events, the same on every machine and in the page.
///
/// Little-endian throughout. First the version (1), then the number of events in 32 bits, then each event: its three
/// times in 64 bits each, its kind in 8, what the kind carries. A distance, an angle or a speed is the bit pattern
/// of its double; a text is its length in 32 bits and its UTF-8; what may be absent starts with a byte 0 or 1. The byte before a fix's
/// course is 2 more where the fix states an altitude, which then stands last: the height, a byte for what it is measured
/// from, the error that may be absent. Events without altitudes are as they were before there were any.
public enum EventBytes {
  public static let version: UInt8 = 1

  public static func encode(_ events: [Event]) -> [UInt8] {
    var writer = FieldWriter()
    writer.byte(version)
    writer.count(events.count)
    for event in events { writer.event(event) }
    return writer.bytes
  }

  /// Accepts what `encode` wrote, so that encoding the answer gives the same bytes again, and nothing else.
  ///
  /// - Throws: what is wrong first, and where.
  /// - Complexity: linear in the bytes, whatever counts they claim.
  public static func decode(_ bytes: [UInt8]) throws(EventBytesError) -> [Event] {
    var reader = EventReader(bytes)
    let start = reader.offset
    let found = try reader.byte()
    guard found == version else { throw EventBytesError(.version(given: found), at: start) }
    let count = try reader.count(ofAtLeast: EventReader.leastEvent)
    var events: [Event] = []
    events.reserveCapacity(count)
    for _ in 0..<count { events.append(try reader.event()) }
    guard reader.remaining == 0 else {
      throw EventBytesError(.bytesLeft(given: reader.remaining), at: reader.offset)
    }
    return events
  }
}

/// Why bytes are not events, or not a snapshot.
public struct EventBytesError: Error, Equatable, Sendable {
  public enum Reason: Equatable, Sendable {
    /// Allowed: `EventBytes.version`.
    case version(given: UInt8)
    case endsEarly(needed: Int, left: Int)
    /// More than the bytes that follow could hold.
    case countTooLarge(given: Int)
    /// No case of this type has that number.
    case unknown(Field, given: UInt8)
    /// Allowed: -90 to 90 degrees.
    case latitudeOutOfRange
    /// Allowed: -180 to 180 degrees.
    case longitudeOutOfRange
    /// Allowed: a finite number, not negative for a speed.
    case numberOutOfRange(Field)
    /// Allowed: `Instant.allowed`.
    case timeOutOfRange(given: Int64)
    /// The last event, or the last input of a snapshot, was followed by more.
    case bytesLeft(given: Int)
    /// Zones of a snapshot stand in ascending order, each once.
    case outOfOrder
  }
  public enum Field: UInt8, Sendable {
    case kind, cause, clearing, ignored, accuracy, presence, distance, speed, course
    /// Of snapshots.
    case phase, sound, flag, input, command
    case probability, weight
    case altitude
  }
  public let reason: Reason
  /// From 0.
  public let offset: Int

  init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}
