import Geometry

/// The fields of a zone that are edited independently. Numbers are only added, never changed.
public enum ZoneField: UInt8, Sendable, CaseIterable {
  case name = 1
  case category = 2
  case active = 3
  case vibrate = 4
  case priority = 5
  case sleepTime = 6
  case size = 7
  case inset = 8
  case alertDistance = 9
  case leadTime = 10
  case soundName = 11
  /// The outline and the meaning of its edges. As two fields, edits on two devices could merge into a shape
  /// that nobody drew.
  case outline = 12
  case trigger = 13
  case schedule = 14
  case assurance = 15
  case messages = 16
  case notice = 17
  case unknownRows = 18
  /// Floor and ceiling. As two fields, the floor of one edit could end up above the ceiling of another.
  case band = 19
}

extension Zone {
  /// All fields except the id, as bytes, ascending. `Zone(id:record:)` gives an equal zone.
  public var fields: [(field: UInt8, value: [UInt8])] { draft.fields }

  /// Creates the zone of an existing record. A missing field has the value of a new zone; unknown fields are
  /// ignored.
  ///
  /// - Throws: the first fault found: `.missing` if there is no outline or one without places, `.number` if a
  ///   number is out of range.
  public init(id: ZoneID, record: SyncRecord) throws(FieldError) {
    let (draft, fault) = ZoneDraft.readable(id: id, record)
    if let fault { throw fault }
    do { try self.init(draft) } catch {
      if case .outOfRange(let number) = error { throw .number(number) }
      throw .missing(field: ZoneField.outline.rawValue)
    }
  }
}

extension ZoneDraft {
  /// All fields except the id, as bytes, ascending. `ZoneDraft.stored(id:record:)` gives an equal draft,
  /// whatever its values.
  public var fields: [(field: UInt8, value: [UInt8])] {
    ZoneField.allCases.map { field in
      (field.rawValue, FieldWriter.write { write(field, &$0) })
    }
  }

  private func write(_ field: ZoneField, _ writer: inout FieldWriter) {
    switch field {
    case .name: writer.text(name)
    case .category: writer.text(category)
    case .active: writer.flag(active)
    case .vibrate: writer.flag(vibrate)
    case .priority: writer.half(UInt32(bitPattern: priority))
    case .sleepTime: writer.optional(sleepTime) { $0.span($1) }
    case .size: writer.optional(size) { $0.distance($1) }
    case .inset: writer.distance(inset)
    case .alertDistance: writer.distance(alertDistance)
    case .leadTime: writer.optional(leadTime) { $0.span($1) }
    case .soundName: writer.text(soundName)
    case .outline: writer.outline(outline, edges)
    case .trigger: writer.trigger(trigger)
    case .schedule: writer.optional(schedule) { $0.schedule($1) }
    case .assurance: writer.byte(assurance.rawValue)
    case .messages: writer.list(messages) { $0.message($1) }
    case .notice: writer.optional(notice) { $0.notice($1) }
    case .unknownRows: writer.list(unknownRows) { writer, row in writer.list(row) { $0.text($1) } }
    case .band:
      writer.optional(floor) { $0.distance($1) }
      writer.optional(ceiling) { $0.distance($1) }
    }
  }

  /// Reads as much of a record as possible, for a zone that is already stored. An unreadable field has the
  /// value of a new zone. A number out of range is kept, so that people can see and correct it.
  ///
  /// - Returns: `fault` is the reason why the zone cannot be watched; nil if there is none. It does not tell
  ///   if the zone has an area.
  public static func stored(id: ZoneID, record: SyncRecord) -> (draft: ZoneDraft, fault: ZoneError?) {
    let (draft, fault) = readable(id: id, record)
    if let fault { return (draft, .unreadable(fault)) }
    do { try draft.check() } catch { return (draft, error) }
    return (draft, nil)
  }

  fileprivate static func readable(id: ZoneID, _ record: SyncRecord) -> (draft: ZoneDraft, fault: FieldError?)
  {
    var draft = ZoneDraft(id: id, name: .empty, outline: .locations([]))
    var fault: FieldError?
    if record.value(of: ZoneField.outline.rawValue) == nil {
      fault = .missing(field: ZoneField.outline.rawValue)
    }
    for register in record.fields {
      guard let field = ZoneField(rawValue: register.field) else { continue }
      do throws(FieldError) {
        var reader = FieldReader(register.value)
        try draft.read(field, &reader)
        try reader.end()
      } catch {
        if fault == nil { fault = error }
      }
    }
    return (draft, fault)
  }

  private mutating func read(_ field: ZoneField, _ reader: inout FieldReader) throws(FieldError) {
    typealias Reader = FieldReader
    switch field {
    case .name: name = try reader.text()
    case .category: category = try reader.text()
    case .active: active = try reader.flag()
    case .vibrate: vibrate = try reader.flag()
    case .priority: priority = Int32(bitPattern: try reader.half())
    case .sleepTime: sleepTime = try reader.optional { (r: inout Reader) throws(FieldError) in try r.span() }
    case .size: size = try reader.optional { (r: inout Reader) throws(FieldError) in try r.distance() }
    case .inset: inset = try reader.distance()
    case .alertDistance: alertDistance = try reader.distance()
    case .leadTime: leadTime = try reader.optional { (r: inout Reader) throws(FieldError) in try r.span() }
    case .soundName: soundName = try reader.text()
    case .outline: (outline, edges) = try reader.outline()
    case .trigger: trigger = try reader.trigger()
    case .schedule:
      schedule = try reader.optional { (r: inout Reader) throws(FieldError) in try r.schedule() }
    case .assurance:
      let number = try reader.byte()
      guard let value = Assurance(rawValue: number) else { throw .unknown(given: number) }
      assurance = value
    case .messages:
      messages = try reader.list(ofAtLeast: 16) { (r: inout Reader) throws(FieldError) in try r.message() }
    case .notice: notice = try reader.optional { (r: inout Reader) throws(FieldError) in try r.notice() }
    case .unknownRows:
      unknownRows = try reader.list(ofAtLeast: 4) { (r: inout Reader) throws(FieldError) in
        try r.list(ofAtLeast: 4) { (r: inout Reader) throws(FieldError) in try r.text() }
      }
    case .band:
      floor = try reader.optional { (r: inout Reader) throws(FieldError) in try r.distance() }
      ceiling = try reader.optional { (r: inout Reader) throws(FieldError) in try r.distance() }
    }
  }
}
