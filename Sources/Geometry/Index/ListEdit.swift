/// The difference between a list and the next one: the elements removed, and those inserted between the
/// others.
///
/// A replaced element is removed and inserted. The elements that stay keep their order.
public struct ListEdit: Sendable {
  /// The positions of the removed elements in the list before; ascending, each once.
  public let removed: [Int]
  /// For each inserted element, the position in the list before of the element that it precedes, or that
  /// list's count; ascending, equal ones in the order of insertion.
  public let inserted: [Int]

  public init(removed: [Int], inserted: [Int]) {
    for place in removed.indices.dropFirst() {
      precondition(removed[place - 1] < removed[place], "each goes once, in order")
    }
    for place in inserted.indices.dropFirst() {
      precondition(inserted[place - 1] <= inserted[place], "they come in order")
    }
    (self.removed, self.inserted) = (removed, inserted)
  }
}

/// The positions of a list's elements after a few edits.
///
/// Memory and work grow with the number of edits, not with the length of the list.
@usableFromInline final class ListPositions: Sendable {
  @usableFromInline let baseCount: Int
  /// The positions in the base of the removed elements; ascending.
  @usableFromInline let gone: [Int32]
  /// For each recent element, the number of remaining base elements before it; ascending.
  @usableFromInline let before: [Int32]

  /// Creates the positions of a list that was not edited.
  @usableFromInline convenience init(count: Int) { self.init(baseCount: count, gone: [], before: []) }

  private init(baseCount: Int, gone: [Int32], before: [Int32]) {
    (self.baseCount, self.gone, self.before) = (baseCount, gone, before)
  }

  @inlinable var count: Int { baseCount - gone.count + before.count }
  /// The positions of the recent elements; ascending.
  var recent: [Int] { before.indices.map { position(ofRecent: $0) } }

  /// The origin of an element: the base, or the recent elements.
  @usableFromInline enum Source: Equatable {
    case base(Int)
    case recent(Int)
  }

  @usableFromInline func source(of position: Int) -> Source {
    let recent = firstRecent(from: position)
    if recent < before.count, self.position(ofRecent: recent) == position { return .recent(recent) }
    // The number of remaining base elements before it.
    let rank = position - recent
    let skipped = gone.partitioningIndex { index, place in Int(place) - index > rank }
    return .base(rank + skipped)
  }

  func position(ofRecent recent: Int) -> Int { Int(before[recent]) + recent }

  /// Returns the position of a base element; -1 for a removed one.
  func position(ofBase place: Int) -> Int {
    let skipped = gone.partitioningIndex { $1 >= place }
    if skipped < gone.count, gone[skipped] == place { return -1 }
    let rank = place - skipped
    return rank + before.partitioningIndex { $1 > rank }
  }

  /// Returns the first recent element at this position or after it.
  private func firstRecent(from position: Int) -> Int {
    before.partitioningIndex { index, rank in Int(rank) + index >= position }
  }

  /// The origin of a recent element after a further edit.
  @usableFromInline enum Change: Equatable {
    case kept(Int)
    /// The number of the inserted element.
    case inserted(Int)
  }

  /// Returns the positions after a further edit, with the recent elements in their order; nil after so many
  /// edits that a new base is better.
  ///
  /// - Complexity: O(k log k) for k edits since all was laid out.
  @usableFromInline func edited(by edit: ListEdit) -> (positions: ListPositions, recent: [Change])? {
    #if hasFeature(Embedded)
      // A page has some thousand zones, which are copied in less time than it takes to download what shares them.
      return nil
    #else

      guard edit.removed.count + edit.inserted.count <= Self.mostEdits else { return nil }
      var goneNow: [Int32] = []
      var isGone = [Bool](repeating: false, count: before.count)
      for position in edit.removed {
        precondition((0..<count).contains(position), "what goes is in the list")
        switch source(of: position) {
        case .base(let place): goneNow.append(Int32(place))
        case .recent(let recent): isGone[recent] = true
        }
      }
      var changes: [Change] = []
      var next: [Int32] = []
      changes.reserveCapacity(before.count + edit.inserted.count)
      next.reserveCapacity(before.count + edit.inserted.count)
      // How many of the base's that stay are in front of a former position.
      func rank(_ position: Int) -> Int32 {
        let ofBase = position - firstRecent(from: position)
        let place = ofBase + gone.partitioningIndex { index, place in Int(place) - index >= ofBase }
        return Int32(ofBase - goneNow.partitioningIndex { $1 >= place })
      }
      var kept = 0
      for (number, position) in edit.inserted.enumerated() {
        precondition((0...count).contains(position), "what comes has a place in the list")
        let end = firstRecent(from: position)
        while kept < end {
          keep(kept)
          kept += 1
        }
        changes.append(.inserted(number))
        next.append(rank(position))
      }
      while kept < before.count {
        keep(kept)
        kept += 1
      }
      func keep(_ recent: Int) {
        guard !isGone[recent] else { return }
        changes.append(.kept(recent))
        next.append(rank(position(ofRecent: recent)))
      }
      let positions = ListPositions(
        baseCount: baseCount, gone: (gone + goneNow).sorted { $0 < $1 }, before: next)
      let edits = positions.gone.count + next.count
      guard edits <= Self.mostEdits, edits * Self.leastShare <= positions.count else { return nil }
      return (positions, changes)
    #endif
  }

  /// More edits than this, and all is laid out anew: each edit lays out all recent elements.
  private static var mostEdits: Int { 512 }
  /// So many times as many elements as edits there are at least: the recent ones are looked through besides.
  private static var leastShare: Int { 50 }
}

extension [Int32] {
  /// The first index for which `predicate` holds, in an array where it holds from some index on.
  fileprivate func partitioningIndex(where predicate: (_ index: Int, _ element: Int32) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if predicate(middle, self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
