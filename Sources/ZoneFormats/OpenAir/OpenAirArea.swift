import AlarmEngine
import Geometry

/// The airspace that is being read.
struct OpenAirArea {
  let line: Int
  var category: String?
  var name: String?
  var rows: [[Text]] = []
  var clockwise = true
  var points: [Coordinate] = []
  var circles: [(center: Coordinate, radius: Distance)] = []
  var airway: [Coordinate] = []
  /// Whole width of an airway.
  var width: Distance?
  var lostRecords = 0
  /// True if it was already reported that its times are not obeyed.
  var toldOfTimes = false
  var floor: Distance?
  var ceiling: Distance?

  init(line: Int) { self.line = line }

  var label: Text { Text(name ?? "") }
  var hasGeometry: Bool { !points.isEmpty || !circles.isEmpty || !airway.isEmpty || lostRecords > 0 }

  func limit(_ isFloor: Bool) -> Distance? { isFloor ? floor : ceiling }

  var outlines: [(outline: ZoneOutline, size: Distance?)] {
    var outlines: [(outline: ZoneOutline, size: Distance?)] = []
    if points.count >= 3, (try? Ring(points)) != nil { outlines.append((.locations(points), nil)) }
    for circle in circles { outlines.append((.locations([circle.center]), circle.radius)) }
    if airway.count >= 2 { outlines.append((.path(airway), width.map { $0 * 0.5 })) }
    return outlines
  }
}
