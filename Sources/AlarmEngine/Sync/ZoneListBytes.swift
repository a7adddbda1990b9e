/// Zones with all their fields as bytes; phones store the set that they watch in this form.
///
/// Little-endian: the version (1), the number of zones in 32 bits, then for each zone its id in 64 bits, the
/// number of its fields in 32 bits, and each field's number, length in 32 bits and bytes (``Zone/fields``).
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

  /// - Throws: the first fault found; truncated bytes give no zones at all.
  /// - Complexity: linear in the number of bytes, whatever counts they state.
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
  /// The time of all fields in such bytes, where no edit is compared with another one.
  fileprivate static let kept = Self(time: Instant(millisecondsSince1970: 0), counter: 0, node: 0)
}
