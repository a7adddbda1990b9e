import AlarmEngine
import Geometry

/// Zones with every attribute, made from a seed. Texts contain only what PAD can hold.
public enum ZoneSamples {
  public static func zone(_ generator: inout SeededGenerator) -> Zone {
    let (floor, ceiling) = band(&generator)
    let edges: EdgeKind = .random(using: &generator) ? .geodesic : .lonLat
    return Zone.valid(
      id: ZoneID(rawValue: generator.next()), name: text(&generator), category: text(&generator),
      active: .random(using: &generator), vibrate: .random(using: &generator),
      priority: .random(in: -5...100, using: &generator), sleepTime: maybe(&generator) { time(&$0) },
      size: maybe(&generator) { .metres($0.double(in: 0.01...5000)) },
      inset: .metres(generator.double(in: -100...100)),
      alertDistance: .metres(generator.double(in: 0...1000)),
      leadTime: maybe(&generator) { time(&$0) }, floor: floor, ceiling: ceiling, soundName: text(&generator),
      outline: outline(edges, &generator), edges: edges, trigger: trigger(&generator),
      schedule: maybe(&generator) { schedule(&$0) },
      assurance: Assurance.allCases.randomElement(using: &generator) ?? .normal,
      messages: (0..<Int.random(in: 0...2, using: &generator)).map { _ in
        Message(
          yourMoniker: text(&generator), toMoniker: text(&generator), contactNumber: "+1 555 0100",
          supplement: text(&generator))
      },
      notice: maybe(&generator) {
        Notice(
          title: text(&$0), text: text(&$0), link: "https://example.org/?a=1&b=2", image: text(&$0),
          cap: time(&$0))
      },
      unknownRows: (0..<Int.random(in: 0...2, using: &generator)).map { _ in
        ["Colour", text(&generator), Text("\(Int.random(in: 0...9, using: &generator))")]
      })
  }

  private static func band(_ generator: inout SeededGenerator) -> (floor: Distance?, ceiling: Distance?) {
    let floor: Distance? = maybe(&generator) { .metres($0.double(in: -400...3000)) }
    return (floor, maybe(&generator) { (floor ?? .zero) + .metres($0.double(in: 0.5...9000)) })
  }

  public static func maybe<Value>(
    _ generator: inout SeededGenerator, _ make: (inout SeededGenerator) -> Value
  ) -> Value? { Bool.random(using: &generator) ? make(&generator) : nil }

  public static func place(_ generator: inout SeededGenerator) -> Coordinate {
    Coordinate(
      latitude: .degrees(generator.double(in: -90...90)),
      longitude: .degrees(generator.double(in: -180...180)))
  }

  private static func time(_ generator: inout SeededGenerator) -> TimeSpan {
    .milliseconds(.random(in: 0...100_000_000, using: &generator))
  }

  private static let words = [
    "", "North gate", "Ćuk", "工地", "a;b", "say \"hi\" so", "<&>'", "0", "O'Hare", "🏔",
  ]
  private static func text(_ generator: inout SeededGenerator) -> Text {
    Text(words.randomElement(using: &generator) ?? "")
  }

  private static func places(_ count: Int, _ generator: inout SeededGenerator) -> [Coordinate] {
    (0..<count).map { _ in place(&generator) }
  }

  private static func ring(_ generator: inout SeededGenerator) -> Ring {
    let count = Int.random(in: 3...6, using: &generator)
    while true { if let ring = try? Ring(places(count, &generator)) { return ring } }
  }

  private static func outline(_ edges: EdgeKind, _ generator: inout SeededGenerator) -> ZoneOutline {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: return .locations(places(Int.random(in: 1...3, using: &generator), &generator))
    case 1: return .locations(places(Int.random(in: 3...30, using: &generator), &generator))
    case 2: return .path(places(Int.random(in: 2...9, using: &generator), &generator))
    default:
      let parts = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
        Polygon.Part(
          outer: ring(&generator),
          holes: (0..<Int.random(in: 0...2, using: &generator)).map { _ in ring(&generator) })
      }
      return .area(Polygon(parts: parts, edges: edges))
    }
  }

  private static func trigger(_ generator: inout SeededGenerator) -> Trigger {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: .enter(passingCounts: true)
    case 1: .enter(passingCounts: false)
    case 2: leaving(&generator)
    default: .dwell(time(&generator))
    }
  }

  private static func leaving(_ generator: inout SeededGenerator) -> Trigger {
    let time: TimeSpan = Bool.random(using: &generator) ? .zero : time(&generator)
    guard Bool.random(using: &generator) else { return .leave(after: time) }
    return .enterAndLeave(passingCounts: Bool.random(using: &generator), after: time)
  }

  private static func schedule(_ generator: inout SeededGenerator) -> Schedule {
    Schedule(
      windows: (0..<Int.random(in: 0...3, using: &generator)).map { _ in
        Schedule.Window(
          weekdays: .init(rawValue: .random(in: 0...127, using: &generator)),
          opens: .random(in: 0...1439, using: &generator), closes: .random(in: 0...1440, using: &generator))
      }, timeZone: "Europe/Berlin",
      offsets: (0..<Int.random(in: 0...3, using: &generator)).map { index in
        .init(from: Instant(millisecondsSince1970: Int64(index) * 15_768_000_123), seconds: 3600)
      })
  }
}
