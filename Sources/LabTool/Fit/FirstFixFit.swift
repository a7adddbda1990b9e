import AlarmEngine
import PhoneHost

/// How long a request or a session waits for its first position, and for the first one by satellites.
struct FirstFixFit {
  let assumed: FitAssumptions
  private var hot = FitSample()
  private var warm = FitSample()
  private var callbacks = FitSample()
  private var missing = FitShare()
  private var spacing = FitSample()

  init(assumed: FitAssumptions) { self.assumed = assumed }

  /// The receiver was off and is wanted from then on.
  private struct Start {
    let at: Instant
    let isHot: Bool
  }

  private struct State {
    var session: Session?
    var request: DesiredAccuracy?
    var lastUse: Instant?
    var start: Start?
    /// A session that has had no position yet.
    var silentSince: Instant?
    var lastInSession: Instant?
    var motion = Motion.unknown

    var hasSatelliteSession: Bool { session.map { $0.accuracy.isBySatellites && !$0.wakesOnMotion } ?? false }
    var wantsSatellites: Bool { hasSatelliteSession || request?.isBySatellites ?? false }
  }

  mutating func take(_ story: JournalStory) {
    var state = State()
    for step in story.steps {
      switch step.item {
      case .note(let note): take(note, at: step.at, &state)
      case .position(let position): take(position, at: step.at, &state)
      }
    }
  }

  private mutating func take(_ note: WatchNote, at now: Instant, _ state: inout State) {
    let wanted = state.wantsSatellites
    switch note {
    case .started, .stopped: state = State()
    case .session(let session, _):
      if state.session == nil, !session.wakesOnMotion { state.silentSince = now }
      (state.session, state.lastInSession) = (session, nil)
    case .sessionEnded: (state.session, state.silentSince, state.lastInSession) = (nil, nil, nil)
    case .requested(let accuracy, _): state.request = accuracy
    case .requestEnded: state.request = nil
    case .motion(let motion, _): state.motion = motion
    default: break
    }
    guard state.wantsSatellites != wanted else { return }
    if wanted {
      giveUp(at: now, &state)
      state.lastUse = now
    } else {
      let isHot = state.lastUse.map { (now - $0).seconds < assumed["hotStartWithinSeconds"] } ?? false
      state.start = Start(at: now, isHot: isHot)
    }
  }

  private mutating func take(_ position: JournalStory.Position, at now: Instant, _ state: inout State) {
    if let since = state.silentSince {
      callbacks.add((now - since).seconds)
      state.silentSince = nil
    }
    guard position.source == .satellites else { return }
    if state.hasSatelliteSession, state.session?.distanceFilter == nil, state.motion != .still {
      if let last = state.lastInSession { spacing.add((position.measuredAt - last).seconds) }
      state.lastInSession = position.measuredAt
    }
    // A position of before the start is one that the phone remembered.
    guard let start = state.start, position.measuredAt >= start.at else { return }
    let wait = (now - start.at).seconds
    let isSoon = wait <= assumed["acquisitionWindowSeconds"]
    missing.add(!isSoon)
    if isSoon { if start.isHot { hot.add(wait) } else { warm.add(wait) } }
    state.start = nil
  }

  /// The receiver is switched off without a position.
  private mutating func giveUp(at now: Instant, _ state: inout State) {
    if let start = state.start, (now - start.at).seconds >= assumed["acquisitionWindowSeconds"] {
      missing.add(true)
    }
    state.start = nil
  }

  var rows: [FitRow] {
    let group = "First positions"
    func row(
      _ name: String, _ estimate: FitEstimate, part: String = "", unit: FitRow.Unit = .seconds
    ) -> FitRow {
      FitRow(group: group, factor: name, part: part, unit: unit, assumed: assumed[name], fitted: estimate)
    }
    return [
      row("firstCallbackSeconds", callbacks.quantile(0.5), part: "of sessions"),
      row("hotStartMedianSeconds", hot.quantile(0.5)),
      row("hotStartSigma", hot.logarithmicDeviation(), unit: .number),
      row("warmStartMedianSeconds", warm.quantile(0.5)),
      row("warmStartSigma", warm.logarithmicDeviation(), unit: .number),
      row("noFixOutdoors", missing.estimate, part: "all surroundings", unit: .number),
      row("movingSpacing.p50", spacing.quantile(0.5)), row("movingSpacing.p95", spacing.quantile(0.95)),
    ]
  }
}
