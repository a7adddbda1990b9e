import AlarmEngine
import PAD

extension ZonePack.Entry {
  /// A zone as it is given out: without messages, which name its owner's contacts, and without rows of other programs.
  ///
  /// PAD holds no comma in a text: a semicolon stands in its place.
  public init(publishing zone: Zone) {
    var draft = zone.draft
    draft.messages = []
    draft.unknownRows = []
    var writer = PADWriter()
    writer.append(draft)
    self.init(id: zone.id, pad: writer.bytes)
  }

  /// The zone that the bytes say.
  ///
  /// Rows that a later program added are passed over; a bad attribute takes its default, and the zone watches.
  /// - Throws: `.unreadableZone` where there is not one zone, of this id.
  public func zone() throws(PackError) -> Zone {
    let read = PADReader.read(pad)
    guard read.zones.count == 1, let zone = read.zones.first, zone.id == id else {
      throw .unreadableZone(id)
    }
    return zone
  }
}

extension ZonePack {
  /// What changed from one state to another. Both ascending by id, and so is the answer.
  public static func changes(from old: [Entry], to new: [Entry]) -> (changed: [Entry], removed: [ZoneID]) {
    let before = Dictionary(uniqueKeysWithValues: old.map { ($0.id, $0.pad) })
    let after = Set(new.map(\.id))
    return (new.filter { before[$0.id] != $0.pad }, old.map(\.id).filter { !after.contains($0) })
  }

  /// A state after changes. All ascending by id, and so is the answer.
  public static func applying(changed: [Entry], removed: [ZoneID], to old: [Entry]) -> [Entry] {
    let gone = Set(removed)
    var result: [Entry] = []
    result.reserveCapacity(old.count + changed.count)
    var news = changed[...]
    for entry in old {
      while let next = news.first, next.id < entry.id { result.append(news.removeFirst()) }
      if let next = news.first, next.id == entry.id {
        result.append(news.removeFirst())
      } else if !gone.contains(entry.id) {
        result.append(entry)
      }
    }
    return result + news
  }
}
