// The words for the engine's cases in `--json`, in the API and in the page. Programs rely on them.

extension Verdict {
  public var word: Text {
    switch self {
    case .positionInside: "position_inside"
    case .probablyInside: "probably_inside"
    case .insideNotExcluded: "inside_not_excluded"
    case .certainlyInside: "certainly_inside"
    case .twoFixesAgree: "two_fixes_agree"
    case .passedThrough: "passed_through"
    case .dwelledLongEnough: "dwelled_long_enough"
    case .wentOut: "went_out"
    case .stayedOutside: "stayed_outside"
    case .stillPossible: "still_possible"
    case .rangAnew: "rang_anew"
    case .outside: "outside"
    case .beside: "beside"
    case .waitsForBetterFix: "waits_for_better_fix"
    case .waitsForSecondFix: "waits_for_second_fix"
    case .unlikely: "unlikely"
    case .grazedOnTheWay: "grazed_on_the_way"
    case .gapTooLong: "gap_too_long"
    case .dwelling: "dwelling"
    case .waitsForLeaving: "waits_for_leaving"
    case .leavingNotSure: "leaving_not_sure"
    case .waitsOutside: "waits_outside"
    case .cameBack: "came_back"
    case .ringing: "ringing"
    case .asleep: "asleep"
    case .acknowledged: "acknowledged"
    case .cleared: "cleared"
    case .offDuty: "off_duty"
    case .clockJumped: "clock_jumped"
    case .perhaps: "perhaps"
    case .overOrUnder: "over_or_under"
    }
  }
}

extension Cause {
  public var word: Text {
    switch self {
    case .inside: "inside"
    case .near: "near"
    case .passed: "passed"
    case .dwell: "dwell"
    case .left: "left"
    case .possible: "possible"
    }
  }
}

extension Clearing {
  public var word: Text {
    switch self {
    case .left: "left"
    case .passedThrough: "passed_through"
    case .deactivated: "deactivated"
    case .zoneRemoved: "zone_removed"
    case .zoneEdited: "zone_edited"
    case .scheduleClosed: "schedule_closed"
    case .reported: "reported"
    }
  }
}

extension Ignored {
  public var word: Text {
    switch self {
    case .invalidAccuracy: "invalid_accuracy"
    case .duplicate: "duplicate"
    case .outlier: "outlier"
    case .fromTheFuture: "from_the_future"
    case .tooCoarse: "too_coarse"
    case .tooOld: "too_old"
    }
  }
}

extension OffDuty {
  public var word: Text {
    switch self {
    case .disarmed: "disarmed"
    case .inactive: "inactive"
    case .scheduleClosed: "schedule_closed"
    }
  }
}
