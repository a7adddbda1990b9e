/// Contents of cells in which no item is more than its head: most cells of a zone, or of two that overlap, hold the same, and
/// each such content is kept once.
struct SharedContents {
  /// A hash table of positions in the grid's words, a power of two long; 0 where nothing is.
  private var slots = [UInt32](repeating: 0, count: 64)
  private var count = 0
  private var last: UInt32 = 0

  /// Where the content with these heads is; written if it was not.
  mutating func offset(of heads: [UInt32], in words: inout [UInt32]) -> UInt32 {
    // Neighbours most often hold the same.
    if last != 0, Self.isSame(heads, words, last) { return last }
    var slot = Self.hash(heads[...]) & (slots.count - 1)
    while slots[slot] != 0 {
      if Self.isSame(heads, words, slots[slot]) {
        last = slots[slot]
        return last
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    last = UInt32(words.count)
    words.append(UInt32(heads.count))
    words.append(contentsOf: heads)
    slots[slot] = last
    count += 1
    if count * 2 > slots.count { grow(words) }
    return last
  }

  private mutating func grow(_ words: [UInt32]) {
    let former = slots
    slots = [UInt32](repeating: 0, count: former.count * 2)
    for offset in former where offset != 0 {
      let first = Int(offset) + 1
      var slot = Self.hash(words[first..<first + Int(words[first - 1])]) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = offset
    }
  }

  private static func isSame(_ heads: [UInt32], _ words: [UInt32], _ offset: UInt32) -> Bool {
    let first = Int(offset) + 1
    guard Int(words[first - 1]) == heads.count else { return false }
    for (number, head) in heads.enumerated() where words[first + number] != head { return false }
    return true
  }

  /// FNV-1a, by words; its upper half, which all of them have changed.
  private static func hash(_ heads: ArraySlice<UInt32>) -> Int {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for head in heads { hash = (hash ^ UInt64(head)) &* 0x100_0000_01b3 }
    return Int(truncatingIfNeeded: (hash ^ hash >> 29) >> 3)
  }
}
