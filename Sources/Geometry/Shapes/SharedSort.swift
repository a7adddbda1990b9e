#if hasFeature(Embedded)
  // In the page's build, sorting is one function for all types: the standard library's is made anew for each, and takes a
  // tenth of what a phone has to load. Both are stable, so the order is the same.

  /// Returns the positions 0 up to `count`, sorted stably by `comesBefore`: a merge sort with runs of growing
  /// length.
  @inline(never)
  private func positions(_ count: Int, inOrder comesBefore: (Int, Int) -> Bool) -> [Int] {
    var order = Array(0..<count)
    var merged = order
    var run = 1
    while run < count {
      var start = 0
      while start < count {
        let middle = min(start + run, count)
        let end = min(start + 2 * run, count)
        var (left, right) = (start, middle)
        for place in start..<end {
          // The right one only where it has to come first.
          if right < end, left == middle || comesBefore(order[right], order[left]) {
            merged[place] = order[right]
            right += 1
          } else {
            merged[place] = order[left]
            left += 1
          }
        }
        start = end
      }
      swap(&order, &merged)
      run *= 2
    }
    return order
  }

  extension Array {
    package func sorted(by comesBefore: (Element, Element) -> Bool) -> [Element] {
      positions(count) { comesBefore(self[$0], self[$1]) }.map { self[$0] }
    }

    package mutating func sort(by comesBefore: (Element, Element) -> Bool) {
      self = sorted(by: comesBefore)
    }
  }

  extension ArraySlice {
    package mutating func sort(by comesBefore: (Element, Element) -> Bool) {
      for (place, element) in zip(indices, Array(self).sorted(by: comesBefore)) { self[place] = element }
    }
  }

  extension Array where Element: Comparable {
    package func sorted() -> [Element] { sorted { $0 < $1 } }
    package mutating func sort() { self = sorted() }
  }

  extension Sequence {
    package func sorted(by comesBefore: (Element, Element) -> Bool) -> [Element] {
      Array(self).sorted(by: comesBefore)
    }
  }

  extension Sequence where Element: Comparable {
    package func sorted() -> [Element] { Array(self).sorted { $0 < $1 } }
  }
#endif
