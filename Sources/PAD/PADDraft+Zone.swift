import AlarmEngine
import Geometry

extension PADDraft {
  /// Returns the zone after its last row; nil if it has no usable area.
  func finished(ids: inout PADIdentifiers, issues: inout [PADIssue.Kind]) -> Zone? {
    guard var outline = outline(&issues) else { return nil }
    var places: [Coordinate] = []
    for location in sorted() { places.append(location.place) }
    if case .locations(let kept) = outline, let trimmed = Self.withoutClosing(kept) {
      issues.append(.closingLocationDropped)
      outline = .locations(trimmed)
    }
    let zoneID = ids.id(stated: id, name: zone.name, places: places)
    if let id, id != zoneID { issues.append(.idTaken(id)) }
    var draft = zone
    if let floor = draft.floor, let ceiling = draft.ceiling, floor >= ceiling {
      let allowed = floor.metres...RangedField.ceiling.allowed.upperBound
      issues.append(.outOfRange(.ceiling, found: ceiling.metres, allowed: allowed))
      (draft.floor, draft.ceiling) = (nil, nil)
    }
    draft.id = zoneID
    draft.size = checkedSize(outline, &issues)
    draft.outline = outline
    draft.schedule = schedule.value
    // This should not fail: the numbers were checked with their rows, and a zone without places was left out
    // above.
    do { return try Zone(draft) } catch {
      issues.append(.noLocations)
      return nil
    }
  }

  /// Returns the locations by number, equal numbers in the order of the file.
  private func sorted() -> [Location] {
    var isSorted = true
    for index in locations.indices.dropFirst() where locations[index].number < locations[index - 1].number {
      isSorted = false
    }
    if isSorted { return locations }
    let order = locations.indices.sorted { (locations[$0].number, $0) < (locations[$1].number, $1) }
    return order.map { locations[$0] }
  }

  private func outline(_ issues: inout [PADIssue.Kind]) -> ZoneOutline? {
    let ordered = sorted()
    for index in ordered.indices.dropFirst() where ordered[index].number == ordered[index - 1].number {
      if kind == .area || index >= 2 && ordered[index - 2].number == ordered[index].number { continue }
      issues.append(.equalLocationNumbers(ordered[index].number))
    }
    let places = ordered.map { $0.place }
    guard !places.isEmpty else {
      issues.append(.noLocations)
      return nil
    }
    if locationsLost > 0, places.count < min(3, places.count + locationsLost) {
      issues.append(.tooFewLocationsLeft(places.count))
      return nil
    }
    switch kind {
    case .locations: return .locations(places)
    case .path where places.count >= 2: return .path(places)
    case .path: return .locations(places)
    case .area: return area(places, &issues)
    }
  }

  private func area(_ first: [Coordinate], _ issues: inout [PADIssue.Kind]) -> ZoneOutline? {
    // Rows of one ring may be scattered over the zone; their order within the ring counts.
    let order = vertices.indices.sorted {
      (vertices[$0].part, vertices[$0].ring, $0) < (vertices[$1].part, vertices[$1].ring, $1)
    }
    var rings: [(part: Int, ring: Int, places: [Coordinate])] = [(1, 0, first)]
    for index in order {
      let vertex = vertices[index]
      if let last = rings.last, last.part == vertex.part, last.ring == vertex.ring {
        rings[rings.count - 1].places.append(vertex.place)
      } else {
        rings.append((vertex.part, vertex.ring, [vertex.place]))
      }
    }
    var parts: [Polygon.Part] = []
    var current: (part: Int, outer: Ring, holes: [Ring])?
    for entry in rings {
      guard let ring = try? Ring(entry.places) else {
        issues.append(.incomplete(entry.part == 1 && entry.ring == 0 ? .location : .vertex))
        continue
      }
      if let open = current, open.part == entry.part, entry.ring > 0 {
        current?.holes.append(ring)
      } else if entry.ring == 0 {
        if let open = current { parts.append(.init(outer: open.outer, holes: open.holes)) }
        current = (entry.part, ring, [])
      } else {
        // A hole without its part is ignored.
        issues.append(.incomplete(.vertex))
      }
    }
    if let open = current { parts.append(.init(outer: open.outer, holes: open.holes)) }
    guard !parts.isEmpty else {
      issues.append(.noLocations)
      return nil
    }
    return .area(Polygon(parts: parts, edges: zone.edges))
  }

  /// Returns the places without the last one if it repeats the first and fewer than three others would be
  /// left; else nil.
  private static func withoutClosing(_ places: [Coordinate]) -> [Coordinate]? {
    guard places.count == 2 || places.count == 3, places.first == places.last else { return nil }
    // Three times the same place becomes one.
    return places.count == 3 && places[1] != places[0] ? Array(places.dropLast()) : [places[0]]
  }

  /// Returns the size; nil, the Default Radius, if it cannot be used. One that is too large becomes the
  /// largest allowed.
  private func checkedSize(_ outline: ZoneOutline, _ issues: inout [PADIssue.Kind]) -> Distance? {
    guard let size else { return nil }
    let needed: Bool
    switch outline {
    case .locations(let places): needed = places.count < 3
    case .path: needed = true
    case .area: needed = false
    }
    let allowed =
      needed
      ? Zone.allowedSize.lowerBound.metres...Zone.allowedSize.upperBound.metres
      : RangedField.size.allowed
    if allowed.contains(size) { return .metres(size) }
    issues.append(.outOfRange(.size, found: size, allowed: allowed))
    // A size that is too large still means a large zone.
    return size > allowed.upperBound ? .metres(allowed.upperBound) : nil
  }
}
