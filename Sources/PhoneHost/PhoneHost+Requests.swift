import AlarmEngine
import Geometry

extension PhoneHost {
  /// A pending request for a single position.
  struct Request: Hashable, Sendable {
    let accuracy: DesiredAccuracy
    var since: Instant
    var deadline: Instant
    /// Ends with the first answer.
    let isOnce: Bool
    var best: Fix?

    func moved(by span: TimeSpan) -> Self {
      var moved = self
      moved.since = since + span
      moved.deadline = deadline + span
      return moved
    }
  }

  /// Continuous positions of its own, except where another session keeps the application awake and the network suffices:
  /// one answer then comes at once, whereas a session by the network falls silent for minutes. For satellites the
  /// platform's single answer gives up too early.
  mutating func ask(_ accuracy: DesiredAccuracy, within span: TimeSpan, at now: Instant) {
    if request != nil, requests == .collected { order(.endRequest) }
    let isOnce =
      switch requests {
      case .answeredOnce: true
      case .collected: session != nil && accuracy.goodEnough >= 100
      }
    request = Request(accuracy: accuracy, since: now, deadline: now + span, isOnce: isOnce)
    order(.startRequest(accuracy, once: isOnce, within: span))
  }

  mutating func giveUp(at now: Instant) {
    guard let request else { return }
    // The best position so far is the answer. A session continues.
    let best = request.best
    end(isAnswered: best != nil)
    tell(best.map { .fix($0) } ?? .fixFailed, at: now)
  }

  private mutating func end(isAnswered: Bool) {
    request = nil
    noted.notes.append(.requestEnded(isAnswered: isAnswered))
    if requests == .collected { order(.endRequest) }
  }

  mutating func receive(_ received: [Fix], ofRequest: Bool, at now: Instant) {
    // Without a session or request, the position comes from the significant-change service.
    if !ofRequest, session?.wakesOnMotion ?? true, request == nil {
      insert(received, at: now)
      for fix in received { tell(.significantChange(fix), at: now) }
      return
    }
    // A session that only keeps the application awake: its positions were not asked for, and what is known is finer.
    // Those that another application's session makes good are welcome.
    let isKeptAwake = session?.accuracy == .threeKilometres && !ofRequest
    let fixes =
      isKeptAwake
      ? received.filter { Self.metres($0) <= DesiredAccuracy.hundredMetres.goodEnough } : received
    insert(fixes, at: now)
    for fix in fixes {
      if requests == .answeredOnce {
        if ofRequest, request != nil { end(isAnswered: true) }
      } else if var pending = request {
        // A cached position is older than the question.
        guard fix.measuredAt >= pending.since - .seconds(1) else { continue }
        if pending.best.map({ Self.metres(fix) <= Self.metres($0) }) ?? true { pending.best = fix }
        request = pending
        if Self.metres(fix) <= pending.accuracy.goodEnough || (pending.isOnce && ofRequest) {
          end(isAnswered: true)
        } else if session == nil || ofRequest || isKeptAwake {
          // Keep waiting for an answer. The last position, which a session that only keeps the application awake
          // gives at once, does not show that satellites are missing.
          continue
        }
      }
      tell(.fix(fix), at: now)
    }
  }

  private mutating func insert(_ fixes: [Fix], at now: Instant) {
    guard !fixes.isEmpty else { return }
    record(.inputs(fixes.map { .fix($0) }), at: now)
  }

  private static func metres(_ fix: Fix) -> Double {
    guard case .radius(let radius) = fix.accuracy else { return .greatestFiniteMagnitude }
    return radius.metres
  }
}
