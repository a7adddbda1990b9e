/// A max-heap; equal elements come out in the order of insertion.
struct MaxHeap<Element> {
  private var items: [(key: Double, order: Int, element: Element)] = []
  private var pushed = 0

  var isEmpty: Bool { items.isEmpty }

  mutating func push(_ element: Element, key: Double) {
    items.append((key, pushed, element))
    pushed += 1
    var child = items.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard isBefore(child, parent) else { break }
      items.swapAt(child, parent)
      child = parent
    }
  }

  mutating func pop() -> (element: Element, key: Double)? {
    guard let first = items.first else { return nil }
    let last = items.removeLast()
    guard !items.isEmpty else { return (first.element, first.key) }
    items[0] = last
    var parent = 0
    while true {
      var top = parent
      for child in (2 * parent + 1)...(2 * parent + 2) where child < items.count && isBefore(child, top) {
        top = child
      }
      guard top != parent else { break }
      items.swapAt(parent, top)
      parent = top
    }
    return (first.element, first.key)
  }

  private func isBefore(_ a: Int, _ b: Int) -> Bool {
    items[a].key != items[b].key ? items[a].key > items[b].key : items[a].order < items[b].order
  }
}
