import AlarmEngine

extension ZonePack {
  /// Returns the bytes that the digest covers: the number of zones, then the id, length and PAD of each.
  /// - Precondition: ascending by id.
  public static func zoneBytes(_ entries: [Entry]) -> [UInt8] {
    precondition(
      zip(entries, entries.dropFirst()).allSatisfy { $0.id < $1.id }, "zones of a pack ascend by id")
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 + entries.reduce(0) { $0 + 12 + $1.pad.count })
    bytes.append(bigEndian: UInt32(entries.count))
    for entry in entries {
      bytes.append(bigEndian: entry.id.rawValue)
      bytes.append(bigEndian: UInt32(entry.pad.count))
      bytes += entry.pad
    }
    return bytes
  }

  /// Returns the bytes to be signed: the file without its signature.
  ///
  /// - Parameter keyID: ``PackLayout/keyIDLength`` bytes.
  /// - Precondition: key, digest and texts have lengths that a pack allows, and zones ascend by id.
  public func signedBytes(keyID: [UInt8]) -> [UInt8] {
    precondition(keyID.count == PackLayout.keyIDLength, "a key's id has \(PackLayout.keyIDLength) bytes")
    precondition(head.publicKey.count == Self.keyLength, "a key has \(Self.keyLength) bytes")
    precondition(head.digest.count == Self.digestLength, "a digest has \(Self.digestLength) bytes")
    precondition(
      head.keyChanges.count <= Self.maximumKeyChanges
        && PackKeyChange.lead(head.keyChanges, to: head.publicKey),
      "changes of the key lead to the key that signs")
    var bytes =
      PackLayout.magic + [head.keyChanges.isEmpty ? PackLayout.plainFormat : PackLayout.format]
    let entries: [Entry]
    let removed: [ZoneID]
    let base: Int64
    switch content {
    case .whole(let all): (entries, removed, base) = (all, [], 0)
    case .changes(let since, let changed, let gone): (entries, removed, base) = (changed, gone, since.number)
    }
    bytes += [base == 0 ? PackLayout.whole : PackLayout.changes, 0, 0]
    bytes += keyID + head.publicKey
    bytes.append(bigEndian: head.collection)
    bytes.append(bigEndian: UInt64(head.version.number))
    bytes.append(bigEndian: UInt64(base))
    bytes.append(bigEndian: UInt64(bitPattern: head.madeAt.millisecondsSince1970))
    bytes.append(bigEndian: UInt64(bitPattern: head.renewBy.millisecondsSince1970))
    bytes += head.digest
    for (text, most) in [
      (head.name, Self.maximumNameBytes), (head.about, Self.maximumAboutBytes),
      (head.publisher, Self.maximumNameBytes),
    ] {
      precondition(text.utf8.count <= most, "a text of a pack has its length checked before")
      bytes.append(bigEndian: UInt32(text.utf8.count))
      bytes += text.utf8
    }
    if !head.keyChanges.isEmpty {
      bytes.append(bigEndian: UInt32(head.keyChanges.count))
      bytes += head.keyChanges.flatMap(\.bytes)
    }
    bytes.append(bigEndian: UInt32(removed.count))
    for id in removed { bytes.append(bigEndian: id.rawValue) }
    return bytes + Self.zoneBytes(entries)
  }
}

/// Numbers of the format.
public enum PackLayout {
  static let magic = Array("PRXPACK".utf8)
  /// The highest format that this program reads; it has changes of the publisher's key.
  public static let format: UInt8 = 2
  /// The format of a pack whose publisher has never changed the key.
  static let plainFormat: UInt8 = 1
  static let whole: UInt8 = 1
  static let changes: UInt8 = 2
  /// The first bytes of SHA-256 of the public key.
  public static let keyIDLength = 8
}

extension [UInt8] {
  fileprivate mutating func append(bigEndian value: UInt32) {
    for shift in stride(from: 24, through: 0, by: -8) { append(UInt8(truncatingIfNeeded: value >> shift)) }
  }
  fileprivate mutating func append(bigEndian value: UInt64) {
    for shift in stride(from: 56, through: 0, by: -8) { append(UInt8(truncatingIfNeeded: value >> shift)) }
  }
}
