import AlarmEngine
import Formats
import Geometry
import PhoneHost

/// A phone's journal as one sequence of positions and notes, with times of a clock that nobody sets.
struct JournalStory {
  struct Position {
    let place: Coordinate
    /// Metres; nil where none is stated.
    let accuracy: Double?
    let measuredAt: Instant
    /// Metres per second; nil where none is stated.
    let speed: Double?
    let source: PositionSource
  }
  enum Item {
    case position(Position)
    case note(WatchNote)
  }
  struct Step {
    /// The arrival at the application.
    let at: Instant
    let item: Item
  }

  private(set) var steps: [Step] = []
  /// Android tells the sources of positions and the least time between those of a session, iOS neither.
  private(set) var isAndroid = false
  var end: Instant? { steps.last?.at }

  init(_ record: PhoneRecord) {
    var source: PositionSource?
    // The phone's clock less the one that nobody sets.
    var shift = TimeSpan.zero
    for case .entry(let entry) in record.steps {
      switch entry.content {
      case .clockJumped(let span): shift = shift + span
      case .inputs(let inputs):
        for case .fix(let fix) in inputs {
          steps.append(Step(at: entry.at - shift, item: .position(Position(fix, source, shift))))
        }
      case .noted(let notes):
        for note in notes {
          switch note {
          case .started: source = nil
          case .positionSource(let stated):
            source = stated
            isAndroid = true
          case .session(_, let interval?) where interval >= .zero: isAndroid = true
          default: break
          }
          steps.append(Step(at: entry.at - shift, item: .note(note.moved(by: shift))))
        }
      case .timePassed, .zones, .told, .edition: break
      }
    }
  }

  var positions: [(at: Instant, position: Position)] {
    steps.compactMap { step in
      if case .position(let position) = step.item { (step.at, position) } else { nil }
    }
  }
  var notes: [(at: Instant, note: WatchNote)] {
    steps.compactMap { step in if case .note(let note) = step.item { (step.at, note) } else { nil } }
  }
}

extension JournalStory.Position {
  init(_ fix: Fix, _ stated: PositionSource?, _ shift: TimeSpan) {
    place = fix.position
    accuracy = if case .radius(let radius) = fix.accuracy { radius.metres } else { nil }
    measuredAt = fix.measuredAt - shift
    speed = fix.speed?.metresPerSecond
    // iOS states no source; only positions by satellites have a speed there.
    source = stated ?? (fix.speed == nil ? .network : .satellites)
  }
}

extension WatchNote {
  fileprivate func moved(by shift: TimeSpan) -> Self {
    if case .motion(let motion, let since?) = self { .motion(motion, since: since - shift) } else { self }
  }
}

extension DesiredAccuracy {
  var isBySatellites: Bool { rawValue < DesiredAccuracy.hundredMetres.rawValue }
}
