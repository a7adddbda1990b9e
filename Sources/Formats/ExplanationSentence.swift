import AlarmEngine
import Geometry

extension Explanation {
  /// Returns the decision and its reason, for a person who does not know the rules.
  /// - Parameter name: the zone's name for display.
  package func sentence(about name: String) -> String {
    switch verdict {
    case .passedThrough: return "It rang because the straight line between two positions crossed \(name)."
    case .dwelledLongEnough:
      return "It rang because your phone stayed in \(name) for as long as the zone asks."
    case .wentOut: return "It rang because \(whereabouts(name)), after having been inside."
    case .stayedOutside:
      return "It rang because your phone stayed out of \(name) for as long as the zone asks."
    case .stillPossible:
      return "It rang because no exact position came in time, and being at \(name) was likely enough."
    case .rangAnew: return "It rang again because its sleep was over."
    case .positionInside, .probablyInside, .insideNotExcluded, .certainlyInside, .twoFixesAgree:
      return "It rang because \(whereabouts(name))."
    case .perhaps:
      return
        "It said perhaps: no exact position came in time, and being at \(name) was possible, but not likely enough."
    case .unlikely:
      return "It did not ring: no exact position came in time, and being at \(name) was unlikely."
    case .waitsForBetterFix: return "It waited for a more exact position: \(whereabouts(name))."
    case .waitsForSecondFix: return "It waited for a second position that agrees: \(whereabouts(name))."
    case .dwelling: return "It waited: your phone had not been in \(name) for as long as the zone asks."
    case .waitsForLeaving: return "It waited: your phone was in \(name), which rings when it is left."
    case .leavingNotSure:
      return "It waited: \(whereabouts(name)), not yet surely or not yet for long enough outside."
    case .waitsOutside:
      return "It waited: your phone had not been out of \(name) for as long as the zone asks."
    case .cameBack:
      return "It did not ring: your phone was back in \(name) within the time that the zone asks."
    case .outside, .beside, .overOrUnder: return "It did not ring: \(whereabouts(name))."
    case .grazedOnTheWay:
      return "It did not ring: the straight line between two positions only grazed \(name)."
    case .gapTooLong:
      return "It did not ring: the two positions on either side of \(name) were too far apart in time."
    case .ringing: return "It was ringing already: \(whereabouts(name))."
    case .asleep: return "It did not ring: the alarm was asleep."
    case .acknowledged: return "It did not ring: the alarm had been stopped."
    case .cleared: return "It ended because \(whereabouts(name))."
    case .offDuty: return "It did not ring: \(name) was not on duty."
    case .clockJumped: return "The clock was set; what was known was moved to the new time."
    }
  }

  /// "your phone was 26 m from Cliff edge and could be 30 m wrong"
  private func whereabouts(_ name: String) -> String {
    guard case .fix(let evidence) = basis else { return "what it waited for was decided by time" }
    let distance = evidence.distance
    var words =
      distance <= .zero
      ? "your phone was \(inWords(-distance)) inside \(name)"
      : "your phone was \(inWords(distance)) from \(name)"
    if evidence.level > .zero { words += ", which rings from \(inWords(evidence.level)) on," }
    if evidence.error > .zero { words += " and could be \(inWords(evidence.error)) wrong" }
    return words + height(evidence, name)
  }

  /// Returns "; it was at 2300 m (±30 m), and Glider area ends at 1500 m"; empty if the height excludes
  /// nothing.
  private func height(_ evidence: Evidence, _ name: String) -> String {
    guard let vertical = evidence.vertical else { return "" }
    let limit: String
    switch vertical.side {
    case .within: return ""
    case .above: limit = "ends at \(level(vertical.band.ceiling))"
    case .below: limit = "begins at \(level(vertical.band.floor))"
    }
    return "; it was at \(level(vertical.height)) (±\(level(vertical.error))), and \(name) \(limit)"
  }

  private func level(_ height: Distance?) -> String { "\(Int((height ?? .zero).metres.rounded())) m" }

  func inWords(_ distance: Distance) -> String {
    if distance < .metres(9.95) { return "\(tenths(distance.metres)) m" }
    return distance < .metres(999.5)
      ? "\(Int(distance.metres.rounded())) m"
      : "\(tenths(distance.metres / 1000)) km"
  }

  private func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
}
