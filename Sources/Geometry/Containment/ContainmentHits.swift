extension ContainmentIndex {
  /// The outlines of many fixes, flat: those of fix `i` are `outlines[offsets[i]..<offsets[i + 1]]`, ascending.
  ///
  /// The caller reuses it from batch to batch, so that no memory is allocated.
  public struct Hits: Sendable {
    public private(set) var offsets: [Int] = [0]
    /// Room for outlines; the first `used` of them count.
    private var room: [Int] = []
    private var used = 0
    public init() {}

    /// The number of fixes looked up.
    public var count: Int { offsets.count - 1 }
    public var outlines: ArraySlice<Int> { room[0..<used] }
    public subscript(fix: Int) -> ArraySlice<Int> { room[offsets[fix]..<offsets[fix + 1]] }

    mutating func clear() {
      offsets.removeAll(keepingCapacity: true)
      offsets.append(0)
      used = 0
    }

    /// Lets `body` write the outlines of some more fixes, at most `most` outlines together.
    @inline(__always) mutating func write(fixes: Int, most: Int, _ body: (inout Writer) -> Void) {
      // The writer also writes outlines that do not count.
      let most = most &+ Writer.together
      if room.count < used &+ most {
        room.append(contentsOf: repeatElement(0, count: max(most, room.count)))
      }
      // Both lists are held at once.
      var ends: [Int] = []
      swap(&ends, &offsets)
      let (first, start) = (ends.count, used)
      ends.append(contentsOf: repeatElement(0, count: fixes))
      used = room.withUnsafeMutableBufferPointer { room in
        ends.withUnsafeMutableBufferPointer { ends in
          var writer = Writer(room: room.baseAddress!, ends: ends.baseAddress! + first, start: start)
          body(&writer)
          return writer.end
        }
      }
      swap(&ends, &offsets)
    }

    /// Adds an outline of the fix that is not ended, in its place; once, however often it is added.
    mutating func add(_ outline: Int) {
      var place = used
      while place > offsets[offsets.count - 1], room[place - 1] >= outline {
        if room[place - 1] == outline { return }
        place -= 1
      }
      if room.count == used { room.append(0) }
      var move = used
      while move > place {
        room[move] = room[move - 1]
        move -= 1
      }
      room[place] = outline
      used += 1
    }

    mutating func endFix() { offsets.append(used) }

    /// Writes outlines fix by fix, each fix's in two runs that ascend.
    ///
    /// Branch-free where possible, since the outlines that contain a place are unpredictable.
    struct Writer {
      /// Outlines written at once, whether they count or not.
      static let together = 4

      private let room: UnsafeMutablePointer<Int>
      /// The address for the end of the next fix.
      private var ends: UnsafeMutablePointer<Int>
      /// The starts of the fix and of its second run.
      private var start: Int
      private var second: Int
      fileprivate(set) var end: Int

      fileprivate init(room: UnsafeMutablePointer<Int>, ends: UnsafeMutablePointer<Int>, start: Int) {
        self.room = room
        self.ends = ends
        self.start = start
        second = start
        end = start
      }

      /// Writes the first run. At least `together` elements are read, even if `count` is less.
      @inline(__always) mutating func begin(_ outlines: UnsafePointer<UInt32>, _ count: Int) {
        for number in 0..<Self.together { room[end &+ number] = Int(truncatingIfNeeded: outlines[number]) }
        if count > Self.together {
          for number in Self.together..<count {
            room[end &+ number] = Int(truncatingIfNeeded: outlines[number])
          }
        }
        end = end &+ count
        second = end
      }

      /// Writes an outline of the second run.
      @inline(__always) mutating func add(_ outline: Int, if isInside: Bool) {
        room[end] = outline
        end = end &+ (isInside ? 1 : 0)
      }

      /// Ends the fix, after merging its two runs into one.
      @inline(__always) mutating func endFix() {
        if start < second, second < end, room[second &- 1] > room[second] { merge() }
        start = end
        passFix()
      }

      /// Ends a fix without outlines.
      @inline(__always) mutating func passFix() {
        ends.pointee = end
        ends += 1
      }

      @inline(never) private func merge() {
        for next in second..<end {
          let outline = room[next]
          var place = next
          while place > start, room[place &- 1] > outline {
            room[place] = room[place &- 1]
            place &-= 1
          }
          room[place] = outline
        }
      }
    }
  }
}

extension ContainmentIndex.Hits: Equatable {
  public static func == (a: Self, b: Self) -> Bool { a.offsets == b.offsets && a.outlines == b.outlines }
}
