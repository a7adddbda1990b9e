/// Places in space that never move, so that an index can keep where they are: found without the list, the tree and the
/// outline around them, each of which would be waited for.
final class PlaceList: Sendable {
  private nonisolated(unsafe) let memory: UnsafeMutableBufferPointer<Cartesian>

  init(_ count: Int, place: (Int) -> Cartesian) {
    memory = .allocate(capacity: count)
    for index in 0..<count { memory.initializeElement(at: index, to: place(index)) }
  }

  deinit { memory.deallocate() }

  var count: Int { memory.count }
  var indices: Range<Int> { 0..<count }
  /// Good as long as this list is.
  var start: UnsafePointer<Cartesian> { UnsafePointer(memory.baseAddress!) }

  @inline(__always) subscript(index: Int) -> Cartesian { memory[index] }
}
