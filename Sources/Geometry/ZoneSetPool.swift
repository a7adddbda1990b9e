/// The zones that each of many devices is in, ascending: up to three with the device, more of them in blocks of one table.
struct ZoneSetPool: Sendable {
  /// Sixteen bytes.
  struct Members: Sendable {
    fileprivate(set) var count32: Int32 = 0
    /// The zones; of more than three the block's first place and the logarithm of its room.
    fileprivate var few: (Int32, Int32, Int32) = (0, 0, 0)

    var count: Int { Int(count32) }
  }

  private var table: [Int32] = []
  /// Blocks that are free again, by the logarithm of their room.
  private var free: [[Int32]] = []

  func zone(_ number: Int, of members: Members) -> Int {
    if members.count > 3 { return Int(table[Int(members.few.0) + number]) }
    return Int(number == 0 ? members.few.0 : number == 1 ? members.few.1 : members.few.2)
  }

  @inline(__always) func isSame(_ members: Members, _ zones: ArraySlice<Int>) -> Bool {
    guard members.count == zones.count else { return false }
    return zones.withUnsafeBufferPointer { zones in
      if zones.count > 3 {
        return table.withUnsafeBufferPointer { table in
          let block = table.baseAddress! + Int(members.few.0)
          var difference = 0
          for number in 0..<zones.count { difference |= zones[number] ^ Int(block[number]) }
          return difference == 0
        }
      }
      return (zones.count < 1 || zones[0] == Int(members.few.0))
        && (zones.count < 2 || zones[1] == Int(members.few.1))
        && (zones.count < 3 || zones[2] == Int(members.few.2))
    }
  }

  mutating func set(_ zones: ArraySlice<Int>, of members: inout Members) {
    if members.count > 3 { free[Int(members.few.1)].append(members.few.0) }
    members.count32 = Int32(zones.count)
    let first = zones.startIndex
    if zones.count <= 3 {
      if zones.count > 0 { members.few.0 = Int32(zones[first]) }
      if zones.count > 1 { members.few.1 = Int32(zones[first + 1]) }
      if zones.count > 2 { members.few.2 = Int32(zones[first + 2]) }
      return
    }
    var size = 2
    while 1 << size < zones.count { size += 1 }
    while free.count <= size { free.append([]) }
    let block: Int32
    if let former = free[size].popLast() {
      block = former
    } else {
      block = Int32(table.count)
      table.append(contentsOf: repeatElement(0, count: 1 << size))
    }
    for (number, zone) in zones.enumerated() { table[Int(block) + number] = Int32(zone) }
    (members.few.0, members.few.1) = (block, Int32(size))
  }
}
