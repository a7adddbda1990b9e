import AlarmEngine
import Geometry

extension ZoneForm {
  /// - Parameter fresh: the id of a zone whose form has none yet.
  /// - Throws: the first field that is not as it must be. Absent fields take what a new zone has.
  public static func zone(_ form: PageValue, fresh: ZoneID?) throws(FieldError) -> Zone {
    let draft = try draft(form, fresh: fresh)
    // The numbers are in their ranges: each was checked where it was read.
    do { return try Zone(draft) } catch {
      if case .ceilingNotAboveFloor(let floor, let ceiling) = error {
        throw Self.error(floor: floor, ceiling: ceiling)
      }
      throw FieldError("places", error == .noLocations ? .noPlaces : .tooFewPlaces)
    }
  }

  /// A zone that is being drawn: it may have no places yet.
  public static func draft(_ form: PageValue, fresh: ZoneID?) throws(FieldError) -> ZoneDraft {
    let fields = Fields(form)
    let id: ZoneID
    if let text = try fields.text("id") {
      guard let known = ZoneID(hexadecimal: text) else { throw FieldError("id", .unknownWord) }
      id = known
    } else {
      guard let fresh else { throw FieldError("id", .missing) }
      id = fresh
    }
    let edges = try fields.word(.edges) ?? EdgeKind.geodesic
    var draft = ZoneDraft(
      id: id, name: try fields.text(.name) ?? .empty, category: try fields.text(.category) ?? .empty,
      active: try fields.bool(.active) ?? true, vibrate: try fields.bool(.vibrate) ?? true,
      outline: .locations([]), edges: edges)
    for field in RangedField.ofZone { draft[field] = try fields.number(field) }
    draft.soundName = try fields.text(.soundName) ?? .empty
    draft.outline = try outline(fields, edges)
    draft.trigger = try trigger(fields)
    draft.schedule = try fields.present(.schedule).map(schedule)
    draft.assurance = try fields.word(.assurance) ?? Assurance.normal
    draft.messages = try fields.list(.messages).map(message)
    draft.notice = try fields.present(.notice).map(notice)
    draft.unknownRows = try fields.list(.unknownRows).map(row)
    return draft
  }

  private static func outline(_ fields: Fields, _ edges: EdgeKind) throws(FieldError) -> ZoneOutline {
    let kind: ZoneOutline.Kind = try fields.word(.outline) ?? .locations
    if kind == .area {
      var parts: [Polygon.Part] = []
      for part in try fields.list("parts") {
        guard let rings = part.list, let outer = rings.first else { throw FieldError("parts", .wrongKind) }
        parts.append(.init(outer: try ring(outer), holes: try rings.dropFirst().map(ring)))
      }
      guard !parts.isEmpty else { throw FieldError("parts", .missing) }
      return .area(Polygon(parts: parts, edges: edges))
    }
    let places = try self.places(try fields.list("places"), "places")
    return kind == .path ? .path(places) : .locations(places)
  }

  private static func ring(_ value: PageValue) throws(FieldError) -> Ring {
    guard let points = value.list else { throw FieldError("parts", .wrongKind) }
    let vertices = try places(points, "parts")
    do { return try Ring(vertices) } catch { throw FieldError("parts", .outOfRange) }
  }

  static func places(_ points: [PageValue], _ field: Text) throws(FieldError) -> [Coordinate] {
    var places: [Coordinate] = []
    places.reserveCapacity(points.count)
    for point in points { places.append(try place(point, field)) }
    return places
  }

  static func place(_ point: PageValue, _ field: Text) throws(FieldError) -> Coordinate {
    guard let numbers = point.list, numbers.count == 2, let latitude = numbers[0].number,
      let longitude = numbers[1].number
    else { throw FieldError(field, .wrongKind) }
    do { return try Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude) } catch {
      throw FieldError(field, .outOfRange)
    }
  }

  private static func trigger(_ fields: Fields) throws(FieldError) -> Trigger {
    let kind: Trigger.Kind = try fields.word(.trigger) ?? .enter
    guard kind.hasTime else { return kind.trigger(after: .zero) }
    let time = try fields.seconds(ZoneMember.dwell.word, .dwell)
    if kind == .dwell, time == nil { throw FieldError(ZoneMember.dwell.word, .missing) }
    return kind.trigger(after: time ?? .zero)
  }

  private static func schedule(_ form: PageValue) throws(FieldError) -> Schedule {
    let fields = Fields(form)
    var windows: [Schedule.Window] = []
    for window in try fields.list("windows") {
      let numbers = try wholes(window, 3)
      guard (0...0x7f).contains(numbers[0]), let opens = Int(exactly: numbers[1]),
        Schedule.Window.allowedOpening.contains(opens), let closes = Int(exactly: numbers[2]),
        Schedule.Window.allowedClosing.contains(closes)
      else { throw FieldError("schedule", .outOfRange) }
      windows.append(
        Schedule.Window(weekdays: .init(rawValue: UInt8(numbers[0])), opens: opens, closes: closes))
    }
    var offsets: [Schedule.Offset] = []
    for offset in try fields.list("offsets") {
      let numbers = try wholes(offset, 2)
      let from = Instant(millisecondsSince1970: numbers[0])
      do {
        offsets.append(try Schedule.Offset(from: from, checkingSeconds: Int(clamping: numbers[1])))
      } catch { throw FieldError("schedule", .outOfRange) }
    }
    return Schedule(
      windows: windows, timeZone: try fields.text("time_zone") ?? .empty, offsets: offsets)
  }

  private static func wholes(_ value: PageValue, _ count: Int) throws(FieldError) -> [Int64] {
    guard let list = value.list, list.count == count else { throw FieldError("schedule", .wrongKind) }
    var numbers: [Int64] = []
    for entry in list {
      guard let number = entry.integer else { throw FieldError("schedule", .wrongKind) }
      numbers.append(number)
    }
    return numbers
  }

  static func message(_ form: PageValue) throws(FieldError) -> Message {
    let fields = Fields(form)
    return Message(
      yourMoniker: try fields.text("your_moniker") ?? .empty,
      toMoniker: try fields.text("to_moniker") ?? .empty,
      contactNumber: try fields.text("contact_number") ?? .empty,
      supplement: try fields.text("supplement") ?? .empty)
  }

  private static func notice(_ form: PageValue) throws(FieldError) -> Notice {
    let fields = Fields(form)
    return Notice(
      title: try fields.text("title") ?? .empty, text: try fields.text("text") ?? .empty,
      link: try fields.text("link") ?? .empty, image: try fields.text("image") ?? .empty,
      cap: try fields.seconds("cap_s", .noticeCap) ?? .zero)
  }

  private static func row(_ value: PageValue) throws(FieldError) -> [Text] {
    guard let cells = value.list else { throw FieldError("pad_rows", .wrongKind) }
    var row: [Text] = []
    for cell in cells {
      guard let text = cell.text else { throw FieldError("pad_rows", .wrongKind) }
      row.append(text)
    }
    return row
  }
}

