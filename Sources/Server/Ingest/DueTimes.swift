import AlarmEngine

/// When which device has to be looked at again: the earliest first.
///
/// A binary heap whose outdated entries are passed over when they come up.
struct DueTimes {
  private var heap: [(at: Instant, device: DeviceID)] = []
  private var current: [DeviceID: Instant] = [:]

  /// - Parameter instant: nil: not at all.
  mutating func set(_ device: DeviceID, _ instant: Instant?) {
    guard current[device] != instant else { return }
    current[device] = instant
    guard let instant else { return }
    heap.append((instant, device))
    var child = heap.count - 1
    while child > 0, heap[child].at < heap[(child - 1) / 2].at {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// The earliest time there is.
  mutating func next() -> Instant? {
    while let first = heap.first, current[first.device] != first.at { removeFirst() }
    return heap.first?.at
  }

  /// Hands out those that are due, at most so many; they are set anew when they have been looked at.
  mutating func take(through now: Instant, most: Int) -> [DeviceID] {
    var due: [DeviceID] = []
    while due.count < most, let at = next(), at <= now {
      let device = heap[0].device
      removeFirst()
      current[device] = nil
      due.append(device)
    }
    return due
  }

  var count: Int { current.count }

  private mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && heap[child].at < heap[least].at {
        least = child
      }
      guard least != parent else { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
