extension Timeline {
  /// Forgets the inputs before `instant`, and the oldest of the others if there are more than `most`, with
  /// their events. From now on, inputs of that time are refused and named in ``Change/neededFrom``.
  ///
  /// Later results are the same as if nothing had been forgotten. `instant` may be any time: timers that have
  /// not run yet are not forgotten. Keep some minutes of inputs if several programs report the same device,
  /// and none (`keeping: 0`) if memory matters more than the cost of rebuilding.
  ///
  /// - Parameter most: zero or more.
  /// - Complexity: applies the forgotten inputs once more, unless all are forgotten; linear in the inputs
  ///   that are kept.
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

  /// Forgets all inputs except the last `most`.
  public mutating func forget(keeping most: Int) {
    forget(before: Instant.allowed.lowerBound, keeping: most)
  }

  /// Makes the state just before `cut` the first checkpoint.
  private mutating func rebase(at cut: Instant) {
    let keep = inputs.partitioningIndex { $0.time >= cut }
    let start = keep == inputs.count ? nil : checkpoint(atMost: keep)
    var base = start?.state ?? head
    var log = DecisionLog()
    if let start {
      for input in inputs[start.inputs..<keep] { base.value.apply(input, &log) }
    }
    // After the last input, timers have run up to `now` and no further; later ones have not been reported
    // yet.
    let passed = keep == inputs.count ? now : cut
    if let passed, let due = base.value.nextDue {
      let last = min(passed, cut - .milliseconds(1))
      if due <= last { base.value.letTimePass(through: last, &log) }
    }
    let told = (start?.events ?? settled) + log.events.count

    self.base = base
    if !checkpoints.isEmpty {
      checkpoints = checkpoints.filter { $0.inputs > keep }.map {
        Checkpoint(inputs: $0.inputs - keep, events: $0.events - told, state: $0.state)
      }
    }
    inputs = keep == inputs.count ? [] : Array(inputs[keep...])
    events = told == events.count ? [] : Array(events[told...])
    settled = max(0, settled - told)
    if inputs.isEmpty {
      head = base
      if let now, let due = base.value.nextDue(signalExpectedBy: signalExpectedBy), due <= now {
      } else {
        present = nil
      }
    }
  }

  /// Inserts inputs that ``insert(_:)`` refused as too old, with the help of an earlier snapshot. This
  /// timeline then begins at that snapshot; forget again after using the change.
  ///
  /// The change is the same as that of a timeline which never forgot. Inputs before those that `earlier`
  /// keeps are refused again.
  /// - Parameters:
  ///   - late: the refused inputs, in any order.
  ///   - stored: all other inputs from `earlier.keptFrom` on, in any order: those inserted before, and those
  ///     of the same batch that were not refused.
  ///   - earlier: the timeline of this device, restored from a snapshot that is old enough.
  /// - Complexity: applies `stored` once, and the inputs after the earliest of `late` once more.
  @discardableResult
  public mutating func insert(late: [Input], stored: [Input], from earlier: Timeline) -> Change {
    precondition(earlier.device == device, "an earlier snapshot of the same device")
    var whole = earlier
    whole.signalExpectedBy = signalExpectedBy
    whole.insert(stored)
    if let now { whole.advance(to: now) }
    self = whole
    return insert(late)
  }
}
