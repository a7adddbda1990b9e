import AlarmEngine

/// Returns the rule that decided, as a sentence.
package func words(_ verdict: Verdict) -> String {
  switch verdict {
  case .positionInside: "rings: the position is inside and the fix is fine enough"
  case .probablyInside: "rings: the fix is coarse, but inside with a probability of 70 % or more"
  case .insideNotExcluded: "rings: a safety zone, and the fix's error reaches into it"
  case .certainlyInside: "rings: the whole disc of the fix's error lies inside"
  case .twoFixesAgree: "rings: a second fix in a row puts the phone inside"
  case .passedThrough: "rings: the straight line from the previous fix crossed the zone"
  case .dwelledLongEnough: "rings: stayed inside for as long as the zone asks"
  case .wentOut: "rings: outside after having been inside"
  case .stayedOutside: "rings: stayed outside for as long as the zone asks"
  case .stillPossible: "rings: no better fix came in time, and being inside is likely enough"
  case .rangAnew: "rings anew: triggered again after its sleep"
  case .outside: "silent: the whole disc of the fix's error lies outside"
  case .beside: "silent: the position is outside, and the fix is fine enough to say so"
  case .waitsForBetterFix: "waits: the fix is coarse, a better one is asked for"
  case .waitsForSecondFix: "waits: one fix puts the phone inside, another has to agree"
  case .unlikely: "silent: no better fix came in time, and being inside is unlikely"
  case .grazedOnTheWay:
    "silent: the straight line from the previous fix grazed the zone, by less than the errors of the fixes"
  case .gapTooLong:
    "silent: the straight line crossed the zone, but the fixes are too far apart in time to be sure"
  case .dwelling: "waits: inside, not yet for as long as the zone asks"
  case .waitsForLeaving: "waits: inside a zone that rings on leaving"
  case .leavingNotSure: "waits: beyond the edge, not yet surely or not yet for long enough"
  case .waitsOutside: "waits: outside, not yet for as long as the zone asks"
  case .cameBack: "silent: inside again before it had been outside for as long as the zone asks"
  case .ringing: "rings already"
  case .asleep: "silent: the alarm sleeps"
  case .acknowledged: "silent: the alarm was stopped"
  case .cleared: "cleared: left, or come back after a leave alarm"
  case .offDuty: "silent: not on duty"
  case .perhaps: "tells without sound: perhaps inside, and not likely enough to ring"
  case .overOrUnder: "silent: surely above the zone's ceiling or below its floor"
  case .clockJumped: "not judged: the clock was set, and what was known was moved to the new time"
  }
}

/// Returns the reason why a zone was not watched.
package func words(_ offDuty: OffDuty) -> String {
  switch offDuty {
  case .disarmed: "the device's alarms are switched off"
  case .inactive: "the zone is switched off"
  case .scheduleClosed: "outside the zone's hours"
  }
}
