extension ZoneIndex {
  /// The zones of many fixes, flat: those of fix `i` are `zones[offsets[i]..<offsets[i + 1]]`, ascending.
  ///
  /// Kept by the caller from batch to batch, so that no memory is asked for.
  public struct Hits: Sendable {
    public private(set) var offsets: [Int] = [0]
    /// Room for zones; the first `used` of them count.
    private var room: [Int] = []
    private var used = 0
    public init() {}

    /// How many fixes were asked about.
    public var count: Int { offsets.count - 1 }
    public var zones: ArraySlice<Int> { room[0..<used] }
    public subscript(fix: Int) -> ArraySlice<Int> { room[offsets[fix]..<offsets[fix + 1]] }

    mutating func clear() {
      offsets.removeAll(keepingCapacity: true)
      offsets.append(0)
      used = 0
    }

    /// Lets `body` write the zones of some more fixes, at most `most` zones together.
    @inline(__always) mutating func write(most: Int, _ body: (inout Writer) -> Void) {
      // One more: what does not count is written too.
      let most = most &+ 1
      if room.count < used &+ most {
        room.append(contentsOf: repeatElement(0, count: max(most, room.count)))
      }
      let used = used
      let end = room.withUnsafeMutableBufferPointer { room in
        var writer = Writer(room: room.baseAddress, end: used)
        body(&writer)
        return writer.end
      }
      self.used = end
    }

    /// Adds a zone of the fix that is not ended, in its place; once, however often it is added.
    mutating func add(_ zone: Int) {
      var place = used
      while place > offsets[offsets.count - 1], room[place - 1] >= zone {
        if room[place - 1] == zone { return }
        place -= 1
      }
      if room.count == used { room.append(0) }
      var move = used
      while move > place {
        room[move] = room[move - 1]
        move -= 1
      }
      room[place] = zone
      used += 1
    }

    mutating func endFix() { offsets.append(used) }

    /// Notes where the zones of some fixes end.
    @inline(__always) mutating func endFixes(_ count: Int, at end: (Int) -> Int) {
      let first = offsets.count
      offsets.append(contentsOf: repeatElement(0, count: count))
      offsets.withUnsafeMutableBufferPointer { offsets in
        for index in 0..<count { offsets[first &+ index] = end(index) }
      }
    }

    /// Writes zones one behind the other.
    struct Writer {
      fileprivate let room: UnsafeMutablePointer<Int>?
      fileprivate(set) var end: Int

      /// Without a branch: which zones contain a place cannot be foreseen.
      @inline(__always) mutating func add(_ zone: Int, if isInside: Bool) {
        guard let room else { return }
        room[end] = zone
        end = end &+ (isInside ? 1 : 0)
      }
    }
  }
}

extension ZoneIndex.Hits: Equatable {
  public static func == (a: Self, b: Self) -> Bool { a.offsets == b.offsets && a.zones == b.zones }
}
