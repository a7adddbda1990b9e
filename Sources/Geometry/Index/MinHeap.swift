/// A min-heap of keys with names, each pair packed into one number.
struct MinHeap {
  /// The number of items kept on the stack: enough unless outlines overlap by the dozen.
  static let room = 128

  private var items: UnsafeMutablePointer<UInt64>
  private var capacity: Int
  private var isOwn = false
  private(set) var count = 0

  init(_ room: UnsafeMutableBufferPointer<UInt64>) {
    items = room.baseAddress!
    capacity = room.count
  }

  func end() { if isOwn { items.deallocate() } }

  @inline(never) private mutating func grow() {
    let more = UnsafeMutablePointer<UInt64>.allocate(capacity: 4 * capacity)
    more.initialize(from: items, count: count)
    end()
    items = more
    capacity *= 4
    isOwn = true
  }

  @inline(__always) mutating func push(_ key: Float, _ child: Int32) {
    // As whole numbers, positive keys are in order and below the negative ones, which are the other way round.
    let bits = key.bitPattern
    let ordered = bits ^ (bits >> 31 == 0 ? 1 << 31 : ~0)
    let item = UInt64(ordered) << 32 | UInt64(UInt32(bitPattern: child))
    if count == capacity { grow() }
    var place = count
    count &+= 1
    while place > 0 {
      let parent = (place &- 1) >> 1
      guard item < items[parent] else { break }
      items[place] = items[parent]
      place = parent
    }
    items[place] = item
  }

  @inline(__always) mutating func pop() -> (key: Float, child: Int32) {
    let first = items[0]
    count &-= 1
    let last = items[count]
    var place = 0
    while true {
      var child = 2 &* place &+ 1
      guard child < count else { break }
      if child &+ 1 < count, items[child &+ 1] < items[child] { child &+= 1 }
      guard items[child] < last else { break }
      items[place] = items[child]
      place = child
    }
    items[place] = last
    let ordered = UInt32(truncatingIfNeeded: first >> 32)
    let key = Float(bitPattern: ordered ^ (ordered >> 31 == 0 ? ~0 : 1 << 31))
    return (key, Int32(truncatingIfNeeded: first))
  }
}
