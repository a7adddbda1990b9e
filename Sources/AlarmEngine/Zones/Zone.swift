import Geometry

/// A zone as forms, files and edits give it, unchecked: numbers may be out of range, places may be missing.
/// ``Zone/init(_:)`` makes a zone of it, or throws the reason why not.
public struct ZoneDraft: Hashable, Sendable {
  public var id: ZoneID
  public var name: Text
  public var category: Text
  /// The zone's own switch; it rings only when the device is armed as well (S22).
  public var active: Bool
  public var vibrate: Bool
  /// Higher is more urgent and sorts first; ties by name, then id.
  public var priority: Int32
  /// Silent after Sleep for at least this long; nil takes the Default Sleep Time.
  public var sleepTime: TimeSpan?
  /// Radius of a one-location zone, half-width of a path; nil takes the Default Radius.
  /// Kept, without meaning, where the locations are a polygon.
  public var size: Distance?
  /// Positive shrinks, negative grows.
  public var inset: Distance
  /// Rings already this far outside the effective edge; zero or more.
  public var alertDistance: Distance
  /// Rings this long before the predicted entry, where that is earlier than `alertDistance`.
  public var leadTime: TimeSpan?
  /// Rings only at or above this height above sea level; nil for no lower limit.
  public var floor: Distance?
  /// Rings only up to this height above sea level, more than `floor`; nil for no upper limit.
  public var ceiling: Distance?
  /// Exact, case-sensitive name without extension (S111); empty is the default sound.
  public var soundName: Text
  public var outline: ZoneOutline
  public var edges: EdgeKind
  public var trigger: Trigger
  public var schedule: Schedule?
  public var assurance: Assurance
  public var messages: [Message]
  public var notice: Notice?
  /// Unknown rows of a PAD file, kept and written back.
  public var unknownRows: [[Text]]

  public init(
    id: ZoneID, name: Text, category: Text = .empty, active: Bool = true, vibrate: Bool = true,
    priority: Int32 = 0, sleepTime: TimeSpan? = nil, size: Distance? = nil, inset: Distance = .zero,
    alertDistance: Distance = .zero, leadTime: TimeSpan? = nil, floor: Distance? = nil,
    ceiling: Distance? = nil,
    soundName: Text = .empty, outline: ZoneOutline, edges: EdgeKind = .geodesic,
    trigger: Trigger = .enter(passingCounts: true),
    schedule: Schedule? = nil, assurance: Assurance = .normal, messages: [Message] = [],
    notice: Notice? = nil, unknownRows: [[Text]] = []
  ) {
    self.id = id
    self.name = name
    self.category = category
    self.active = active
    self.vibrate = vibrate
    self.priority = priority
    self.sleepTime = sleepTime
    self.size = size
    self.inset = inset
    self.alertDistance = alertDistance
    self.leadTime = leadTime
    self.floor = floor
    self.ceiling = ceiling
    self.soundName = soundName
    self.outline = outline
    self.edges = edges
    self.trigger = trigger
    self.schedule = schedule
    self.assurance = assurance
    self.messages = messages
    self.notice = notice
    self.unknownRows = unknownRows
  }
}

extension ZoneDraft {
  /// A number in its field's unit (``RangedField/unit``), so that forms and files can loop over
  /// ``RangedField/ofZone``.
  ///
  /// Nil if none is stated, or the field is none of a zone. Setting nil restores the value of a new zone. The
  /// time of a trigger and the cap of a notice are set only if the zone has such a trigger or a notice.
  ///
  /// - Precondition: a number that is set is finite, and a priority fits 32 bits.
  public subscript(field: RangedField) -> Double? {
    @inline(never) get {
      switch field {
      case .priority: Double(priority)
      case .sleepTime: sleepTime?.seconds
      case .size: size?.metres
      case .inset: inset.metres
      case .alertDistance: alertDistance.metres
      case .leadTime: leadTime?.seconds
      case .floor: floor?.metres
      case .ceiling: ceiling?.metres
      case .dwell: trigger.time?.seconds
      case .noticeCap: notice?.cap.seconds
      default: nil  // Fields of reminders and devices. `ZoneFormsTests` sets each number of a zone.
      }
    }
    @inline(never) set {
      switch field {
      case .priority: priority = Int32(newValue ?? 0)
      case .sleepTime: sleepTime = newValue.map { .seconds($0) }
      case .size: size = newValue.map { .metres($0) }
      case .inset: inset = .metres(newValue ?? 0)
      case .alertDistance: alertDistance = .metres(newValue ?? 0)
      case .leadTime: leadTime = newValue.map { .seconds($0) }
      case .floor: floor = newValue.map { .metres($0) }
      case .ceiling: ceiling = newValue.map { .metres($0) }
      case .dwell: trigger = trigger.kind.trigger(after: .seconds(newValue ?? 0))
      case .noticeCap: notice?.cap = .seconds(newValue ?? 0)
      default: break
      }
    }
  }
}

