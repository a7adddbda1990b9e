import AlarmEngine

/// The time of a simulated phone, and all its planned steps, in the order (time, order of planning).
///
/// It uses no real clock: time stands still until the next planned step is taken.
final class VirtualClock {
  private(set) var now: Instant
  private var heap: [Plan] = []
  private var planned: UInt64 = 0

  init(start: Instant) { now = start }

  /// A planned step.
  final class Plan {
    let time: Instant
    fileprivate let order: UInt64
    fileprivate var action: (() -> Void)?

    fileprivate init(time: Instant, order: UInt64, action: @escaping () -> Void) {
      self.time = time
      self.order = order
      self.action = action
    }

    func cancel() { action = nil }
    var isPending: Bool { action != nil }

    fileprivate func precedes(_ other: Plan) -> Bool {
      time != other.time ? time < other.time : order < other.order
    }
  }

  /// Plans a step; a time in the past means now.
  @discardableResult
  func plan(at time: Instant, _ action: @escaping () -> Void) -> Plan {
    let plan = Plan(time: max(time, now), order: planned, action: action)
    planned += 1
    heap.append(plan)
    siftUp(heap.count - 1)
    return plan
  }

  @discardableResult
  func plan(after span: TimeSpan, _ action: @escaping () -> Void) -> Plan { plan(at: now + span, action) }

  /// Moves time to the next step not later than `end` and takes it.
  /// - Returns: true if there was one.
  func step(until end: Instant) -> Bool {
    while let first = heap.first {
      guard first.time <= end else { return false }
      removeFirst()
      guard let action = first.action else { continue }
      first.action = nil
      now = first.time
      action()
      return true
    }
    return false
  }

  /// Moves time to `end` if no step is left before it.
  func rest(until end: Instant) { now = max(now, end) }

  private func removeFirst() {
    let last = heap.removeLast()
    guard !heap.isEmpty else { return }
    heap[0] = last
    var parent = 0
    while true {
      var smallest = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
        if heap[child].precedes(heap[smallest]) { smallest = child }
      }
      guard smallest != parent else { return }
      heap.swapAt(parent, smallest)
      parent = smallest
    }
  }

  private func siftUp(_ start: Int) {
    var child = start
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].precedes(heap[parent]) else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }
}
