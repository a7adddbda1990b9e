import Geometry

extension FieldWriter {
  mutating func outline(_ outline: ZoneOutline, _ edges: EdgeKind) {
    byte(edges.rawValue)
    switch outline {
    case .locations(let places):
      byte(0)
      list(places) { $0.place($1) }
    case .path(let places):
      byte(1)
      list(places) { $0.place($1) }
    case .area(let polygon):
      byte(2)
      byte(polygon.edges.rawValue)
      list(polygon.parts) { writer, part in
        writer.ring(part.outer)
        writer.list(part.holes) { $0.ring($1) }
      }
    }
  }

  mutating func trigger(_ trigger: Trigger) {
    switch trigger {
    case .enter(passingCounts: true): byte(0)
    case .enter(passingCounts: false): byte(1)
    case .leave(after: .zero): byte(2)
    case .dwell(let time):
      byte(3)
      span(time)
    case .leave(let time):
      byte(4)
      span(time)
    case .enterAndLeave(let passingCounts, let time):
      byte(passingCounts ? 5 : 6)
      span(time)
    }
  }

  mutating func schedule(_ schedule: Schedule) {
    list(schedule.windows) { writer, window in
      writer.byte(window.weekdays.rawValue)
      writer.half(UInt32(window.opens))
      writer.half(UInt32(window.closes))
    }
    text(schedule.timeZone)
    list(schedule.offsets) { writer, offset in
      writer.instant(offset.from)
      writer.half(UInt32(bitPattern: offset.seconds))
    }
  }

  mutating func message(_ message: Message) {
    text(message.yourMoniker)
    text(message.toMoniker)
    text(message.contactNumber)
    text(message.supplement)
  }

  mutating func notice(_ notice: Notice) {
    text(notice.title)
    text(notice.text)
    text(notice.link)
    text(notice.image)
    span(notice.cap)
  }
}
