import AlarmEngine
import Formats
import Foundation
import Geometry
import WebEngine

/// The zones, fixes and reminders that one of the readers accepted.
struct Accepted {
  var zones: [Zone] = []
  var fixes: [Fix] = []
  var reminders: [Reminder] = []

  /// - Parameter reader: a letter; `a` is the first of ``readers``, modulo their number.
  /// - Returns: nil if nothing is accepted.
  init?(reader: UInt8, _ bytes: [UInt8]) {
    Self.readers[Int(reader &- UInt8(ascii: "a")) % Self.readers.count](bytes, &self)
    // Large zones are left to the parsers that test reading and layout; here small zones are used in many
    // ways.
    zones = zones.filter { Self.vertexCount($0) <= 40 }
    zones = Array(zones.prefix(4))
    fixes = Array(fixes.prefix(40))
    reminders = Array(reminders.prefix(4))
    if zones.isEmpty && fixes.isEmpty && reminders.isEmpty { return nil }
    if zones.isEmpty, let place = fixes.first?.position { zones = Self.zones(around: place) }
  }

  private typealias Reader = @Sendable ([UInt8], inout Accepted) -> Void

  /// The readers in the order of their letters: `a` to `f` zone files, `g` a zone's record, `h` a reminder's
  /// record, `i` the page's forms, `j` and `k` tracks, from `l` on the requests of phones in the order of
  /// `PhoneEndpoint`, then the zone formats that were added later.
  private static let readers: [Reader] =
    first.map(zoneFile) + [zoneRecord, reminderRecord, forms]
    + [TrackFormat.csv, .gpx].map(track) + PhoneEndpoint.allCases.map(phone)
    + ZoneFormat.allCases.filter { !first.contains($0) }.map(zoneFile)
  private static let first: [ZoneFormat] = [.pad, .geojson, .kml, .kmz, .owntracks, .openair]

  private static func zoneFile(_ format: ZoneFormat) -> Reader {
    { bytes, accepted in
      accepted.zones = (try? ZoneFile.read(data: Data(bytes), format: format))?.zones ?? []
    }
  }

  /// Reads a stored zone. Numbers out of range remain in its draft; a zone can be made of the draft only
  /// after they have been corrected.
  private static let zoneRecord: Reader = { bytes, accepted in
    guard let record = try? SyncRecord(bytes: bytes) else { return }
    let id = ZoneID(rawValue: 1)
    let stored = ZoneDraft.stored(id: id, record: record)
    let whole = try? Zone(id: id, record: record)
    expect(
      (stored.fault == nil) == (whole != nil), "a zone is good for one reader and bad for the other")
    var again = SyncRecord()
    again.edit(to: stored.draft.fields, at: HybridTime(time: Use.today, counter: 0, node: 1))
    expect(
      ZoneDraft.stored(id: id, record: again).draft == stored.draft, "a zone's fields are another zone's")
    let mended = try? Zone(stored.draft.withNumbersInRange())
    accepted.zones = (whole ?? mended).map { [$0] } ?? []
  }

  private static let reminderRecord: Reader = { bytes, accepted in
    guard let record = try? SyncRecord(bytes: bytes) else { return }
    accepted.reminders = [Reminder.stored(id: ReminderID(rawValue: 1), record: record).reminder]
  }

  private static let forms: Reader = { bytes, accepted in
    guard case .list(let forms)? = try? PageValue(cbor: bytes) else { return }
    for (number, form) in forms.enumerated() {
      guard let zone = try? ZoneForm.zone(form, fresh: ZoneID(rawValue: UInt64(number))) else { continue }
      let again = try? ZoneForm.zone(ZoneForm.form(of: zone), fresh: nil)
      expect(again == zone, "a zone's form is another zone's")
      accepted.zones.append(zone)
    }
  }

  private static func track(_ format: TrackFormat) -> Reader {
    { bytes, accepted in
      guard let file = try? TrackFile.read(data: Data(bytes), name: "fuzz", format: format) else { return }
      accepted.fixes = file.devices.flatMap { $0.points.map { $0.fix } }
    }
  }

  /// Reads a phone's request: the first line is its query, the others are its body.
  private static func phone(_ endpoint: PhoneEndpoint) -> Reader {
    { bytes, accepted in
      let query = String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
      let report = PhoneReport.read(
        PhoneRequest(
          endpoint: endpoint, query: query, body: Array(bytes.drop { $0 != 10 }.dropFirst()),
          receivedAt: Use.today + .seconds(5)))
      accepted.fixes = report.fixes.map { $0.fix }
    }
  }

  private static func vertexCount(_ zone: Zone) -> Int {
    switch zone.outline {
    case .locations(let places), .path(let places): places.count
    case .area(let polygon):
      polygon.parts.reduce(0) { sum, part in
        ([part.outer] + part.holes).reduce(sum) { $0 + $1.vertices.count }
      }
    }
  }

  /// Returns a zone of each kind around a place, for inputs that contain only fixes.
  private static func zones(around place: Coordinate) -> [Zone] {
    let triggers: [(Trigger, Assurance)] = [
      (.enter(passingCounts: true), .normal), (.leave(after: .seconds(30)), .relaxed),
      (.dwell(.minutes(1)), .safety),
    ]
    return triggers.enumerated().map { number, kind in
      .small(
        UInt64(number + 1), at: place, kind.0, kind.1,
        notice: Notice(title: "Title", text: "Text", cap: .minutes(1)))
    }
  }
}

extension Zone {
  /// Makes a circle with a radius of 100 m.
  static func small(
    _ id: UInt64, at place: Coordinate, _ trigger: Trigger, _ assurance: Assurance, notice: Notice? = nil
  ) -> Zone {
    let draft = ZoneDraft(
      id: ZoneID(rawValue: id), name: "Zone", size: .metres(100), outline: .locations([place]),
      trigger: trigger, assurance: assurance, notice: notice)
    do { return try Zone(draft) } catch { preconditionFailure("no zone: \(error)") }
  }
}
