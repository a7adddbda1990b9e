import AlarmEngine
import Geometry

extension ZoneFileBuilder {
  /// Adds a zone described by properties, and reports their issues.
  /// - Parameter stated: the zone's id in the file.
  package mutating func add(_ given: ZoneProperties, outline: ZoneOutline, stated: String? = nil, line: Int?)
  {
    var properties = given
    let name = properties.name
    for sentence in properties.mistyped { report(.error, .misspelled, line: line, zone: name, sentence) }
    var standard = EdgeKind.lonLat
    if case .locations(let places) = outline, places.count == 1 { standard = .geodesic }
    let id = zoneID(stated: stated, ordinal: nil, name: properties.name, outline: outline)
    var draft = ZoneDraft(id: id, name: properties.name, outline: outline, edges: properties.edges(standard))
    properties.apply(to: &draft)
    report(.error, properties.issues, line: line, zone: name)
    report(.warning, properties.warnings, line: line, zone: name)
    add(draft, line: line, foreign: ForeignMembers(properties: properties.foreign))
  }
}
