import Geometry

/// The knowledge of places as bytes, for a host that does not keep the list in memory.
extension ReminderList {
  private static let snapshotVersion: UInt8 = 1

  /// The time, the last positions, and which places are near and announced. The reminders themselves are not in
  /// it. Empty for a list without reminders.
  public func snapshot() -> [UInt8] {
    guard !entries.isEmpty else { return [] }
    return FieldWriter.write { writer in
      writer.byte(Self.snapshotVersion)
      writer.optional(now) { $0.instant($1) }
      writer.optional(last) { $0.position($1) }
      writer.optional(suspect) { $0.position($1) }
      writer.list(entries.filter { $0.visit != ReminderVisit() }) { writer, entry in
        writer.word(entry.reminder.id.rawValue)
        writer.flag(entry.visit.announced)
        writer.list(entry.visit.sighted) { $0.sighted($1) }
      }
    }
  }

  /// Continues from a snapshot. The reminders are those of the list, which may have been edited since: places
  /// that are gone are left out, and the last position judges the others.
  ///
  /// - Returns: the announced reminders that the list no longer has, whose notifications have to be withdrawn.
  /// - Throws: if the bytes are no snapshot. The list is then unchanged.
  public mutating func restore(_ snapshot: [UInt8]) throws(FieldError) -> [ReminderID] {
    guard !snapshot.isEmpty else { return [] }
    typealias Reader = FieldReader
    var restored = self
    let gone = try Reader.read(snapshot) { (reader: inout Reader) throws(FieldError) -> [ReminderID] in
      let version = try reader.byte()
      guard version == Self.snapshotVersion else { throw .version(given: version) }
      restored.now = try reader.optional { (r: inout Reader) throws(FieldError) in try r.allowedInstant() }
      restored.last = try reader.optional { (r: inout Reader) throws(FieldError) in try r.position() }
      restored.suspect = try reader.optional { (r: inout Reader) throws(FieldError) in try r.position() }
      let visits = try reader.list(ofAtLeast: 13) { (r: inout Reader) throws(FieldError) in
        let id = ReminderID(rawValue: try r.word())
        var visit = ReminderVisit()
        visit.announced = try r.flag()
        visit.sighted = try r.list(ofAtLeast: 29) { (r: inout Reader) throws(FieldError) in try r.sighted() }
        return (id: id, visit: visit)
      }
      var gone: [ReminderID] = []
      for (id, visit) in visits {
        if let index = restored.index(of: id) {
          restored.entries[index].visit = visit
          restored.entries[index].visit.forget(placesNotIn: restored.entries[index].reminder)
        } else if visit.announced {
          gone.append(id)
        }
      }
      for index in restored.entries.indices { restored.look(index) }
      return gone
    }
    self = restored
    return gone
  }
}

extension FieldWriter {
  fileprivate mutating func position(_ position: ReminderVisit.Position) {
    place(position.coordinate)
    distance(position.error)
    instant(position.at)
    flag(position.isLate)
  }

  fileprivate mutating func sighted(_ sighted: ReminderVisit.Sighted) {
    text(sighted.place.name)
    place(sighted.place.coordinate)
    distance(sighted.distance)
    switch sighted.phase {
    case .arriving(let since):
      byte(0)
      instant(since)
    case .near: byte(1)
    case .leaving(let since):
      byte(2)
      instant(since)
    }
  }
}

extension FieldReader {
  fileprivate mutating func position() throws(FieldError) -> ReminderVisit.Position {
    ReminderVisit.Position(
      coordinate: try place(), error: try distance(), at: try allowedInstant(), isLate: try flag())
  }

  fileprivate mutating func sighted() throws(FieldError) -> ReminderVisit.Sighted {
    let place = Reminder.Place(name: try text(), coordinate: try place())
    let distance = try distance()
    let kind = try byte()
    let phase: ReminderVisit.Phase
    switch kind {
    case 0: phase = .arriving(since: try allowedInstant())
    case 1: phase = .near
    case 2: phase = .leaving(since: try allowedInstant())
    default: throw .unknown(given: kind)
    }
    return ReminderVisit.Sighted(place: place, distance: distance, phase: phase)
  }
}
