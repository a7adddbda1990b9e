import AlarmEngine
import Geometry
import PhoneHost

/// The record that a phone's app keeps of its watch, in order: positions, actions of the person, zones,
/// settings, and notices shown. Replaying it gives the phone's own state after each step.
public struct PhoneRecord: Sendable {
  public enum Step: Sendable {
    /// The whole state that the phone kept at that time.
    case state(KeptWatch)
    case entry(JournalEntry)
  }
  public let steps: [Step]

  public init(steps: [Step]) { self.steps = steps }

  /// True if the record has the zones that the phone watched.
  public var knowsZones: Bool {
    steps.contains { step in
      switch step {
      case .state: true
      case .entry(let entry): if case .zones = entry.content { true } else { false }
      }
    }
  }
}
