/// Where each of many devices is, kept from fix to fix: what it is told of is only who came into a zone and who left.
///
/// With each device goes a box around its last place in which no boundary lies. A fix in the box changes nothing and is
/// answered by four comparisons; those that are not are looked up together, and their boxes with them. Exact: the same
/// changes as if every fix were measured against every zone. 48 bytes a device, more for one in more than three zones.
public struct ZonePresence: Sendable {
  public struct Change: Hashable, Sendable {
    /// Which of the fixes told it.
    public let fix: Int
    public let device: Int
    public let zone: Int
    public let isEntry: Bool
  }

  private struct Device: Sendable {
    var box = ZoneIndex.QuietBox()
    var zones = ZoneSetPool.Members()
  }

  private var index: ZoneIndex
  private var devices: [Device]
  private var pool = ZoneSetPool()
  private var hits = ZoneIndex.Hits()

  /// No device has been anywhere yet.
  public init(_ index: ZoneIndex, devices: Int) {
    self.index = index
    self.devices = [Device](repeating: Device(), count: devices)
  }

  /// A box whose southern side is so much farther north holds nothing.
  private static let beyond = 1024.0

  public var deviceCount: Int { devices.count }

  /// The zones a device is in, ascending.
  public func zones(of device: Int) -> [Int] {
    (0..<devices[device].zones.count).map { pool.zone($0, of: devices[device].zones) }
  }

  /// Takes zones that were edited; who is where is found out by each device's next fix.
  ///
  /// - Parameter positions: for each zone so far its position in the new index, or -1 when it is gone or another one now.
  ///   Devices in such a zone are not told that they left.
  public mutating func replaceIndex(with next: ZoneIndex, positions: [Int32]) {
    index = next
    for device in devices.indices {
      devices[device].box = .init()
      let kept = zones(of: device).map { Int(positions[$0]) }.filter { $0 >= 0 }
      pool.set(kept.sorted()[...], of: &devices[device].zones)
    }
  }

  /// Moves devices, in the order given, and appends what changed: of each fix what was left, then what was entered, by
  /// zone.
  /// - Precondition: as many devices as fixes.
  public mutating func move(_ moved: [Int32], to fixes: [Coordinate], changes: inout [Change]) {
    precondition(moved.count == fixes.count, "every fix is of one device")
    // Held once, not by every look.
    let index = index
    withUnsafeTemporaryAllocation(of: Coordinate.self, capacity: ZoneIndex.together) { places in
      withUnsafeTemporaryAllocation(of: ZoneIndex.QuietBox.self, capacity: ZoneIndex.together) { boxes in
        withUnsafeTemporaryAllocation(of: Int.self, capacity: ZoneIndex.together) { numbers in
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
  /// The box of such a device is taken away, so that its next fix is looked up too. There is no branch in this: which
  /// fixes are quiet cannot be foreseen.
  private mutating func leave(
    _ number: inout Int, _ moved: UnsafeBufferPointer<Int32>, _ fixes: UnsafeBufferPointer<Coordinate>,
    _ places: UnsafeMutablePointer<Coordinate>, _ numbers: UnsafeMutablePointer<Int>
  ) -> Int {
    devices.withUnsafeMutableBufferPointer { devices in
      var (count, next) = (0, number)
      while next < fixes.count, count < ZoneIndex.together {
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

  /// Tells what changed.
  @inline(__always) private mutating func note(
    _ found: ArraySlice<Int>, of device: Int, fix: Int, _ changes: inout [Change]
  ) {
    if !pool.isSame(devices[device].zones, found) { change(found, device, fix, &changes) }
  }

  @inline(never) private mutating func change(
    _ found: ArraySlice<Int>, _ device: Int, _ fix: Int, _ changes: inout [Change]
  ) {
    let members = devices[device].zones
    // Both are in order.
    var place = found.startIndex
    for number in 0..<members.count {
      let zone = pool.zone(number, of: members)
      while place < found.endIndex, found[place] < zone { place += 1 }
      if place == found.endIndex || found[place] != zone {
        changes.append(Change(fix: fix, device: device, zone: zone, isEntry: false))
      }
    }
    var number = 0
    for zone in found {
      while number < members.count, pool.zone(number, of: members) < zone { number += 1 }
      if number == members.count || pool.zone(number, of: members) != zone {
        changes.append(Change(fix: fix, device: device, zone: zone, isEntry: true))
      }
    }
    pool.set(found, of: &devices[device].zones)
  }
}
