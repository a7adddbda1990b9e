extension SyncRecord {
  public static let version: UInt8 = 1

  /// The record as bytes, the same for equal records: the version, the time of deletion, then the fields,
  /// each with its number, the time of its edit and its value.
  public var bytes: [UInt8] {
    FieldWriter.write { writer in
      writer.byte(Self.version)
      writer.optional(deletedAt) { $0.time($1) }
      writer.list(fields) { writer, register in
        writer.byte(register.field)
        writer.time(register.editedAt)
        writer.blob(register.value)
      }
    }
  }

  /// - Throws: the first fault found, for any other bytes.
  public init(bytes: [UInt8]) throws(FieldError) {
    self = try FieldReader.read(bytes) { (reader: inout FieldReader) throws(FieldError) in
      let found = try reader.byte()
      guard found == Self.version else { throw .version(given: found) }
      let deletedAt = try reader.optional { (reader: inout FieldReader) throws(FieldError) in
        try reader.time()
      }
      var last: UInt8?
      let fields = try reader.list(ofAtLeast: 25) { (reader: inout FieldReader) throws(FieldError) in
        let field = try reader.byte()
        if let last, field <= last { throw .outOfOrder(field: field) }
        last = field
        let time = try reader.time()
        return FieldRegister(field: field, value: try reader.blob(), editedAt: time)
      }
      return SyncRecord(fields: fields, deletedAt: deletedAt)
    }
  }
}
