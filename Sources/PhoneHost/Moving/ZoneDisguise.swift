import AlarmEngine
import Geometry

/// Zones with other places (``PlaceMove``), numbers for names and ids, and no words of a person.
///
/// A zone is made anew from its numbers and the other fields that decide when it rings. A field that is added
/// to zones later and is no number is thus left out until somebody adds it here.
struct ZoneDisguise {
  let move: PlaceMove
  /// The new id of each zone, from 1. In the order of names and ids, which decides between zones of one
  /// priority.
  private var numbers: [ZoneID: UInt64] = [:]
  /// The number of digits of all names, so that "Zone 02" comes before "Zone 10".
  private let width: Int
  private var reminders: [Text] = []

  /// - Parameter zones: all that the journal has, each once.
  init(_ zones: [(id: ZoneID, name: Text)], move: PlaceMove) {
    self.move = move
    let ordered = zones.sorted { $0.name == $1.name ? $0.id < $1.id : $0.name < $1.name }
    for (index, zone) in ordered.enumerated() { numbers[zone.id] = UInt64(index + 1) }
    width = Self.digits(of: UInt64(zones.count)).count
  }

  mutating func id(of zone: ZoneID) -> ZoneID {
    if let number = numbers[zone] { return ZoneID(rawValue: number) }
    // A fence may be that of a zone from before the journal.
    let number = UInt64(numbers.count + 1)
    numbers[zone] = number
    return ZoneID(rawValue: number)
  }

  /// Fences round the phone keep their ids; others carry those of their zones.
  mutating func id(of fence: FenceID) -> FenceID {
    fence.rawValue > .max - 1000 ? fence : FenceID(zone: id(of: ZoneID(rawValue: fence.rawValue)))
  }

  mutating func disguised(_ zones: [Zone]) -> [Zone] {
    var all: [Zone] = []
    for zone in zones { if let zone = disguised(zone) { all.append(zone) } }
    return all
  }

  /// Returns nil for a zone without an area, which never rings.
  private mutating func disguised(_ zone: Zone) -> Zone? {
    guard let outline = moved(zone.outline) else { return nil }
    let id = id(of: zone.id)
    var name = Self.digits(of: id.rawValue)
    while name.count < width { name.insert(UInt8(ascii: "0"), at: 0) }
    var draft = ZoneDraft(id: id, name: Text(utf8: Array("Zone ".utf8) + name), outline: outline)
    draft.active = zone.active
    draft.vibrate = zone.vibrate
    for field in RangedField.ofZone {
      let number = zone.draft[field]
      draft[field] = field.isHeight ? number.map(lifted) : number
    }
    draft.trigger = zone.trigger
    draft.schedule = zone.schedule.map {
      Schedule(windows: $0.windows, timeZone: .empty, offsets: $0.offsets)
    }
    draft.assurance = zone.assurance
    // One is proposed or told, whatever it says.
    draft.messages = zone.messages.map { _ in
      Message(yourMoniker: .empty, toMoniker: .empty, contactNumber: .empty, supplement: .empty)
    }
    draft.notice = zone.notice.map { Notice(title: .empty, text: .empty, cap: $0.cap) }
    if let reminder = ReminderZone.reminder(of: zone) {
      let known = reminders.firstIndex(of: reminder)
      if known == nil { reminders.append(reminder) }
      let number = UInt64(known ?? reminders.count - 1) + 1
      draft.unknownRows = [ReminderZone.row(of: Text(utf8: Self.digits(of: number)))]
    }
    return try? Zone(draft)
  }

  /// Straight in longitude and latitude means another line elsewhere, so moved edges are geodesics.
  private func moved(_ outline: ZoneOutline) -> ZoneOutline? {
    switch outline {
    case .locations(let places): return .locations(places.map { move.moved($0) })
    case .path(let places): return .path(places.map { move.moved($0) })
    case .area(let polygon):
      var parts: [Polygon.Part] = []
      for part in polygon.parts {
        guard let outer = moved(part.outer) else { return nil }
        parts.append(Polygon.Part(outer: outer, holes: part.holes.compactMap { moved($0) }))
      }
      return .area(Polygon(parts: parts, edges: .geodesic))
    }
  }

  private func moved(_ ring: Ring) -> Ring? { try? Ring(ring.vertices.map { move.moved($0) }) }

  private func lifted(_ metres: Double) -> Double {
    min(max(metres + move.lift.metres, Altitude.allowed.lowerBound), Altitude.allowed.upperBound)
  }

  func moved(_ fix: Fix) -> Fix {
    Fix(
      position: move.moved(fix.position), accuracy: fix.accuracy, measuredAt: fix.measuredAt,
      receivedAt: fix.receivedAt, speed: fix.speed,
      course: fix.course.map { move.moved(course: $0, at: fix.position) },
      altitude: fix.altitude.flatMap {
        Altitude(
          metres: $0.height.metres + move.lift.metres, error: $0.error?.metres, reference: $0.reference)
      })
  }

  mutating func disguised(_ note: WatchNote) -> WatchNote {
    switch note {
    case .fences(let laid, let removed):
      var fences: [Fence] = []
      for fence in laid {
        fences.append(
          Fence(
            id: id(of: fence.id), center: move.moved(fence.center), radius: fence.radius,
            onEntry: fence.onEntry, onExit: fence.onExit))
      }
      var gone: [FenceID] = []
      for fence in removed { gone.append(id(of: fence)) }
      return .fences(laid: fences, removed: gone)
    case .fenceEntered(let fence): return .fenceEntered(id(of: fence))
    case .fenceExited(let fence): return .fenceExited(id(of: fence))
    case .fenceFailed(let fence): return .fenceFailed(id(of: fence))
    case .started, .stopped, .session, .sessionEnded, .requested, .requestEnded, .wake, .woke,
      .significantChanges, .visits, .motionWatched, .motion, .liveUpdates, .positionSource, .battery:
      return note
    }
  }

  private static func digits(of number: UInt64) -> [UInt8] {
    var (rest, digits) = (number, [UInt8]())
    repeat {
      digits.insert(UInt8(ascii: "0") + UInt8(rest % 10), at: 0)
      rest /= 10
    } while rest > 0
    return digits
  }
}
