/// Values for some zones of a set, the most urgent zone first.
///
/// A device has values for the few zones near it only, so they are looked up by binary search, without
/// hashing.
///
/// - Complexity: O(log n) to look up, O(n) to insert or remove.
struct SlotTable<Value> {
  private(set) var slots: [ZoneSlot] = []
  private(set) var values: [Value] = []

  var isEmpty: Bool { slots.isEmpty }

  subscript(slot: ZoneSlot) -> Value? {
    get {
      let place = place(of: slot)
      return isKnown(slot, at: place) ? values[place] : nil
    }
    set {
      if let newValue { put(newValue, at: slot) } else { remove(slot) }
    }
  }

  mutating func put(_ value: Value, at slot: ZoneSlot) {
    let place = place(of: slot)
    if isKnown(slot, at: place) {
      values[place] = value
    } else {
      slots.insert(slot, at: place)
      values.insert(value, at: place)
    }
  }

  /// Returns true if there was a value to remove.
  @discardableResult mutating func remove(_ slot: ZoneSlot) -> Bool {
    let place = place(of: slot)
    guard isKnown(slot, at: place) else { return false }
    slots.remove(at: place)
    values.remove(at: place)
    return true
  }

  func contains(_ slot: ZoneSlot) -> Bool { isKnown(slot, at: place(of: slot)) }

  private func isKnown(_ slot: ZoneSlot, at place: Int) -> Bool {
    place < slots.count && slots[place] == slot
  }

  private func place(of slot: ZoneSlot) -> Int { slots.partitioningIndex { $0 >= slot } }
}

extension SlotTable: Sendable where Value: Sendable {}
extension SlotTable: Equatable where Value: Equatable {}
