import AlarmEngine
import Geometry
import PhoneHost

/// What a phone's app wrote of its watch, in the order in which it did: positions, what a person did, zones, settings, what
/// was shown. Whoever goes through it has the phone's own state after each step.
public struct PhoneRecord: Sendable {
  public enum Step: Sendable {
    /// The whole state, as the phone kept it then.
    case state(KeptWatch)
    case entry(JournalEntry)
  }
  public let steps: [Step]

  public init(steps: [Step]) { self.steps = steps }

  /// Whether it says which zones the phone watched.
  public var knowsZones: Bool {
    steps.contains { step in
      switch step {
      case .state: true
      case .entry(let entry): if case .zones = entry.content { true } else { false }
      }
    }
  }
}
