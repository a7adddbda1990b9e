import Geometry

extension FieldReader {
  mutating func outline() throws(FieldError) -> (ZoneOutline, EdgeKind) {
    let edges = try edges()
    let kind = try byte()
    switch kind {
    case 0: return (.locations(try places()), edges)
    case 1: return (.path(try places()), edges)
    case 2: return (.area(try polygon()), edges)
    default: throw .unknown(given: kind)
    }
  }

  private mutating func edges() throws(FieldError) -> EdgeKind {
    let number = try byte()
    guard let edges = EdgeKind(rawValue: number) else { throw .unknown(given: number) }
    return edges
  }

  private mutating func polygon() throws(FieldError) -> Polygon {
    let edges = try edges()
    let parts = try list(ofAtLeast: 56) { (reader: inout Self) throws(FieldError) in
      let outer = try reader.ring()
      let holes = try reader.list(ofAtLeast: 52) { (reader: inout Self) throws(FieldError) in
        try reader.ring()
      }
      return Polygon.Part(outer: outer, holes: holes)
    }
    guard !parts.isEmpty else { throw .tooFewVertices }
    return Polygon(parts: parts, edges: edges)
  }

  mutating func trigger() throws(FieldError) -> Trigger {
    let kind = try byte()
    switch kind {
    case 0: return .enter(passingCounts: true)
    case 1: return .enter(passingCounts: false)
    case 2: return .leave()
    case 3: return .dwell(try span())
    case 4: return .leave(after: try span())
    case 5: return .enterAndLeave(passingCounts: true, after: try span())
    case 6: return .enterAndLeave(passingCounts: false, after: try span())
    default: throw .unknown(given: kind)
    }
  }

  mutating func schedule() throws(FieldError) -> Schedule {
    let windows = try list(ofAtLeast: 9) { (reader: inout Self) throws(FieldError) in try reader.window() }
    let timeZone = try text()
    let offsets = try list(ofAtLeast: 12) { (reader: inout Self) throws(FieldError) in try reader.offset() }
    return Schedule(windows: windows, timeZone: timeZone, offsets: offsets)
  }

  private mutating func window() throws(FieldError) -> Schedule.Window {
    let weekdays = Schedule.Weekdays(rawValue: try byte())
    guard Schedule.Weekdays.everyDay.isSuperset(of: weekdays) else {
      throw .schedule(.weekdaysOutOfRange(given: Int(weekdays.rawValue)))
    }
    let (opens, closes) = (Int(try half()), Int(try half()))
    guard Schedule.Window.allowedOpening.contains(opens) else {
      throw .schedule(.openingOutOfRange(given: opens))
    }
    guard Schedule.Window.allowedClosing.contains(closes) else {
      throw .schedule(.closingOutOfRange(given: closes))
    }
    return Schedule.Window(weekdays: weekdays, opens: opens, closes: closes)
  }

  private mutating func offset() throws(FieldError) -> Schedule.Offset {
    let from = try instant()
    let seconds = Int(Int32(bitPattern: try half()))
    do { return try Schedule.Offset(from: from, checkingSeconds: seconds) } catch { throw .schedule(error) }
  }

  mutating func message() throws(FieldError) -> Message {
    Message(
      yourMoniker: try text(), toMoniker: try text(), contactNumber: try text(), supplement: try text())
  }

  mutating func notice() throws(FieldError) -> Notice {
    Notice(title: try text(), text: try text(), link: try text(), image: try text(), cap: try span())
  }
}