/// The named values of a form, each checked as it is read.
struct Fields {
  private let form: PageValue
  init(_ form: PageValue) { self.form = form }

  func present(_ key: Text) -> PageValue? { form.present(key) }

  func text(_ key: Text) throws(ZoneForm.FieldError) -> Text? {
    guard let value = present(key) else { return nil }
    guard let text = value.text else { throw ZoneForm.FieldError(key, .wrongKind) }
    return text
  }
  func bool(_ key: Text) throws(ZoneForm.FieldError) -> Bool? {
    guard let value = present(key) else { return nil }
    guard let bool = value.bool else { throw ZoneForm.FieldError(key, .wrongKind) }
    return bool
  }
  func number(_ key: Text, _ allowed: ClosedRange<Double>) throws(ZoneForm.FieldError) -> Double? {
    guard let value = present(key) else { return nil }
    guard let number = value.number else { throw ZoneForm.FieldError(key, .wrongKind) }
    guard allowed.contains(number) else {
      throw ZoneForm.FieldError(key, .outOfRange, number: .init(given: number, allowed: allowed))
    }
    return number
  }
  func whole(_ key: Text, _ allowed: ClosedRange<Double>) throws(ZoneForm.FieldError) -> Int64? {
    guard let value = present(key) else { return nil }
    guard let number = value.integer else { throw ZoneForm.FieldError(key, .wrongKind) }
    _ = try self.number(key, allowed)
    return number
  }
  func seconds(_ key: Text, _ field: RangedField) throws(ZoneForm.FieldError) -> TimeSpan? {
    try number(key, field.allowed).map { .seconds($0) }
  }
  /// An absent list is empty.
  func list(_ key: Text) throws(ZoneForm.FieldError) -> [PageValue] {
    guard let value = present(key) else { return [] }
    guard let list = value.list else { throw ZoneForm.FieldError(key, .wrongKind) }
    return list
  }
  func word<Value: Worded>(_ key: Text) throws(ZoneForm.FieldError) -> Value? {
    guard let text = try text(key) else { return nil }
    guard let value = Value(word: text) else { throw ZoneForm.FieldError(key, .unknownWord) }
    return value
  }
}

/// The members of a zone's form.
extension Fields {
  func present(_ member: ZoneMember) -> PageValue? { present(member.word) }
  func text(_ member: ZoneMember) throws(ZoneForm.FieldError) -> Text? { try text(member.word) }
  func bool(_ member: ZoneMember) throws(ZoneForm.FieldError) -> Bool? { try bool(member.word) }
  func list(_ member: ZoneMember) throws(ZoneForm.FieldError) -> [PageValue] { try list(member.word) }
  func word<Value: Worded>(_ member: ZoneMember) throws(ZoneForm.FieldError) -> Value? {
    try word(member.word)
  }
  func number(_ field: RangedField) throws(ZoneForm.FieldError) -> Double? {
    // Earlier versions of the page kept the alert distance under another word.
    let word: Text = field == .alertDistance && present(field.name) == nil ? "distance_m" : field.name
    guard field.unit == .wholeNumber else { return try number(word, field.allowed) }
    return try whole(word, field.allowed).map { Double($0) }
  }
}

extension ZoneID {
  /// Sixteen hexadecimal digits, as `description` writes them.
  init?(hexadecimal text: Text) {
    guard let value = UInt64(hexadecimal: text) else { return nil }
    self.init(rawValue: value)
  }
}

extension UInt64 {
  init?(hexadecimal text: Text) {
    guard text.utf8.count == 16 else { return nil }
    var value: UInt64 = 0
    for byte in text.utf8 {
      switch byte {
      case 48...57: value = value << 4 | UInt64(byte - 48)
      case 65...70: value = value << 4 | UInt64(byte - 55)
      case 97...102: value = value << 4 | UInt64(byte - 87)
      default: return nil
      }
    }
    self = value
  }
}
