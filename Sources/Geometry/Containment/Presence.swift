/// The outlines that contain each of many devices, kept from fix to fix. Only entries and exits are reported.
///
/// Each device has a box around its last place that contains no boundary. A fix in the box changes nothing
/// and takes four comparisons. The other fixes are looked up together, with their new boxes. Exact: the
/// changes are the same as if every fix were measured against every outline. 48 bytes a device, more for one
/// in more than three outlines.
public struct Presence: Sendable {
  public struct Change: Hashable, Sendable {
    /// The index of the fix that caused the change.
    public let fix: Int
    public let device: Int
    public let outline: Int
    public let isEntry: Bool
  }

  private struct Device: Sendable {
    var box = ContainmentIndex.QuietBox()
    var outlines = OutlineSetPool.Members()
  }

  private var index: ContainmentIndex
  private var devices: [Device]
  private var pool = OutlineSetPool()
  private var hits = ContainmentIndex.Hits()

  /// Creates the presence of devices without a position.
  public init(_ index: ContainmentIndex, devices: Int) {
    self.index = index
    self.devices = [Device](repeating: Device(), count: devices)
  }

  /// The offset north of a box's southern side that makes the box empty.
  private static let beyond = 1024.0

  public var deviceCount: Int { devices.count }

  /// Returns the outlines that contain a device, ascending.
  public func outlines(of device: Int) -> [Int] {
    (0..<devices[device].outlines.count).map { pool.outline($0, of: devices[device].outlines) }
  }

  /// Replaces the index after an edit of the outlines. Each device's outlines are updated by its next fix.
  ///
  /// - Parameter positions: for each former outline its position in the new index, or -1 if it was removed or
  ///   replaced. Devices in such an outline get no exit.
  public mutating func replaceIndex(with next: ContainmentIndex, positions: [Int32]) {
    index = next
    for device in devices.indices {
      devices[device].box = .init()
      let kept = outlines(of: device).map { Int(positions[$0]) }.filter { $0 >= 0 }
      pool.set(kept.sorted()[...], of: &devices[device].outlines)
    }
  }

  /// Moves devices, in the order given, and appends the changes: for each fix the exits, then the entries, by
  /// outline.
  /// - Precondition: as many devices as fixes.
  public mutating func move(_ moved: [Int32], to fixes: [Coordinate], changes: inout [Change]) {
    precondition(moved.count == fixes.count, "every fix is of one device")
    // Retained once, not at every look-up.
    let index = index
    withUnsafeTemporaryAllocation(of: Coordinate.self, capacity: ContainmentIndex.together) { places in
      withUnsafeTemporaryAllocation(of: ContainmentIndex.QuietBox.self, capacity: ContainmentIndex.together) {
        boxes in
        withUnsafeTemporaryAllocation(of: Int.self, capacity: ContainmentIndex.together) { numbers in
          var first = 0
          while first < fixes.count {
            let count = moved.withUnsafeBufferPointer { moved in
              fixes.withUnsafeBufferPointer { fixes in
                leave(&first, moved, fixes, places.baseAddress!, numbers.baseAddress!)
              }
            }
            if count > 0 {
              boxes.baseAddress!.initialize(repeating: .init(), count: count)
              index.containing(
                UnsafeBufferPointer(start: places.baseAddress, count: count), boxes: boxes.baseAddress!,
                into: &hits)
              for look in 0..<count {
                let device = Int(moved[numbers[look]])
                devices[device].box = boxes[look]
                note(hits[look], of: device, fix: numbers[look], &changes)
              }
            }
          }
        }
      }
    }
  }

  /// Gathers the fixes that are not in their devices' boxes, until there are as many as are looked up together.
  ///
  /// The box of such a device is emptied, so that its next fix is looked up too. Branch-free, since it is
  /// unpredictable which fixes are in their boxes.
  private mutating func leave(
    _ number: inout Int, _ moved: UnsafeBufferPointer<Int32>, _ fixes: UnsafeBufferPointer<Coordinate>,
    _ places: UnsafeMutablePointer<Coordinate>, _ numbers: UnsafeMutablePointer<Int>
  ) -> Int {
    devices.withUnsafeMutableBufferPointer { devices in
      var (count, next) = (0, number)
      while next < fixes.count, count < ContainmentIndex.together {
        let device = Int(moved[next])
        precondition(UInt(bitPattern: device) < UInt(bitPattern: devices.count), "a device has a number")
        let p = fixes[next]
        let (latitude, longitude) = (p.latitude.degrees, p.longitude.degrees)
        let box = devices[device].box
        // The sign of the least of four differences.
        let outside =
          ((latitude - box.south).bitPattern | (box.north - latitude).bitPattern
            | (longitude - box.west).bitPattern | (box.east - longitude).bitPattern) >> 63
        devices[device].box.south = box.south + Double(bitPattern: outside &* Self.beyond.bitPattern)
        (places + count).initialize(to: p)
        numbers[count] = next
        count = count &+ Int(truncatingIfNeeded: outside)
        next = next &+ 1
      }
      number = next
      return count
    }
  }

  /// Appends the changes of a fix.
  @inline(__always) private mutating func note(
    _ found: ArraySlice<Int>, of device: Int, fix: Int, _ changes: inout [Change]
  ) {
    if !pool.isSame(devices[device].outlines, found) { change(found, device, fix, &changes) }
  }

  @inline(never) private mutating func change(
    _ found: ArraySlice<Int>, _ device: Int, _ fix: Int, _ changes: inout [Change]
  ) {
    let members = devices[device].outlines
    // Both are in order.
    var place = found.startIndex
    for number in 0..<members.count {
      let outline = pool.outline(number, of: members)
      while place < found.endIndex, found[place] < outline { place += 1 }
      if place == found.endIndex || found[place] != outline {
        changes.append(Change(fix: fix, device: device, outline: outline, isEntry: false))
      }
    }
    var number = 0
    for outline in found {
      while number < members.count, pool.outline(number, of: members) < outline { number += 1 }
      if number == members.count || pool.outline(number, of: members) != outline {
        changes.append(Change(fix: fix, device: device, outline: outline, isEntry: true))
      }
    }
    pool.set(found, of: &devices[device].outlines)
  }
}
