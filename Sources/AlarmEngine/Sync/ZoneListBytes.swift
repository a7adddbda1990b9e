/// Zones as bytes, with all that is in them, as a phone keeps the set that it watches.
///
/// Little-endian: the version (1), the number of zones in 32 bits, then each: its id in 64 bits, the number of its fields
/// in 32, and each field's number and bytes (``Zone/fields``).
public enum ZoneListBytes {
  public static let version: UInt8 = 1

  public static func encode(_ zones: [Zone]) -> [UInt8] {
    FieldWriter.write { writer in
      writer.byte(version)
      writer.list(zones) { writer, zone in
        writer.word(zone.id.rawValue)
        writer.list(zone.fields) { writer, field in
          writer.byte(field.field)
          writer.blob(field.value)
        }
      }
    }
  }

  /// - Throws: what is wrong first; bytes that were cut off give no zone at all.
  /// - Complexity: linear in the bytes, whatever counts they claim.
  public static func decode(_ bytes: [UInt8]) throws(FieldError) -> [Zone] {
    try FieldReader.read(bytes) { (reader: inout FieldReader) throws(FieldError) in
      let found = try reader.byte()
      guard found == version else { throw .version(given: found) }
      return try reader.list(ofAtLeast: 12) { (reader: inout FieldReader) throws(FieldError) in
        let id = ZoneID(rawValue: try reader.word())
        let fields = try reader.list(ofAtLeast: 5) { (reader: inout FieldReader) throws(FieldError) in
          FieldRegister(field: try reader.byte(), value: try reader.blob(), editedAt: .kept)
        }
        return try Zone(id: id, record: SyncRecord(fields: fields))
      }
    }
  }
}

extension HybridTime {
  /// Of fields that stand side by side; no edit is compared with it.
  fileprivate static let kept = Self(time: Instant(millisecondsSince1970: 0), counter: 0, node: 0)
}
