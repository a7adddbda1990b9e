import AlarmEngine
import Geometry

/// One change of a ``KeptWatch``, with the time at which it was made.
public struct JournalEntry: Hashable, Sendable {
  public enum Content: Hashable, Sendable {
    /// Positions and a person's commands, except `Command.replaceZones`.
    case inputs([Input])
    /// Something fell due without a position.
    case timePassed
    case clockJumped(by: TimeSpan)
    case zones([Zone], Settings)
    /// All events up to this number were shown and sounded.
    case told(UInt64)
    /// The edition of the page's data (``PhoneInput/edition(_:)``).
    case edition(UInt64)
    /// Requests to the phone and its answers; they change no state.
    case noted([WatchNote])
  }
  public let at: Instant
  public let content: Content
  public init(_ content: Content, at: Instant) {
    self.content = content
    self.at = at
  }

  /// False for entries that a launch skips.
  var changesState: Bool { if case .noted = content { false } else { true } }
}

/// The entries since the last snapshot, in an append-only file.
///
/// Each entry: the number of bytes that follow its sum in 32 bits, a sum of them (FNV-1a, 32 bits), then its number from 1
/// in 64, its time in 64 (milliseconds since 1970), its kind in 8 and what belongs to the kind. All big-endian but what
/// ``InputBytes`` and ``ZoneListBytes`` write. A process that was ended while it wrote leaves a piece of an entry at the
/// end: reading stops before it, and what was in it was promised to nobody.
public enum Journal {
  /// Larger than any set of zones given to a phone.
  static let longestEntry = 64 << 20

  public static func bytes(of entry: JournalEntry, number: UInt64) -> [UInt8] {
    var body = DataWriter()
    body.word(number)
    body.instant(entry.at)
    switch entry.content {
    case .inputs(let inputs):
      body.byte(Kind.inputs.rawValue)
      body.blob(InputBytes.encode(inputs))
    case .timePassed: body.byte(Kind.timePassed.rawValue)
    case .clockJumped(let span):
      body.byte(Kind.clockJumped.rawValue)
      body.span(span)
    case .zones(let zones, let settings):
      body.byte(Kind.zones.rawValue)
      body.settings(settings)
      body.blob(ZoneListBytes.encode(zones))
    case .told(let last):
      body.byte(Kind.told.rawValue)
      body.word(last)
    case .edition(let edition):
      body.byte(Kind.edition.rawValue)
      body.word(edition)
    case .noted(let notes):
      body.byte(Kind.noted.rawValue)
      body.count(notes.count)
      for note in notes { note.write(to: &body) }
    }
    var whole = DataWriter()
    whole.half(UInt32(body.bytes.count))
    whole.half(Checksum.of(body.bytes[...]))
    return whole.bytes + body.bytes
  }

  /// True if a whole entry stands at the beginning.
  public static func begins(_ bytes: [UInt8]) -> Bool {
    var reader = DataReader(bytes[...])
    return (try? next(&reader)) != nil
  }

  /// - Returns: all entries that can be read, also those behind damage; whether the end is a piece of an entry, as a write
  ///   leaves it that was cut short; and whether there is damage before an entry.
  public static func read(
    _ bytes: [UInt8]
  ) -> (entries: [(number: UInt64, entry: JournalEntry)], isCut: Bool, isDamaged: Bool) {
    var entries: [(number: UInt64, entry: JournalEntry)] = []
    var (at, isCut, isDamaged) = (0, false, false)
    while at < bytes.count {
      var reader = DataReader(bytes[at...])
      if !isCut || mayBegin(at, bytes, after: entries.last?.number ?? 0), let entry = try? next(&reader) {
        isDamaged = isDamaged || isCut
        isCut = false
        entries.append(entry)
        at = bytes.count - reader.remaining
      } else {
        isCut = true
        at += 1
      }
    }
    return (entries, isCut, isDamaged)
  }

  /// The greatest number of entries that damage takes.
  private static let mostLost: UInt64 = 1 << 24

  /// True if the number of an entry that begins here would be a later one. Most places fail this, so that few checksums are
  /// computed.
  private static func mayBegin(_ at: Int, _ bytes: [UInt8], after last: UInt64) -> Bool {
    guard at + 16 <= bytes.count else { return false }
    var number: UInt64 = 0
    for byte in bytes[(at + 8)..<(at + 16)] { number = number << 8 | UInt64(byte) }
    return number > last && (last == 0 || number - last < mostLost)
  }

  private static func next(
    _ reader: inout DataReader
  ) throws(DataError) -> (number: UInt64, entry: JournalEntry) {
    let length = Int(try reader.half())
    let sum = try reader.half()
    guard length <= longestEntry else { throw .countTooLarge }
    let body = try reader.slice(length)
    guard Checksum.of(body) == sum else { throw .damaged }
    var content = DataReader(body)
    let number = try content.ordinal()
    let at = try content.instant()
    let entry = JournalEntry(try Self.content(&content), at: at)
    guard content.remaining == 0 else { throw .bytesLeft }
    return (number, entry)
  }

  private static func content(_ reader: inout DataReader) throws(DataError) -> JournalEntry.Content {
    guard let kind = Kind(rawValue: try reader.byte()) else { throw .unknown }
    switch kind {
    case .inputs:
      let bytes = try reader.blob()
      do { return .inputs(try InputBytes.decode(bytes)) } catch { throw .damaged }
    case .timePassed: return .timePassed
    case .clockJumped:
      let span = try reader.span()
      guard ClockJump.allowed.contains(span) else { throw .outOfRange }
      return .clockJumped(by: span)
    case .zones:
      let settings = try reader.settings()
      let bytes = try reader.blob()
      do { return .zones(try ZoneListBytes.decode(bytes), settings) } catch { throw .damaged }
    case .told: return .told(try reader.word())
    case .edition: return .edition(try reader.ordinal())
    case .noted:
      var notes: [WatchNote] = []
      let count = try reader.count(ofAtLeast: 1)
      var whole = reader
      for _ in 0..<count { notes.append(try WatchNote.read(&reader)) }
      // Numbers that mean the same are written in one way: a longitude of 181° is none of ours.
      var again = DataWriter()
      for note in notes { note.write(to: &again) }
      guard try whole.slice(whole.remaining - reader.remaining).elementsEqual(again.bytes) else {
        throw .damaged
      }
      return .noted(notes)
    }
  }

  private enum Kind: UInt8 {
    case inputs = 0
    case timePassed, clockJumped, zones, told, noted, edition
  }
}
