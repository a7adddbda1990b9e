// Without an import, the compiler for WebAssembly finds no implementation of sorting.
import Geometry

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

  /// Sorts stably: equal elements keep their order.
  func stablySorted(by precedes: (Element, Element) -> Bool) -> [Element] {
    if indices.dropFirst().allSatisfy({ !precedes(self[$0], self[$0 - 1]) }) { return self }
    return enumerated().sorted {
      if precedes($0.element, $1.element) { return true }
      if precedes($1.element, $0.element) { return false }
      return $0.offset < $1.offset
    }.map { $0.element }
  }
}
