import Geometry

extension WatchedZones {
  /// Finds the set with a revision that a snapshot names; nil if it is not in `sets`.
  public static func named(_ revision: UInt64, among sets: [WatchedZones]) -> WatchedZones? {
    sets.first { $0.revision == revision }
  }
}

extension Zone {
  /// A hash of all values that the engine uses.
  var digest: UInt64 {
    var hash = StableHash()
    hash.combine(self)
    return hash.value
  }
}

extension Schedule {
  /// A hash of the opening times.
  var digest: UInt64 {
    var hash = StableHash()
    hash.combine(self)
    return hash.value
  }
}

/// Every part either has a fixed length or is preceded by its length, so that no two zones give the same
/// bytes.
extension StableHash {
  mutating func combine(_ number: Double) { combine(number.bitPattern) }
  private mutating func combine(_ flag: Bool) { combine(flag ? UInt8(1) : 0) }
  private mutating func combine(_ number: Int64) { combine(UInt64(bitPattern: number)) }
  private mutating func combine(_ text: Text) {
    combine(UInt64(text.utf8.count))
    combine(text.utf8)
  }
  private mutating func combine(_ time: TimeSpan?) {
    combine(time != nil)
    if let time { combine(time.milliseconds) }
  }

  fileprivate mutating func combine(_ zone: Zone) {
    combine(zone.id.rawValue)
    combine(zone.name)
    combine(zone.active)
    for index in 0..<Self.firstNumbers {
      let field = RangedField.ofZone[index]
      let number = zone.draft[field]
      if field.byDefault == nil { combine(number != nil) }
      if let number { combine(number, field.unit) }
    }
    combine(zone.edges.rawValue)
    combine(zone.outline)
    combine(zone.trigger)
    combine(zone.schedule != nil)
    if let schedule = zone.schedule { combine(schedule) }
    combine(zone.assurance.rawValue)
    combine(UInt64(zone.messages.count))
    for message in zone.messages {
      combine(message.yourMoniker)
      combine(message.toMoniker)
      combine(message.contactNumber)
      combine(message.supplement)
    }
    combine(zone.notice?.cap)
    combineLaterNumbers(of: zone)
  }

  /// The numbers of zones in the first version, all of them part of each hash.
  private static let firstNumbers = 6

  /// Adds nothing if none of these numbers is stated, so that zones from before them keep their hashes. A new
  /// zone must state none of them.
  private mutating func combineLaterNumbers(of zone: Zone) {
    let later = Self.firstNumbers..<RangedField.ofZone.count
    var (stated, place) = (0, 1)
    for index in later {
      if zone.draft[RangedField.ofZone[index]] != nil { stated += place }
      place *= 2
    }
    if stated == 0 { return }
    // A floor alone was marked with 3, a ceiling alone with 2, both with 4.
    combine(UInt8(stated == 1 ? 3 : stated == 2 ? 2 : stated + 1))
    for index in later {
      let field = RangedField.ofZone[index]
      if let number = zone.draft[field] { combine(number, field.unit) }
    }
  }

  private mutating func combine(_ number: Double, _ unit: RangedField.Unit) {
    switch unit {
    case .wholeNumber: combine(Int64(number))
    case .seconds: combine(TimeSpan.seconds(number).milliseconds)
    case .metres, .metresPerSecond: combine(number)
    }
  }

  private mutating func combine(_ outline: ZoneOutline) {
    switch outline {
    case .locations(let places):
      combine(UInt8(0))
      combine(places)
    case .path(let places):
      combine(UInt8(1))
      combine(places)
    case .area(let polygon):
      combine(UInt8(2))
      combine(polygon.edges.rawValue)
      combine(UInt64(polygon.parts.count))
      for part in polygon.parts {
        combine(part.outer.vertices)
        combine(UInt64(part.holes.count))
        for hole in part.holes { combine(hole.vertices) }
      }
    }
  }

  private mutating func combine(_ places: [Coordinate]) {
    combine(UInt64(places.count))
    for place in places {
      combine(place.latitude.degrees)
      combine(place.longitude.degrees)
    }
  }

  private mutating func combine(_ trigger: Trigger) {
    switch trigger {
    case .enter(let passingCounts):
      combine(UInt8(0))
      combine(passingCounts)
    case .leave(after: .zero): combine(UInt8(1))
    case .dwell(let time):
      combine(UInt8(2))
      combine(time.milliseconds)
    case .leave(let time):
      combine(UInt8(3))
      combine(time.milliseconds)
    case .enterAndLeave(let passingCounts, let time):
      combine(UInt8(4))
      combine(passingCounts)
      combine(time.milliseconds)
    }
  }

  fileprivate mutating func combine(_ schedule: Schedule) {
    combine(UInt64(schedule.windows.count))
    for window in schedule.windows {
      combine(window.weekdays.rawValue)
      combine(Int64(window.opens))
      combine(Int64(window.closes))
    }
    combine(UInt64(schedule.offsets.count))
    for offset in schedule.offsets {
      combine(offset.from.millisecondsSince1970)
      combine(Int64(offset.seconds))
    }
  }
}
