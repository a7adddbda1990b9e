import AlarmEngine
import PAD

/// A parsed pack whose signature is not yet verified.
public struct SealedPack: Sendable {
  /// The content; not to be trusted until the signature is verified.
  public let pack: ZonePack
  /// The id of the key that the file states.
  public let keyID: [UInt8]
  /// The signed bytes.
  public let signed: ArraySlice<UInt8>
  public let signature: ArraySlice<UInt8>

  /// Parses a file strictly: each pack has exactly one encoding.
  ///
  /// Linear in the number of bytes. A stated length takes memory only for bytes that are present.
  /// - Throws: the first error found; never `.wrongSignature` or an error of a later check.
  public init(_ bytes: [UInt8]) throws(PackError) {
    guard bytes.count <= ZonePack.maximumBytes else {
      throw .tooLarge(bytes: bytes.count, allowed: ZonePack.maximumBytes)
    }
    let magic = PackLayout.magic
    guard bytes.prefix(magic.count).elementsEqual(magic.prefix(bytes.count)), !bytes.isEmpty else {
      throw .notAPack
    }
    // The last bytes are the signature, whatever precedes them.
    let end = max(0, bytes.count - ZonePack.signatureLength)
    var reader = PackReader(bytes: bytes[..<end], whole: bytes.count)
    _ = try reader.take(magic.count)
    let format = try reader.byte()
    guard format == PackLayout.format || format == PackLayout.plainFormat else {
      throw .unknownFormat(found: format, known: PackLayout.format)
    }
    let kind = try reader.byte()
    guard kind == PackLayout.whole || kind == PackLayout.changes else { throw reader.malformed(.kind, 1) }
    guard try reader.byte() == 0, try reader.byte() == 0 else { throw reader.malformed(.reserved, 1) }
    keyID = Array(try reader.take(PackLayout.keyIDLength))
    let key = Array(try reader.take(ZonePack.keyLength))
    let collection = try reader.number()
    guard let version = PackVersion(Int64(truncatingIfNeeded: try reader.number())) else {
      throw reader.malformed(.version, 8)
    }
    let base = try reader.number()
    let since = PackVersion(Int64(truncatingIfNeeded: base))
    guard kind == PackLayout.whole ? base == 0 : since.map({ $0 <= version }) ?? false else {
      throw reader.malformed(.base, 8)
    }
    let madeAt = try reader.instant()
    let renewBy = try reader.instant()
    guard madeAt <= renewBy else { throw reader.malformed(.times, 8) }
    let digest = Array(try reader.take(ZonePack.digestLength))
    let name = try reader.text(ZonePack.maximumNameBytes)
    let about = try reader.text(ZonePack.maximumAboutBytes)
    let publisher = try reader.text(ZonePack.maximumNameBytes)
    let changes = format == PackLayout.plainFormat ? [] : try reader.keyChanges(to: key)
    let removed = try reader.removed()
    guard kind == PackLayout.changes || removed.isEmpty else { throw reader.malformed(.removed, 0) }
    let entries = try reader.entries()
    let gone = Set(removed)
    guard gone.isEmpty || entries.allSatisfy({ !gone.contains($0.id) }) else {
      throw reader.malformed(.removed, 0)
    }
    guard reader.at == end else { throw .bytesLeftOver(at: reader.at, count: end - reader.at) }
    pack = ZonePack(
      head: ZonePack.Head(
        publicKey: key, collection: collection, version: version, madeAt: madeAt, renewBy: renewBy,
        name: name, about: about, publisher: publisher, digest: digest, keyChanges: changes),
      content: kind == PackLayout.whole
        ? .whole(entries) : .changes(since: since ?? version, changed: entries, removed: removed))
    signed = bytes[..<end]
    signature = bytes[end...]
  }

  /// True if a file begins like a pack.
  public static func looksLikeOne(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.prefix(PackLayout.magic.count).elementsEqual(PackLayout.magic)
  }
}

/// Reads the parts of a pack, in their order.
private struct PackReader {
  let bytes: ArraySlice<UInt8>
  /// The length of the file with its signature, reported as the place where a truncated file ends.
  let whole: Int
  private(set) var at = 0

  init(bytes: ArraySlice<UInt8>, whole: Int) {
    self.bytes = bytes
    self.whole = whole
  }

  /// Returns the error for a malformed part that began `back` bytes before the current position.
  func malformed(_ part: PackError.Part, _ back: Int) -> PackError { .malformed(what: part, at: at - back) }

  mutating func take(_ count: Int) throws(PackError) -> ArraySlice<UInt8> {
    guard count <= bytes.count - at else { throw .cutOff(at: whole) }
    defer { at += count }
    return bytes[at..<at + count]
  }

  mutating func byte() throws(PackError) -> UInt8 { try take(1).first ?? 0 }
  mutating func count() throws(PackError) -> Int { try take(4).reduce(0) { $0 << 8 | Int($1) } }
  mutating func number() throws(PackError) -> UInt64 { try take(8).reduce(0) { $0 << 8 | UInt64($1) } }

  mutating func instant() throws(PackError) -> Instant {
    let milliseconds = Int64(bitPattern: try number())
    let instant = Instant(millisecondsSince1970: milliseconds)
    guard Instant.allowed.contains(instant), instant.millisecondsSince1970 == milliseconds else {
      throw malformed(.times, 8)
    }
    return instant
  }

  mutating func text(_ most: Int) throws(PackError) -> String {
    let length = try count()
    guard length <= most else { throw malformed(.text, 4) }
    let found = try take(length)
    guard let text = String(validating: found, as: UTF8.self) else { throw malformed(.text, length) }
    return text
  }

  /// Reads the key changes, at least one: a pack without any has the plain format.
  mutating func keyChanges(to key: [UInt8]) throws(PackError) -> [PackKeyChange] {
    let found = try count()
    guard (1...ZonePack.maximumKeyChanges).contains(found) else { throw malformed(.keyChanges, 4) }
    var changes: [PackKeyChange] = []
    for _ in 0..<found {
      let bytes = try take(PackKeyChange.length)
      do throws(PackError) { changes.append(try PackKeyChange(bytes)) } catch {
        guard case .malformed(let part, let offset) = error else { throw error }
        throw malformed(part, PackKeyChange.length - offset)
      }
    }
    guard PackKeyChange.lead(changes, to: key) else {
      throw malformed(.keyChanges, found * PackKeyChange.length)
    }
    return changes
  }

  mutating func removed() throws(PackError) -> [ZoneID] {
    let found = try checkedCount()
    var ids: [ZoneID] = []
    ids.reserveCapacity(min(found, (bytes.count - at) / 8))
    for _ in 0..<found {
      let id = ZoneID(rawValue: try number())
      if let last = ids.last, last >= id { throw malformed(.order, 8) }
      ids.append(id)
    }
    return ids
  }

  mutating func entries() throws(PackError) -> [ZonePack.Entry] {
    let found = try checkedCount()
    var entries: [ZonePack.Entry] = []
    entries.reserveCapacity(min(found, (bytes.count - at) / 12))
    for _ in 0..<found {
      let id = ZoneID(rawValue: try number())
      if let last = entries.last, last.id >= id { throw malformed(.order, 8) }
      entries.append(ZonePack.Entry(id: id, pad: Array(try take(try count()))))
    }
    return entries
  }

  private mutating func checkedCount() throws(PackError) -> Int {
    let found = try count()
    guard found <= ZonePack.maximumZones else {
      throw .tooManyZones(found: found, allowed: ZonePack.maximumZones)
    }
    return found
  }
}
