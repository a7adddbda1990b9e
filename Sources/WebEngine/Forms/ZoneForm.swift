import AlarmEngine
import Geometry

/// A zone as a page keeps and edits it: a map of named values. A form made of a zone gives an equal zone again.
///
/// | key | value |
/// | --- | --- |
/// | `id` | sixteen hexadecimal digits |
/// | `name`, `category`, `sound` | text |
/// | `active`, `vibrate` | true or false |
/// | numbers (`RangedField.ofZone`) | in the field's unit; absent: none, or a setting applies |
/// | `outline` | `locations`, `path`, `area` |
/// | `places` | `[[latitude, longitude], ...]` of `locations` and `path` |
/// | `parts` | of `area`: parts of rings of places, the outer ring first |
/// | `edges` | `geodesic`, `lonlat` |
/// | `trigger` | `enter`, `inside` (passing through does not count), `leave`, also with `dwell_s`, `dwell` with `dwell_s` |
/// | `assurance` | `safety`, `normal`, `relaxed` |
/// | `schedule` | `{time_zone, windows: [[weekdays, opens, closes], ...], offsets: [[from_ms, seconds], ...]}` |
/// | `messages` | `[{your_moniker, to_moniker, contact_number, supplement}, ...]` |
/// | `notice` | `{title, text, link, image, cap_s}` |
/// | `pad_rows` | rows of a PAD file that were kept |
///
/// The names are those of ``ZoneMember``; what numbers are allowed says `RangedField`.
public enum ZoneForm {
  /// Why a field is not as it must be.
  public enum Fault: UInt8, Equatable, Sendable {
    case missing = 1
    /// Not the kind of value that belongs there.
    case wrongKind = 2
    case outOfRange = 3
    /// None of the words allowed.
    case unknownWord = 4
    case noPlaces = 5
    case tooFewPlaces = 6
  }
  public struct FieldError: Error, Equatable, Sendable {
    public let field: Text
    public let fault: Fault
    /// The given number and the allowed range, if the number is out of range.
    public let number: Excess?
    public init(_ field: Text, _ fault: Fault, number: Excess? = nil) {
      self.field = field
      self.fault = fault
      self.number = number
    }
  }
  /// Returns the error of a zone whose ceiling is not above its floor.
  static func error(floor: Distance, ceiling: Distance) -> FieldError {
    let most = max(floor.metres, RangedField.ceiling.allowed.upperBound)
    return FieldError(
      ZoneMember.ceiling.word, .outOfRange,
      number: .init(given: ceiling.metres, allowed: floor.metres...most))
  }
  /// A number outside its allowed range.
  public struct Excess: Equatable, Sendable {
    public let given: Double
    public let allowed: ClosedRange<Double>
    public init(given: Double, allowed: ClosedRange<Double>) {
      self.given = given
      self.allowed = allowed
    }
  }
}

// MARK: Writing

extension ZoneForm {
  public static func form(of zone: Zone) -> PageValue { form(of: zone.draft) }

  public static func form(of zone: ZoneDraft) -> PageValue {
    var entries: [PageValue.Entry] = []
    func add(_ member: ZoneMember, _ value: PageValue) { entries.add(member.word, value) }
    entries.add("id", .text(Text(zone.id.description)))
    add(.name, .text(zone.name))
    add(.category, .text(zone.category))
    add(.active, .bool(zone.active))
    add(.vibrate, .bool(zone.vibrate))
    for field in RangedField.ofZone {
      guard let number = zone[field] else { continue }
      entries.add(field.name, field.unit == .wholeNumber ? .integer(Int64(number)) : .number(number))
    }
    add(.soundName, .text(zone.soundName))
    add(.outline, .text(zone.outline.kind.word))
    switch zone.outline {
    case .locations(let places), .path(let places): entries.add("places", list(places))
    case .area(let polygon):
      entries.add(
        "parts",
        .list(polygon.parts.map { part in .list(([part.outer] + part.holes).map { list($0.vertices) }) }))
    }
    let edges = if case .area(let polygon) = zone.outline { polygon.edges } else { zone.edges }
    add(.edges, .text(edges.word))
    add(.trigger, .text(zone.trigger.kind.word))
    if let time = zone.trigger.time { add(.dwell, .number(time.seconds)) }
    add(.assurance, .text(zone.assurance.word))
    if let schedule = zone.schedule { add(.schedule, form(of: schedule)) }
    if !zone.messages.isEmpty { add(.messages, .list(zone.messages.map { form(of: $0) })) }
    if let notice = zone.notice { add(.notice, form(of: notice)) }
    if !zone.unknownRows.isEmpty {
      add(.unknownRows, .list(zone.unknownRows.map { row in .list(row.map { cell in .text(cell) }) }))
    }
    return .map(entries)
  }

  static func list(_ places: [Coordinate]) -> PageValue {
    .list(places.map { .list([.number($0.latitude.degrees), .number($0.longitude.degrees)]) })
  }

  static func form(of message: Message) -> PageValue {
    .map([
      .init("your_moniker", .text(message.yourMoniker)), .init("to_moniker", .text(message.toMoniker)),
      .init("contact_number", .text(message.contactNumber)), .init("supplement", .text(message.supplement)),
    ])
  }

  private static func form(of notice: Notice) -> PageValue {
    .map([
      .init("title", .text(notice.title)), .init("text", .text(notice.text)),
      .init("link", .text(notice.link)),
      .init("image", .text(notice.image)), .init("cap_s", .number(notice.cap.seconds)),
    ])
  }

  private static func form(of schedule: Schedule) -> PageValue {
    .map([
      .init("time_zone", .text(schedule.timeZone)),
      .init(
        "windows",
        .list(
          schedule.windows.map {
            .list([
              .integer(Int64($0.weekdays.rawValue)), .integer(Int64($0.opens)), .integer(Int64($0.closes)),
            ])
          })),
      .init(
        "offsets",
        .list(
          schedule.offsets.map {
            .list([.integer($0.from.millisecondsSince1970), .integer(Int64($0.seconds))])
          })),
    ])
  }
}
