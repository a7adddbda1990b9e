import Geometry

extension Reminder {
  /// All fields except the id, as bytes, ascending. `Reminder(id:record:)` gives an equal reminder if a
  /// snooze ends within `Instant.allowed`.
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

  /// Creates the reminder of an existing record. A missing field has the value of a new reminder; unknown
  /// fields are ignored.
  ///
  /// - Throws: the first fault found.
  public init(id: ReminderID, record: SyncRecord) throws(FieldError) {
    let (reminder, fault) = Self.stored(id: id, record: record)
    if let fault { throw fault }
    self = reminder
  }

  /// Reads as much of a record as possible, for a reminder that is already stored. An unreadable field has
  /// the value of a new reminder.
  ///
  /// - Returns: `fault` is the reason why the reminder is not announced; nil if there is none.
  public static func stored(id: ReminderID, record: SyncRecord) -> (reminder: Reminder, fault: FieldError?) {
    typealias Reader = FieldReader
    var fault: FieldError?
    func read<Value>(
      _ field: ReminderField, _ body: (inout Reader) throws(FieldError) -> Value
    ) -> Value? {
      guard let bytes = record.value(of: field.rawValue) else { return nil }
      do { return try Reader.read(bytes, body) } catch {
        if fault == nil { fault = error }
        return nil
      }
    }
    let title = read(.title) { (r: inout Reader) throws(FieldError) in try r.text() }
    let items = read(.items) { (r: inout Reader) throws(FieldError) in
      try r.list(ofAtLeast: 5) { (r: inout Reader) throws(FieldError) in
        Item(try r.text(), done: try r.flag())
      }
    }
    let places = read(.places) { (r: inout Reader) throws(FieldError) in
      try r.list(ofAtLeast: 20) { (r: inout Reader) throws(FieldError) in
        Place(name: try r.text(), coordinate: try r.place())
      }
    }
    let radius = read(.radius) { (r: inout Reader) throws(FieldError) in try r.distance() }
    let repeats = read(.repeats) { (r: inout Reader) throws(FieldError) in try r.flag() }
    let state = read(.state) { (r: inout Reader) throws(FieldError) in try r.reminderState() }
    if let radius, !allowedRadius.contains(radius), fault == nil {
      fault = .reminder(.radiusOutOfRange(given: radius))
    }
    let usable = radius.flatMap { allowedRadius.contains($0) ? $0 : nil } ?? defaultRadius
    let reminder = Reminder(
      id: id, title: title ?? .empty, items: items ?? [], places: places ?? [], usable,
      repeats: repeats ?? false, state: state ?? .active)
    return (reminder, fault)
  }
}

extension FieldReader {
  fileprivate mutating func reminderState() throws(FieldError) -> Reminder.State {
    let kind = try byte()
    switch kind {
    case 0: return .active
    case 1: return .snoozed(until: try allowedInstant())
    case 2: return .completed
    default: throw .unknown(given: kind)
    }
  }
}
