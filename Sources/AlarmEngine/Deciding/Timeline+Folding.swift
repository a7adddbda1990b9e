import Geometry

extension Timeline {
  /// Inputs between two checkpoints.
  private static let stride = 256

  mutating func append(_ ordered: [Input]) {
    var log = Log()
    for input in ordered {
      if inputs.count % Self.stride == 0, inputs.count > (checkpoints.last?.inputs ?? 0) {
        checkpoints.append(
          Checkpoint(inputs: inputs.count, events: events.count + log.events.count, state: bareHead))
      }
      head.value.apply(input, &log)
      inputs.append(input)
    }
    events += log.events
    settled = events.count
  }

  /// Without the distances, which are measured again when they are needed: checkpoints stay small among many zones.
  private var bareHead: CopyOnWrite<DeviceAlarms> {
    guard !head.value.distances.isEmpty else { return head }
    var state = head.value
    state.distances = [:]
    return CopyOnWrite(state)
  }

  mutating func rewind(to checkpoint: Checkpoint) {
    inputs.removeLast(inputs.count - checkpoint.inputs)
    events.removeLast(events.count - checkpoint.events)
    while let last = checkpoints.last, last.inputs > checkpoint.inputs { checkpoints.removeLast() }
    head = checkpoint.state
  }

  mutating func letTimePass() {
    present = nil
    guard let now, let due = head.value.nextDue, due <= now else { return }
    var state = head
    var log = Log()
    state.value.letTimePass(through: now, &log)
    events += log.events
    present = state
  }

  /// Sorts out duplicates and the too old; what is left comes in folding order.
  func admit(_ newInputs: [Input], _ change: inout Change) -> [Input] {
    var fresh: [Input] = []
    fresh.reserveCapacity(newInputs.count)
    for input in newInputs.stablySorted(by: { $0.precedes($1) }) {
      if let keptFrom, input.time < keptFrom {
        refuse(input, &change)
        continue
      }
      guard case .fix(let fix) = input else {
        if !isKnown(input), !fresh.suffix(while: { $0.time == input.time }).contains(input) {
          fresh.append(input)
        }
        continue
      }
      if case .fix(let last)? = fresh.last, last.isSame(as: fix) {
        change.refused.append((fix, .duplicate))
        if fix.preferred(to: last) { fresh[fresh.count - 1] = input }
        continue
      }
      if let known = known(fix), !fix.preferred(to: known) {
        change.refused.append((fix, .duplicate))
        continue
      }
      fresh.append(input)
    }
    return fresh
  }

  /// What is too old for the inputs that are kept. The last fixes are known even then, and are what is most often
  /// sent again.
  private func refuse(_ input: Input, _ change: inout Change) {
    switch input {
    case .fix(let fix):
      let tracking = checkpoints[0].state.value.tracking
      let known = [tracking.anchor, tracking.previous, tracking.suspect]
      if known.contains(where: { $0.map { $0.isSame(as: fix) && !fix.preferred(to: $0) } ?? false }) {
        change.refused.append((fix, .duplicate))
        return
      }
      change.refused.append((fix, .tooOld))
    case .command(let command, let at): change.refusedCommands.append((command, at))
    }
    change.neededFrom = min(change.neededFrom ?? input.time, input.time)
  }

  /// The stored report of the same measurement.
  private func known(_ fix: Fix) -> Fix? {
    guard let last = inputs.last, fix.measuredAt <= last.time else { return nil }
    var place = inputs.partitioningIndex { !$0.precedes(.fix(fix)) }
    while place < inputs.count, inputs[place].time == fix.measuredAt {
      if case .fix(let other) = inputs[place], other.isSame(as: fix) { return other }
      place += 1
    }
    return nil
  }

  /// The same command of the same moment is there already: sent twice, it counts once.
  private func isKnown(_ command: Input) -> Bool {
    inputs[inputs.partitioningIndex { !$0.precedes(command) }...].prefix { $0.time == command.time }
      .contains(command)
  }

  /// The first stored input that must be folded after `input`.
  func mergePoint(of input: Input) -> Int {
    var place = inputs.partitioningIndex { input.precedes($0) }
    if case .fix(let fix) = input {
      // A preferred report of a known measurement replaces it, which lies before.
      while place > 0, case .fix(let other) = inputs[place - 1], other.isSame(as: fix) { place -= 1 }
    }
    return place
  }

  /// Both ascending; of equals the old come first, and of two reports of one measurement the preferred stays.
  static func merge(_ old: [Input], _ fresh: [Input]) -> [Input] {
    var merged: [Input] = []
    merged.reserveCapacity(old.count + fresh.count)
    func add(_ input: Input) {
      if case .fix(let fix) = input, case .fix(let last)? = merged.last, last.isSame(as: fix) {
        if fix.preferred(to: last) { merged[merged.count - 1] = input }
        return
      }
      merged.append(input)
    }
    var (i, j) = (0, 0)
    while i < old.count || j < fresh.count {
      if j == fresh.count || (i < old.count && !fresh[j].precedes(old[i])) {
        add(old[i])
        i += 1
      } else {
        add(fresh[j])
        j += 1
      }
    }
    return merged
  }

  /// Fills in what is new and what turned out otherwise.
  func compare(_ before: [Event], _ after: [Event], _ change: inout Change) {
    var common = 0
    while common < min(before.count, after.count), before[common] == after[common] { common += 1 }
    if common == before.count {
      change.added += after[common...]
      return
    }
    let old = before[common...]
    let new = after[common...]
    if new.isEmpty {
      change.retracted += old
      return
    }
    let had = Set(old.lazy.map { ComparedEvent(event: $0) })
    let has = Set(new.lazy.map { ComparedEvent(event: $0) })
    change.added += new.filter { !had.contains(ComparedEvent(event: $0)) }
    change.retracted += old.filter { !has.contains(ComparedEvent(event: $0)) }
  }
}

/// Found by its times, which hardly two events share: less to hash than all that an event carries.
private struct ComparedEvent: Hashable {
  let event: Event

  static func == (a: Self, b: Self) -> Bool { a.event == b.event }
  func hash(into hasher: inout Hasher) {
    hasher.combine(event.time)
    hasher.combine(event.decidedAt)
  }
}

extension Array {
  /// The first index at which `predicate` holds, in an array where it holds from some index on.
  package func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The elements at the end for which `predicate` holds.
  func suffix(while predicate: (Element) -> Bool) -> ArraySlice<Element> {
    var start = count
    while start > 0, predicate(self[start - 1]) { start -= 1 }
    return self[start...]
  }

  /// Sorted, equal elements in their former order.
  func stablySorted(by precedes: (Element, Element) -> Bool) -> [Element] {
    if indices.dropFirst().allSatisfy({ !precedes(self[$0], self[$0 - 1]) }) { return self }
    return enumerated().sorted {
      if precedes($0.element, $1.element) { return true }
      if precedes($1.element, $0.element) { return false }
      return $0.offset < $1.offset
    }.map { $0.element }
  }
}
