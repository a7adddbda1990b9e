/// Contents of cells in which no outline has more than its head: most cells of an outline, or of two that overlap, hold the same, and
/// each such content is kept once.
struct InternedContents {
  /// A hash table of positions in the grid's words, a power of two long; 0 where nothing is.
  private var slots = [UInt32](repeating: 0, count: 64)
  private var count = 0
  private var last: UInt32 = 0

  /// Returns the offset of the content with these heads, after appending it if it is new.
  /// - Parameter heads: those of outlines that cover the cell come first.
  mutating func offset(of heads: [UInt32], covers: Int, in words: inout [UInt32]) -> UInt32 {
    let content = words.count
    ContainmentGrid.writeCounts(covers, heads.count - covers, to: &words)
    words.append(contentsOf: heads)
    guard heads.count < Int(ContainmentGrid.mostCounted) else { return UInt32(content) }
    // Neighbouring cells mostly have the same content.
    var same = last != 0 && Self.isSame(words, Int(last), content) ? last : 0
    var slot = same != 0 ? 0 : Self.hash(words, content) & (slots.count - 1)
    while same == 0, slots[slot] != 0 {
      if Self.isSame(words, Int(slots[slot]), content) { same = slots[slot] }
      slot = (slot + 1) & (slots.count - 1)
    }
    if same != 0 {
      words.removeSubrange(content...)
      last = same
      return same
    }
    last = UInt32(content)
    slots[slot] = last
    count += 1
    if count * 2 > slots.count { grow(words) }
    return last
  }

  private mutating func grow(_ words: [UInt32]) {
    let former = slots
    slots = [UInt32](repeating: 0, count: former.count * 2)
    for offset in former where offset != 0 {
      var slot = Self.hash(words, Int(offset)) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = offset
    }
  }

  /// True if two contents are the same, the second of which is the last of all.
  private static func isSame(_ words: [UInt32], _ a: Int, _ b: Int) -> Bool {
    for number in 0..<words.count - b where words[a + number] != words[b + number] { return false }
    return true
  }

  /// FNV-1a, by words, its upper half too.
  private static func hash(_ words: [UInt32], _ content: Int) -> Int {
    let count = Int(words[content] & 0xffff) + Int(words[content] >> 16)
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for place in content...content + count { hash = (hash ^ UInt64(words[place])) &* 0x100_0000_01b3 }
    return Int(truncatingIfNeeded: (hash ^ hash >> 29) >> 3)
  }
}
