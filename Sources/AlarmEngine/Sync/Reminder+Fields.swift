import Geometry

extension Reminder {
  /// All but its id, as bytes, ascending: `Reminder(id:record:)` gives an equal reminder, whatever it holds.
  public var fields: [(field: UInt8, value: [UInt8])] {
    ReminderField.allCases.map { field in
      (field.rawValue, FieldWriter.write { write(field, &$0) })
    }
  }

  private func write(_ field: ReminderField, _ writer: inout FieldWriter) {
    switch field {
    case .title: writer.text(title)
    case .items:
      writer.list(items) { writer, item in
        writer.text(item.text)
        writer.flag(item.done)
      }
    case .places:
      writer.list(places) { writer, place in
        writer.text(place.name)
        writer.place(place.coordinate)
      }
    case .radius: writer.distance(radius)
    case .repeats: writer.flag(repeats)
    case .state:
      switch state {
      case .active: writer.byte(0)
      case .snoozed(let until):
        writer.byte(1)
        writer.instant(until)
      case .completed: writer.byte(2)
      }
    }
  }

  /// The reminder of a record that exists. Fields it lacks have the value that a new reminder gives them, fields that
  /// are not known yet are passed over.
  ///
  /// - Throws: what is wrong first.
  public init(id: ReminderID, record: SyncRecord) throws(FieldError) {
    typealias Reader = FieldReader
    func read<Value>(
      _ field: ReminderField, _ body: (inout Reader) throws(FieldError) -> Value
    ) throws(FieldError) -> Value? {
      guard let bytes = record.value(of: field.rawValue) else { return nil }
      return try Reader.read(bytes, body)
    }
    let title = try read(.title) { (r: inout Reader) throws(FieldError) in try r.text() }
    let items = try read(.items) { (r: inout Reader) throws(FieldError) in
      try r.list(ofAtLeast: 5) { (r: inout Reader) throws(FieldError) in
        Item(try r.text(), done: try r.flag())
      }
    }
    let places = try read(.places) { (r: inout Reader) throws(FieldError) in
      try r.list(ofAtLeast: 20) { (r: inout Reader) throws(FieldError) in
        Place(name: try r.text(), coordinate: try r.place())
      }
    }
    let radius = try read(.radius) { (r: inout Reader) throws(FieldError) in try r.distance() }
    let repeats = try read(.repeats) { (r: inout Reader) throws(FieldError) in try r.flag() }
    let state = try read(.state) { (r: inout Reader) throws(FieldError) in try r.reminderState() }
    do {
      try self.init(
        id: id, title: title ?? .empty, items: items ?? [], places: places ?? [],
        radius: radius ?? Self.defaultRadius, repeats: repeats ?? false, state: state ?? .active)
    } catch { throw .reminder(error) }
  }
}

extension FieldReader {
  fileprivate mutating func reminderState() throws(FieldError) -> Reminder.State {
    let kind = try byte()
    switch kind {
    case 0: return .active
    case 1: return .snoozed(until: try instant())
    case 2: return .completed
    default: throw .unknown(given: kind)
    }
  }
}
