import AlarmEngine
import Geometry

/// A replayed track and its result.
struct Replayed: Sendable {
  let timeline: Timeline
  /// In the order of time.
  let track: [Fix]
}

extension PageEngine {
  /// Replays a track in a timeline of its own; the open timeline is not changed.
  ///
  /// `events`; `steps`, rows of `TrackPicture.width` little-endian doubles; `stays`, `[[from_ms, to_ms], ...]`; `used`,
  /// and `refused_rows` with their reasons, at most 100; `refused_zones`.
  mutating func replay(_ fields: Fields) throws(Refusal) -> PageValue {
    let (zones, refusedForms) = try fields.zones("zones")
    let numbers = try fields.rows("rows")
    var settings = try fields.settings()
    // A track that states no accuracy is exact.
    try? settings.set(.unstatedAccuracy, to: 0)
    var fixes: [Fix] = []
    var refused: [PageValue] = []
    var refusedCount = 0
    for start in stride(from: 0, to: numbers.count, by: FixRow.width) {
      do throws(FixRow.Refusal) {
        fixes.append(try FixRow.fix(numbers[start..<(start + FixRow.width)]))
      } catch {
        refusedCount += 1
        if refused.count < 100 {
          refused.append(
            .map([
              .init("row", .integer(Int64(start / FixRow.width))), .init("why", .text(error.word)),
            ]))
        }
      }
    }
    settings = settings.raisingSignalTimeout(forTrackAt: fixes.map { $0.measuredAt }.sorted())
    var run = Timeline(device: DeviceID(rawValue: 0), settings: settings, zones: zones)
    run.insert(fixes.map { .fix($0) })
    let names = ZoneNames(run)
    // Fixes that the engine ignored are left out of the track.
    var ignored: [Fix] = []
    for event in run.events { if case .ignored(let fix, _) = event.kind { ignored.append(fix) } }
    ignored.sort { $0.measuredAt < $1.measuredAt }
    let believed = fixes.filter { fix in
      let first = ignored.partitioningIndex { $0.measuredAt >= fix.measuredAt }
      return !ignored[first...].prefix { $0.measuredAt == fix.measuredAt }.contains(fix)
    }
    let order = believed.indices.sorted { (believed[$0].measuredAt, $0) < (believed[$1].measuredAt, $1) }
    let track = order.map { believed[$0] }
    let picture = TrackPicture(track)
    replayed = Replayed(timeline: run, track: track)
    return .map([
      .init("events", .list(run.events.map { EventForm.form(of: $0, names) })),
      .init("steps", .bytes(Self.bytes(of: picture.steps))),
      .init(
        "stays",
        .list(
          picture.stays.map {
            .list([
              .integer($0.lowerBound.millisecondsSince1970), .integer($0.upperBound.millisecondsSince1970),
            ])
          })),
      .init("used", .integer(Int64(fixes.count))), .init("refused_count", .integer(Int64(refusedCount))),
      .init("refused_rows", .list(refused)),
      .init("refused_zones", Self.refused(run.refusedZones, refusedForms)),
    ])
  }

  private static func bytes(of numbers: [Double]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(numbers.count * 8)
    for number in numbers {
      let bits = number.bitPattern
      for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(8 * place))) }
    }
    return bytes
  }

  /// The open timeline, or the replayed one with `of: replay`.
  func timeline(asked fields: Fields) throws(Refusal) -> Timeline {
    switch try fields.asked(text: "of") {
    case let word where word == nil || word == "device": return try opened()
    case let word where word == "replay":
      guard let replayed else { throw .nothingReplayed }
      return replayed.timeline
    default: throw .field(.init("of", .unknownWord))
    }
  }

  /// Explains why a zone rang in a stretch of time, or did not: the first evaluation that rang, else the one
  /// nearest to ringing; no `record` if the zone was never evaluated.
  func why(_ fields: Fields) throws(Refusal) -> PageValue {
    let zone = ZoneID(rawValue: try fields.identifier("zone"))
    let from = try fields.instant("from_ms")
    let to = try fields.instant("to_ms")
    guard from <= to else { throw .field(.init("to_ms", .outOfRange)) }
    var nearest: (record: Explanation, miss: Double)?
    var last: Explanation?
    for record in try timeline(asked: fields).explanations(of: zone, in: from...to) {
      if record.verdict.rings { return .map([.init("record", Self.form(of: record))]) }
      last = record
      guard let miss = Self.miss(record), nearest.map({ miss < $0.miss }) ?? true else { continue }
      nearest = (record, miss)
    }
    guard let record = nearest?.record ?? last else { return .map([]) }
    return .map([.init("record", Self.form(of: record))])
  }

  /// Metres that were missing to the line at which it rings, on the way too.
  private static func miss(_ record: Explanation) -> Double? {
    switch record.basis {
    case .fix(let evidence):
      return (min(evidence.distance, evidence.way?.closest ?? evidence.distance) - evidence.level).metres
    case .offDuty(_, let distance): return distance.metres
    case .time, .clockJumped: return nil
    }
  }

  /// The most fixes of the replay that are evaluated, evenly spread, and the most zones for each.
  private static let closestFixes = 600
  private static let closestZones = 200

  /// Returns how near the replay came to the zones, nearest first: `id`, `name`, `closest_m` (to the line at
  /// which it rings, at a fix), `at_ms`, and `rings` of its alarms. With more than 200 zones only those near
  /// the way.
  func closest(_ fields: Fields) throws(Refusal) -> PageValue {
    guard let replayed else { throw .nothingReplayed }
    let limit = Int(try fields.asked(number: "limit", 1...1000) ?? 50)
    let (timeline, fixes) = (replayed.timeline, replayed.track)
    guard let last = fixes.last else { return .map([.init("rows", .list([]))]) }
    let surroundings = timeline.surroundings(at: last.measuredAt)
    var best = Array(repeating: Double.infinity, count: surroundings.count)
    var places = Array(repeating: 0, count: surroundings.count)
    func look(_ zone: Surroundings.Nearby, _ place: Int) {
      let index = zone.zone.index
      guard zone.toAlert.metres < best[index] else { return }
      best[index] = zone.toAlert.metres
      places[index] = place
    }
    let pace = max(1, fixes.count / Self.closestFixes)
    for place in fixes.indices where place % pace == 0 || place == fixes.count - 1 {
      let position = fixes[place].position
      if surroundings.count <= Self.closestZones {
        for zone in surroundings.slots { look(surroundings.nearby(zone, from: position), place) }
      } else {
        for zone in surroundings.nearest(8, to: position) { look(zone, place) }
      }
    }
    let met = best.indices.filter { best[$0] < .infinity }
    let order = met.sorted { (best[$0], $0) < (best[$1], $1) }
    var rows: [PageValue] = []
    for number in order.prefix(limit) {
      let zone = timeline.zones[number]
      rows.append(Self.row(zone, best[number], fixes[places[number]].measuredAt, timeline.events))
    }
    return .map([.init("rows", .list(rows))])
  }

  @inline(never) private static func row(
    _ zone: Zone, _ closest: Double, _ at: Instant, _ events: [Event]
  ) -> PageValue {
    var rings: Int64 = 0
    for event in events {
      if case .alarm(let report) = event.kind, report.zone == zone.id { rings += 1 }
    }
    return .map([
      .init("id", .text(Text(zone.id.description))), .init("name", .text(zone.name)),
      .init("category", .text(zone.category)), .init("closest_m", .number(closest)),
      .init("at_ms", .integer(at.millisecondsSince1970)), .init("rings", .integer(rings)),
    ])
  }
}
