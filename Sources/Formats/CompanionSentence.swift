import AlarmEngine
import Geometry

extension Explanation {
  /// Returns the decision about two devices and its reason, for a person who does not know the rules.
  /// - Parameter name: the other person's name.
  package func sentence(about name: String, _ trigger: CompanionTrigger) -> String {
    let asked = trigger == .within ? "within" : "apart by more than"
    switch verdict {
    case .passedThrough:
      return
        "It rang because you and \(name) passed each other within \(level), on the ways between positions."
    case .wentOut, .stayedOutside, .dwelledLongEnough:
      return "It rang because \(apart(name)), after having been within \(level)."
    case .stillPossible:
      return
        "It rang because no exact position came in time, and being \(asked) \(level) was likely enough: \(apart(name))."
    case .positionInside, .probablyInside, .insideNotExcluded, .certainlyInside, .twoFixesAgree, .rangAnew:
      return "It rang because \(apart(name)); it rings \(asked) \(level)."
    case .perhaps, .unlikely:
      return
        "It did not ring: no exact position came in time, and being \(asked) \(level) was not likely enough; \(apart(name))."
    case .waitsForBetterFix:
      return "It waited for more exact positions: \(apart(name)); it rings \(asked) \(level)."
    case .waitsForSecondFix:
      return "It waited for a second position that agrees: \(apart(name)); it rings \(asked) \(level)."
    case .dwelling, .waitsForLeaving, .waitsOutside, .cameBack:
      return "It waited: \(apart(name)), and it rings when you are \(asked) \(level)."
    case .leavingNotSure:
      return "It waited: \(apart(name)), not yet surely or not yet for long enough farther than \(level)."
    case .outside, .beside, .overOrUnder:
      return "It did not ring: \(apart(name)); it rings \(asked) \(level)."
    case .grazedOnTheWay:
      return "It did not ring: on the ways between positions you and \(name) were hardly within \(level)."
    case .gapTooLong:
      return "It did not ring: the positions were too far apart in time to know the ways between them."
    case .ringing: return "It was ringing already: \(apart(name))."
    case .asleep: return "It did not ring: the alarm was asleep."
    case .acknowledged: return "It did not ring: the alarm had been stopped."
    case .cleared: return "It ended because \(apart(name))."
    case .offDuty: return "It did not ring: the alarm was not on duty."
    case .clockJumped: return "The clock was set; what was known was moved to the new time."
    }
  }

  /// "you and Anna were 320 m apart, which could be 40 m wrong"
  private func apart(_ name: String) -> String {
    guard case .fix(let evidence) = basis else { return "what it waited for was decided by time" }
    let words = "you and \(name) were \(inWords(evidence.distance)) apart"
    return evidence.error > .zero ? words + ", which could be \(inWords(evidence.error)) wrong" : words
  }

  private var level: String { inWords(rules.alertDistance) }
}
