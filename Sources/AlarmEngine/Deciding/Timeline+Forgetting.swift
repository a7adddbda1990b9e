extension Timeline {
  /// Forgets the inputs from before `instant`, and the oldest of those that are more than `most`; events that they
  /// account for are dropped. Inputs from that time are refused from now on, and named in ``Change/neededFrom``.
  ///
  /// What comes after is as if nothing had been forgotten. `instant` may be any time; what time passing has not yet
  /// brought about is not forgotten. Keep some minutes of inputs where several phones' programs report one device, and
  /// none at all (`keeping: 0`) where memory counts more than the cost of rebuilding.
  ///
  /// - Parameter most: zero or more.
  /// - Complexity: folds what is forgotten once more, nothing when all inputs are; linear in what is kept.
  public mutating func forget(before instant: Instant, keeping most: Int = .max) {
    precondition(most >= 0, "a number of inputs is not negative")
    let atLast = [now, inputs.last?.time].compactMap { $0 }.max()
    guard let atLast else { return }
    var cut = min(instant, atLast + .milliseconds(1))
    if inputs.count > most { cut = max(cut, inputs[inputs.count - most - 1].time + .milliseconds(1)) }
    if let keptFrom, keptFrom >= cut { return }
    rebase(at: cut)
    keptFrom = cut
  }

  /// Forgets all inputs but the last `most` of them.
  public mutating func forget(keeping most: Int) {
    forget(before: Instant.allowed.lowerBound, keeping: most)
  }

  /// Makes the state just before `cut` the first checkpoint.
  private mutating func rebase(at cut: Instant) {
    let keep = inputs.partitioningIndex { $0.time >= cut }
    let start = keep == inputs.count ? nil : checkpoints.last { $0.inputs <= keep }
    var base = start?.state ?? head
    var log = Log()
    if let start {
      for input in inputs[start.inputs..<keep] { base.value.apply(input, &log) }
    }
    // Beyond the last input, time has passed as far as `now` and no further: what is due since is yet to be told.
    let passed = keep == inputs.count ? now : cut
    if let passed, let due = base.value.nextDue {
      let last = min(passed, cut - .milliseconds(1))
      if due <= last { base.value.letTimePass(through: last, &log) }
    }
    let told = (start?.events ?? settled) + log.events.count

    checkpoints =
      [Checkpoint(inputs: 0, events: 0, state: base)]
      + checkpoints.filter { $0.inputs > keep }.map {
        Checkpoint(inputs: $0.inputs - keep, events: $0.events - told, state: $0.state)
      }
    inputs = keep == inputs.count ? [] : Array(inputs[keep...])
    events = told == events.count ? [] : Array(events[told...])
    settled = max(0, settled - told)
    if inputs.isEmpty {
      head = base
      if let now, let due = base.value.nextDue, due <= now {} else { present = nil }
    }
  }

  /// Puts inputs that ``insert(_:)`` refused as too old at their own times after all, with the help of an earlier
  /// snapshot. This timeline becomes one that begins at that snapshot; forget again when the change is told.
  ///
  /// The change is that of a timeline which never forgot. Inputs from before what `earlier` keeps are refused again.
  /// - Parameters:
  ///   - late: what was refused, in any order.
  ///   - stored: all else from `earlier.keptFrom` on, in any order: what was inserted before, and what was not refused
  ///     of the same batch.
  ///   - earlier: this device, restored from a snapshot that is old enough.
  /// - Complexity: folds `stored` once, and what comes after the earliest of `late` once more.
  @discardableResult
  public mutating func insert(late: [Input], stored: [Input], from earlier: Timeline) -> Change {
    precondition(earlier.device == device, "an earlier snapshot of the same device")
    var whole = earlier
    whole.insert(stored)
    if let now { whole.advance(to: now) }
    self = whole
    return insert(late)
  }
}
