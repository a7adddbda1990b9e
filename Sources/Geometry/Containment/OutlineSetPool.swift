/// The outlines that contain each of many devices, ascending: up to three are stored with the device, more in
/// blocks of one table.
struct OutlineSetPool: Sendable {
  /// Sixteen bytes.
  struct Members: Sendable {
    fileprivate(set) var count32: Int32 = 0
    /// The outlines; for more than three, the block's first place and the logarithm of its capacity.
    fileprivate var few: (Int32, Int32, Int32) = (0, 0, 0)

    var count: Int { Int(count32) }
  }

  private var table: [Int32] = []
  /// Freed blocks, by the logarithm of their capacity.
  private var free: [[Int32]] = []

  func outline(_ number: Int, of members: Members) -> Int {
    if members.count > 3 { return Int(table[Int(members.few.0) + number]) }
    return Int(number == 0 ? members.few.0 : number == 1 ? members.few.1 : members.few.2)
  }

  @inline(__always) func isSame(_ members: Members, _ outlines: ArraySlice<Int>) -> Bool {
    guard members.count == outlines.count else { return false }
    return outlines.withUnsafeBufferPointer { outlines in
      if outlines.count > 3 {
        return table.withUnsafeBufferPointer { table in
          let block = table.baseAddress! + Int(members.few.0)
          var difference = 0
          for number in 0..<outlines.count { difference |= outlines[number] ^ Int(block[number]) }
          return difference == 0
        }
      }
      return (outlines.count < 1 || outlines[0] == Int(members.few.0))
        && (outlines.count < 2 || outlines[1] == Int(members.few.1))
        && (outlines.count < 3 || outlines[2] == Int(members.few.2))
    }
  }

  mutating func set(_ outlines: ArraySlice<Int>, of members: inout Members) {
    if members.count > 3 { free[Int(members.few.1)].append(members.few.0) }
    members.count32 = Int32(outlines.count)
    let first = outlines.startIndex
    if outlines.count <= 3 {
      if outlines.count > 0 { members.few.0 = Int32(outlines[first]) }
      if outlines.count > 1 { members.few.1 = Int32(outlines[first + 1]) }
      if outlines.count > 2 { members.few.2 = Int32(outlines[first + 2]) }
      return
    }
    var size = 2
    while 1 << size < outlines.count { size += 1 }
    while free.count <= size { free.append([]) }
    let block: Int32
    if let former = free[size].popLast() {
      block = former
    } else {
      block = Int32(table.count)
      table.append(contentsOf: repeatElement(0, count: 1 << size))
    }
    for (number, outline) in outlines.enumerated() { table[Int(block) + number] = Int32(outline) }
    (members.few.0, members.few.1) = (block, Int32(size))
  }
}
