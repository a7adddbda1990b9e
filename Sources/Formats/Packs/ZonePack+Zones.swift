import AlarmEngine
import PAD

extension ZonePack.Entry {
  /// Encodes a zone for publishing: without messages, which name its owner's contacts, and without rows of
  /// other programs.
  ///
  /// A comma in a text becomes a semicolon, since PAD cannot hold commas.
  public init(publishing zone: Zone) {
    var draft = zone.draft
    draft.messages = []
    draft.unknownRows = []
    var writer = PADWriter()
    writer.append(draft)
    self.init(id: zone.id, pad: writer.bytes)
  }

  /// Returns the zone that the bytes encode.
  ///
  /// Unknown rows of a later program are skipped. A bad attribute takes its default, and the zone stays
  /// active.
  /// - Throws: `.unreadableZone` unless the bytes hold exactly one zone, with this id.
  public func zone() throws(PackError) -> Zone {
    let read = PADReader.read(pad)
    guard read.zones.count == 1, let zone = read.zones.first, zone.id == id else {
      throw .unreadableZone(id)
    }
    return zone
  }
}

extension ZonePack {
  /// Returns the changes from one state to another. Arguments and results ascend by id.
  public static func changes(from old: [Entry], to new: [Entry]) -> (changed: [Entry], removed: [ZoneID]) {
    let before = Dictionary(uniqueKeysWithValues: old.map { ($0.id, $0.pad) })
    let after = Set(new.map(\.id))
    return (new.filter { before[$0.id] != $0.pad }, old.map(\.id).filter { !after.contains($0) })
  }

  /// Returns a state with changes applied. Arguments and result ascend by id.
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
