import AlarmEngine
import Geometry

extension ZoneFileBuilder {
  /// Adds a zone described by properties, and reports their issues.
  /// - Parameter stated: the zone's id in the file.
  mutating func add(_ given: ZoneProperties, outline: ZoneOutline, stated: String? = nil, line: Int?) {
    var properties = given
    let label = Self.label(properties.name)
    for sentence in properties.mistyped { report(.error, line: line, "\(label): \(sentence)") }
    var standard = EdgeKind.lonLat
    if case .locations(let places) = outline, places.count == 1 { standard = .geodesic }
    let id = zoneID(stated: stated, ordinal: nil, name: properties.name, outline: outline)
    var draft = ZoneDraft(id: id, name: properties.name, outline: outline, edges: properties.edges(standard))
    properties.apply(to: &draft)
    for issue in properties.issues { report(.error, line: line, "\(label): \(issue)") }
    for warning in properties.warnings { report(.warning, line: line, "\(label): \(warning)") }
    add(draft, line: line, foreign: ForeignMembers(properties: properties.foreign))
  }
}
