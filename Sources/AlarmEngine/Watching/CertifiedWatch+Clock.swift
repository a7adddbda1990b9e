// MARK: The phone's clock was set

extension CertifiedWatch {
  /// Every time that is remembered says the same moment by the new clock; what is promised stays as it was. Timer and
  /// silence warning are told anew: the phone holds them by a clock that is no more.
  mutating func shift(by jump: ClockJump) {
    func shift(_ time: inout Instant?) { time = time.map { jump.shifted($0) } }
    anchor = anchor.map { jump.shifted($0) }
    suspect = suspect.map { jump.shifted($0) }
    budget.shift(by: jump)
    shift(&satellitesUsedAt)
    shift(&satellitesBackAt)
    shift(&fenceFixAskedAt)
    shift(&networkFixAt)
    shift(&restingSince)
    shift(&askedAt)
    shift(&lastFixAt)
    shift(&due)
    shift(&followedAt)
    shift(&wishes.timer)
    shift(&wishes.silence)
    shift(&reason.due)
    told?.timer = nil
    told?.silence = nil
  }
}

extension DisplacementBudget {
  mutating func shift(by jump: ClockJump) {
    toldAt = jump.shifted(toldAt)
    since = jump.shifted(since)
    spentAt = jump.shifted(spentAt)
  }
}
