/// The file that an app exports: snapshots and journals of one installation, the oldest first. Each journal
/// follows the snapshot that precedes its entries, so the file alone suffices to replay the phone's
/// decisions.
///
/// `PXJ1`, then each part: its kind in 8 bits (1 a snapshot, 2 a journal), the number of its bytes in 32, its bytes.
/// Big-endian. Android's `WatchFiles.java` writes the same.
public enum JournalExport {
  public enum Part: Hashable, Sendable {
    case snapshot([UInt8])
    case journal([UInt8])
  }

  public static var mark: [UInt8] { Array("PXJ1".utf8) }

  public static func bytes(of parts: [Part]) -> [UInt8] {
    var writer = DataWriter()
    for byte in mark { writer.byte(byte) }
    for part in parts {
      switch part {
      case .snapshot(let bytes):
        writer.byte(Kind.snapshot.rawValue)
        writer.blob(bytes)
      case .journal(let bytes):
        writer.byte(Kind.journal.rawValue)
        writer.blob(bytes)
      }
    }
    return writer.bytes
  }

  /// - Returns: the parts up to the first that is truncated or of an unknown kind, and whether there was one.
  ///   The remaining bytes of a truncated journal are the last part.
  /// - Throws: if the file does not begin as an export does.
  public static func read(_ bytes: [UInt8]) throws(DataError) -> (parts: [Part], isCut: Bool) {
    var reader = DataReader(bytes[...])
    guard try reader.slice(mark.count).elementsEqual(mark) else { throw .unknown }
    var parts: [Part] = []
    while reader.remaining > 0 {
      guard let kind = (try? reader.byte()).flatMap({ Kind(rawValue: $0) }), let count = try? reader.half()
      else { return (parts, true) }
      let isWhole = Int(count) <= reader.remaining
      let content = Array(try reader.slice(min(Int(count), reader.remaining)))
      switch kind {
      case .snapshot: if isWhole { parts.append(.snapshot(content)) }
      case .journal: parts.append(.journal(content))
      }
      if !isWhole { return (parts, true) }
    }
    return (parts, false)
  }

  private enum Kind: UInt8 {
    case snapshot = 1
    case journal
  }
}