/// A place with an alarm, as people draw, send and receive it.
///
/// It has places, and only numbers within their ranges (``RangedField/allowed``). To change a zone, change
/// its ``draft`` and make a zone of that.
public struct Zone: Hashable, Sendable {
  /// The zone's values, to be changed and made a zone again.
  public private(set) var draft: ZoneDraft

  /// - Throws: the first error: `.noLocations`, `.tooFewPlaces`, `.outOfRange`, `.ceilingNotAboveFloor`.
  public init(_ draft: ZoneDraft) throws(ZoneError) {
    try draft.check()
    self.draft = draft
  }

  public var id: ZoneID { draft.id }
  /// The same zone under another id.
  public func under(_ id: ZoneID) -> Zone {
    var zone = self
    zone.draft.id = id
    return zone
  }
  public var name: Text { draft.name }
  public var category: Text { draft.category }
  public var active: Bool { draft.active }
  public var vibrate: Bool { draft.vibrate }
  public var priority: Int32 { draft.priority }
  public var sleepTime: TimeSpan? { draft.sleepTime }
  public var size: Distance? { draft.size }
  public var inset: Distance { draft.inset }
  public var alertDistance: Distance { draft.alertDistance }
  public var leadTime: TimeSpan? { draft.leadTime }
  public var floor: Distance? { draft.floor }
  public var ceiling: Distance? { draft.ceiling }
  public var band: AltitudeBand? { draft.band }
  public var soundName: Text { draft.soundName }
  public var outline: ZoneOutline { draft.outline }
  public var edges: EdgeKind { draft.edges }
  public var trigger: Trigger { draft.trigger }
  public var schedule: Schedule? { draft.schedule }
  public var assurance: Assurance { draft.assurance }
  public var messages: [Message] { draft.messages }
  public var notice: Notice? { draft.notice }
  public var unknownRows: [[Text]] { draft.unknownRows }
}

/// The shape that a zone's places describe.
public enum ZoneOutline: Hashable, Sendable {
  /// Places in order: one for a circle, two for a capsule, three or more for a polygon, which is closed
  /// automatically.
  case locations([Coordinate])
  /// A corridor of half-width `size` along two or more points.
  case path([Coordinate])
  /// An imported area with holes or several parts; its own `edges` count.
  case area(Polygon)
}

/// The event for which a zone rings.
public enum Trigger: Hashable, Sendable {
  case enter(passingCounts: Bool)
  /// Rings when the phone has been outside for this long; zero rings as soon as it has left.
  case leave(after: TimeSpan = .zero)
  /// Rings on entering, and again when the phone has been outside for this long. The lead time does not count.
  case enterAndLeave(passingCounts: Bool = true, after: TimeSpan = .zero)
  case dwell(TimeSpan)

  /// The time outside or inside after which the zone rings; nil if it rings at once.
  public var time: TimeSpan? {
    switch self {
    case .enter, .leave(after: .zero), .enterAndLeave(_, after: .zero): nil
    case .leave(let time), .enterAndLeave(_, let time), .dwell(let time): time
    }
  }

  /// True if the zone rings as soon as the phone enters, not only after a stay.
  public var ringsOnEntry: Bool {
    switch self {
    case .enter, .enterAndLeave: true
    case .leave, .dwell: false
    }
  }

  /// True if the zone rings when the phone has left, at once or after a time outside.
  public var ringsOnLeaving: Bool {
    switch self {
    case .leave, .enterAndLeave: true
    case .enter, .dwell: false
    }
  }

  var ringsBothWays: Bool { ringsOnEntry && ringsOnLeaving }

  /// True if the zone rings for a phone that was inside between two positions only.
  var passingCounts: Bool {
    switch self {
    case .enter(let counts), .enterAndLeave(let counts, _): counts
    case .leave, .dwell: false
    }
  }

  /// The time that the clock alone ends, without a further position; nil if a position has to.
  func timeByClock(_ assurance: Assurance) -> TimeSpan? {
    switch self {
    case .leave(let time), .enterAndLeave(_, let time): time
    case .dwell(let time) where assurance == .safety: time
    case .enter, .dwell: nil
    }
  }
}

