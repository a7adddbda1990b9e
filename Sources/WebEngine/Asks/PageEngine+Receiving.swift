import AlarmEngine
import Geometry
import PAD

extension PageEngine {
  /// Compares `zones` (forms as read from a file) with the open zones, as a preview of an import.
  ///
  /// For each, in order: `status` (`new`, `changed`, `same`, `refused`), the `form` to keep, the `fields`
  /// that differ, and for refused ones `field` and `why`. A form without an id gets the one that other
  /// readers of the same file give it. `crossing`: the numbers of two edges of a ring that cross, and how many `rings`
  /// there are. With `more`, further zones of the same file follow.
  mutating func compare(_ fields: Fields) throws(Refusal) -> PageValue {
    let timeline = try opened()
    let more = try fields.asked(bool: "more") == true
    var kept: [Zone] = []
    for zone in timeline.zones { kept.append(zone) }
    kept.sort { $0.id < $1.id }
    let arealess =
      timeline.refusedZones.map { $0.zone } + refusedForms.compactMap { ZoneID(hexadecimal: $0.id) }
    var ids = received
    received = PADIdentifiers()
    var rows: [PageValue] = []
    for form in try fields.asked(list: "zones") {
      rows.append(row(of: form, kept, arealess, &ids))
    }
    if more { received = ids }
    return .map([.init("rows", .list(rows))])
  }

  private func row(
    of form: PageValue, _ kept: [Zone], _ arealess: [ZoneID], _ ids: inout PADIdentifiers
  ) -> PageValue {
    func refused(_ why: [PageValue.Entry]) -> PageValue {
      var entries: [PageValue.Entry] = [.init("status", .text("refused"))] + why
      if let name = form["name"]?.text { entries.add("name", .text(name)) }
      return .map(entries)
    }
    let zone: Zone
    do throws(ZoneForm.FieldError) {
      zone = Self.named(try ZoneForm.zone(form, fresh: ZoneID(rawValue: 0)), form, &ids)
    } catch { return refused(error.entries) }
    let shape: Shape
    do throws(ZoneError) { shape = try zone.shape(defaultRadius: settings.defaultRadius) } catch {
      return refused(error.entries)
    }
    var entries: [PageValue.Entry] = [.init("form", ZoneForm.form(of: zone))]
    if let crossing = Self.crossing(in: shape) { entries += crossing }
    let differing: [Text]
    if let former = Self.find(zone.id, in: kept) {
      differing = Self.differing(former, zone)
    } else if arealess.contains(zone.id) {
      differing = ["outline"]
    } else {
      return .map(entries + [.init("status", .text("new"))])
    }
    entries.add("status", .text(differing.isEmpty ? "same" : "changed"))
    entries.add("fields", .list(differing.map { .text($0) }))
    return .map(entries)
  }

  /// Files may hold rings that cross themselves; they are taken as even-odd says.
  private static func crossing(in shape: Shape) -> [PageValue.Entry]? {
    guard case .polygon(let polygon) = shape else { return nil }
    let rings = polygon.parts.flatMap { [$0.outer] + $0.holes }
    for ring in rings {
      guard let first = selfCrossings(of: ring, edges: polygon.edges, limit: 1).first else { continue }
      return [
        .init("crossing", .list([.integer(Int64(first.first)), .integer(Int64(first.second))])),
        .init("rings", .integer(Int64(rings.count))),
      ]
    }
    return nil
  }

  /// - Parameter zones: ascending by id.
  private static func find(_ id: ZoneID, in zones: [Zone]) -> Zone? {
    var (low, high) = (0, zones.count)
    while low < high {
      let middle = (low + high) / 2
      if zones[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < zones.count && zones[low].id == id ? zones[low] : nil
  }

  /// The zone under the id that its file means: its own, or one made of name and places.
  private static func named(_ zone: Zone, _ form: PageValue, _ ids: inout PADIdentifiers) -> Zone {
    let own = form["id"]?.text == nil ? nil : zone.id
    return zone.under(ids.id(stated: own, name: zone.name, places: places(of: zone.outline)))
  }

  private static func places(of outline: ZoneOutline) -> [Coordinate] {
    switch outline {
    case .locations(let places), .path(let places): places
    case .area(let polygon): polygon.parts[0].outer.vertices
    }
  }

  private static func differing(_ a: Zone, _ b: Zone) -> [Text] {
    let (ours, theirs) = (a.fields, b.fields)
    return ZoneField.allCases.indices.filter { ours[$0].value != theirs[$0].value }.map { place in
      // A field of several members is called by the first of them.
      ZoneMember.allCases.first { $0.field == ZoneField.allCases[place] }?.word ?? .empty
    }
  }
}
