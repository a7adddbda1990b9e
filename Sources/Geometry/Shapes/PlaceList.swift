/// Places in space, read without a bounds check. Their addresses are valid as long as the list is held.
final class PlaceList: Sendable {
  nonisolated(unsafe) let memory: UnsafeMutableBufferPointer<Cartesian>

  init(_ count: Int, place: (Int) -> Cartesian) {
    memory = .allocate(capacity: count)
    for index in 0..<count { memory.initializeElement(at: index, to: place(index)) }
  }

  deinit { memory.deallocate() }

  var count: Int { memory.count }
  var indices: Range<Int> { 0..<count }

  @inline(__always) subscript(index: Int) -> Cartesian { memory[index] }
}
