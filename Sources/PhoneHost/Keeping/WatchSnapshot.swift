import AlarmEngine
import Geometry

/// A ``KeptWatch`` as bytes. The next launch reads it first, then the journal's entries that follow it.
///
/// Big-endian except for the parts that the engine writes: `PXW1`, a checksum of the rest (FNV-1a, 32 bits),
/// the numbers of the last entry and of the last event and the edition in 64 bits each, the device, the settings, the sets of
/// zones to which its inputs refer (``ZoneListBytes``), the events not yet told (``EventBytes``) and their
/// numbers, the timeline's own snapshot.
public enum WatchSnapshot {
  private static let mark = Array("PXW1".utf8)

  static func bytes(of watch: KeptWatch) -> [UInt8] {
    var body = DataWriter()
    body.word(watch.lastEntry)
    body.word(watch.lastNumber)
    body.word(watch.edition)
    body.word(watch.timeline.device.rawValue)
    body.settings(watch.settings)
    body.count(watch.zoneSets.count)
    for set in watch.zoneSets { body.blob(ZoneListBytes.encode(Array(set.zones))) }
    body.blob(EventBytes.encode(watch.untold.map { $0.event }))
    for told in watch.untold { body.word(told.number) }
    body.blob(watch.timeline.snapshot())
    var whole = DataWriter()
    for byte in mark { whole.byte(byte) }
    whole.half(Checksum.of(body.bytes[...]))
    return whole.bytes + body.bytes
  }

  /// - Throws: if the bytes differ from those written.
  public static func read(_ bytes: [UInt8]) throws(DataError) -> KeptWatch {
    var reader = DataReader(bytes[...])
    guard try reader.slice(mark.count).elementsEqual(mark) else { throw .unknown }
    let sum = try reader.half()
    guard Checksum.of(bytes[(mark.count + 4)...]) == sum else { throw .damaged }
    let lastEntry = try reader.ordinal()
    let lastNumber = try reader.ordinal()
    let edition = try reader.ordinal()
    let device = DeviceID(rawValue: try reader.word())
    let settings = try reader.settings()
    var zoneSets: [WatchedZones] = []
    for _ in 0..<(try reader.count(ofAtLeast: 4)) {
      let bytes = try reader.blob()
      do {
        zoneSets.append(WatchedZones(try ZoneListBytes.decode(bytes), defaultRadius: settings.defaultRadius))
      } catch { throw .damaged }
    }
    let eventBytes = try reader.blob()
    let events: [Event]
    do { events = try EventBytes.decode(eventBytes) } catch { throw .damaged }
    var untold: [Told] = []
    for event in events { untold.append(Told(number: try reader.word(), event: event)) }
    let state = try reader.blob()
    guard reader.remaining == 0 else { throw .bytesLeft }
    do {
      let timeline = try Timeline(
        snapshot: state, device: device, settings: settings,
        zones: { WatchedZones.named($0, among: zoneSets) })
      return KeptWatch(
        timeline: timeline, settings: settings, zoneSets: zoneSets, untold: untold, lastNumber: lastNumber,
        lastEntry: lastEntry, edition: edition)
    } catch { throw .damaged }
  }
}
