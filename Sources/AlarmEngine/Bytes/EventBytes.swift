import Geometry

/// Events as bytes: equal events have equal bytes, on every machine and in the page.
///
/// Little-endian throughout. First the version (1), then the number of events in 32 bits, then each event:
/// its three times in 64 bits each, its kind in 8 bits, the contents of the kind. A distance, an angle or a
/// speed is the bit pattern of its double. A text is its length in 32 bits and its UTF-8. An optional value
/// starts with a byte 0 or 1. The byte before a fix's course is 2 more if the fix states an altitude, which
/// then comes last: the height, a byte for its reference, the optional error. Events without altitudes have
/// the bytes that they had before there were altitudes.
public enum EventBytes {
  public static let version: UInt8 = 1

  public static func encode(_ events: [Event]) -> [UInt8] {
    var writer = FieldWriter()
    writer.byte(version)
    writer.count(events.count)
    for event in events { writer.event(event) }
    return writer.bytes
  }

  /// Decodes bytes that `encode` wrote and refuses all others, so that encoding the result gives the same
  /// bytes again.
  ///
  /// - Throws: the first error, and its offset.
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

/// The reason why bytes are refused as events, as inputs or as a snapshot.
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
    /// Allowed: a finite number in the range of the field; a speed is not negative.
    case numberOutOfRange(Field)
    /// Allowed: `Instant.allowed`.
    case timeOutOfRange(given: Int64)
    /// The last event, or the last input of a snapshot, was followed by more.
    case bytesLeft(given: Int)
    /// The zones of a snapshot are not in ascending order, or one of them comes twice.
    case outOfOrder
  }
  public enum Field: UInt8, Sendable {
    case kind, cause, clearing, ignored, accuracy, presence, distance, speed, course
    /// Fields of snapshots.
    case phase, sound, flag, input, command
    case probability, weight
    case altitude
  }
  public let reason: Reason
  /// In bytes, from 0.
  public let offset: Int

  init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}