/// The certainty that the engine needs before it rings.
public enum Assurance: UInt8, Hashable, Sendable, CaseIterable {
  /// Rings when being inside cannot be excluded, while the phone moves; at rest when it is inside.
  case safety = 0
  case normal = 1
  /// Needs certainty, or two agreeing fixes.
  case relaxed = 2
}

/// A message proposed to somebody when the zone rings (S87-S104). A person presses send.
public struct Message: Hashable, Sendable {
  /// The sender's name in the message.
  public var yourMoniker: Text
  /// The addressee's name in the message.
  public var toMoniker: Text
  public var contactNumber: Text
  public var supplement: Text
  public init(yourMoniker: Text, toMoniker: Text, contactNumber: Text, supplement: Text) {
    self.yourMoniker = yourMoniker
    self.toMoniker = toMoniker
    self.contactNumber = contactNumber
    self.supplement = supplement
  }
}

/// Text and a picture shown on entry (S187-S192).
public struct Notice: Hashable, Sendable {
  public var title: Text
  public var text: Text
  public var link: Text
  public var image: Text
  /// Shown at most once in this time; zero for no limit.
  public var cap: TimeSpan
  public init(title: Text, text: Text, link: Text = .empty, image: Text = .empty, cap: TimeSpan = .zero) {
    self.title = title
    self.text = text
    self.link = link
    self.image = image
    self.cap = cap
  }
}

extension ZoneDraft {
  /// Nil without floor and ceiling.
  public var band: AltitudeBand? { AltitudeBand(floor: floor, ceiling: ceiling) }

  /// Checks that a zone can be made of the draft.
  func check() throws(ZoneError) {
    switch outline {
    case .locations(let places): if places.isEmpty { throw .noLocations }
    case .path(let places): if places.count < 2 { throw .tooFewPlaces(given: places.count) }
    case .area: break
    }
    do { try checkNumbers() } catch { throw .outOfRange(error) }
    if let floor, let ceiling, floor >= ceiling {
      throw .ceilingNotAboveFloor(floor: floor, ceiling: ceiling)
    }
  }

  /// Returns the area before inset.
  ///
  /// - Parameter defaultRadius: the size if the zone states none.
  /// - Throws: the reason why there is no area.
  public func shape(defaultRadius: Distance) throws(ZoneError) -> Shape {
    let size = size ?? defaultRadius
    switch outline {
    case .locations(let places):
      switch places.count {
      case 0: throw .noLocations
      case 1:
        return .circle(center: places[0], radius: try Self.positive(size))
      case 2:
        return .corridor(path: places, halfWidth: try Self.positive(size), edges: edges)
      default:
        do { return .polygon(Polygon(parts: [.init(outer: try Ring(places))], edges: edges)) } catch {
          throw .tooFewPlaces(given: places.count)
        }
      }
    case .path(let places):
      guard places.count >= 2 else { throw .tooFewPlaces(given: places.count) }
      return .corridor(path: places, halfWidth: try Self.positive(size), edges: edges)
    case .area(let polygon):
      return .polygon(polygon)
    }
  }

  private static func positive(_ size: Distance) throws(ZoneError) -> Distance {
    guard Zone.allowedSize.contains(size) else { throw .sizeOutOfRange(given: size) }
    return size
  }
}

extension Zone {
  /// Returns the area before inset.
  ///
  /// - Parameter defaultRadius: the size if the zone states none.
  /// - Throws: the reason why there is no area: a size too small, or a polygon of fewer than three different
  ///   places.
  public func shape(defaultRadius: Distance) throws(ZoneError) -> Shape {
    try draft.shape(defaultRadius: defaultRadius)
  }

  /// Radius or half-width: one centimetre to a quarter of the way round the earth.
  public static let allowedSize = Distance.metres(0.01)...Distance.metres(10_000_000)
}

/// The reason why a zone cannot be watched.
public enum ZoneError: Error, Hashable, Sendable {
  case noLocations
  case tooFewPlaces(given: Int)
  /// Allowed: `Zone.allowedSize`.
  case sizeOutOfRange(given: Distance)
  /// Another zone of the same device has this id already, and is not the same zone.
  case idTaken
  /// A number of the zone is beyond what its field allows.
  case outOfRange(NumberOutOfRange)
  /// The zone would contain no height. Allowed: a ceiling above the floor.
  case ceilingNotAboveFloor(floor: Distance, ceiling: Distance)
  /// The bytes under which the zone is stored cannot be read.
  case unreadable(FieldError)
}

/// Most urgent first: higher priority, then name, then id.
public func isMoreUrgent(_ a: Zone, _ b: Zone) -> Bool {
  if a.priority != b.priority { return a.priority > b.priority }
  if a.name != b.name { return a.name < b.name }
  return a.id < b.id
}
