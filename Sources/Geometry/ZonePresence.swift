/// Where each of many devices is, kept from fix to fix: what it is told of is only who came into a zone and who left.
///
/// With each device goes the box around its last place in which no boundary lies. A fix in the box changes nothing and is
/// answered by four comparisons; another one is looked up, and the box with it. Exact: the same changes as if every fix
/// were measured against every zone. 48 bytes a device, more for one in more than three zones.
public struct ZonePresence: Sendable {
  public struct Change: Hashable, Sendable {
    /// Which of the fixes told it.
    public let fix: Int
    public let device: Int
    public let zone: Int
    public let isEntry: Bool
  }

  private struct Device: Sendable {
    var box = ZoneGrid.Reader.QuietBox()
    /// How many zones it is in; those beyond the third are in `crowds`.
    var count: Int32 = 0
    var zones: (Int32, Int32, Int32) = (0, 0, 0)
  }

  private var index: ZoneIndex
  private var devices: [Device]
  /// All zones of devices that are in more than three.
  private var crowds: [Int32: [Int32]] = [:]
  private var hits = ZoneIndex.Hits()

  /// No device has been anywhere yet.
  public init(_ index: ZoneIndex, devices: Int) {
    self.index = index
    self.devices = [Device](repeating: Device(), count: devices)
  }

  public var deviceCount: Int { devices.count }

  /// The zones a device is in, ascending.
  public func zones(of device: Int) -> [Int] { members(devices[device], Int32(device)).map { Int($0) } }

  /// Takes zones that were edited; who is where is found out by each device's next fix.
  ///
  /// - Parameter positions: for each zone so far its position in the new index, or -1 when it is gone or another one now.
  ///   Devices in such a zone are not told that they left.
  public mutating func replaceIndex(with next: ZoneIndex, positions: [Int32]) {
    index = next
    for device in devices.indices {
      devices[device].box = .init()
      let kept = members(devices[device], Int32(device)).map { Int(positions[Int($0)]) }.filter { $0 >= 0 }
      set(kept.sorted()[...], of: device)
    }
  }

  /// Moves devices, in the order given, and appends what changed: of each fix what was left, then what was entered, by
  /// zone.
  /// - Precondition: as many devices as fixes.
  public mutating func move(_ moved: [Int32], to fixes: [Coordinate], changes: inout [Change]) {
    precondition(moved.count == fixes.count, "every fix is of one device")
    // Held once, not by every look.
    let index = index
    for number in fixes.indices {
      let device = Int(moved[number])
      let p = fixes[number]
      let (latitude, longitude) = (p.latitude.degrees, p.longitude.degrees)
      let isQuiet = devices.withUnsafeBufferPointer { devices in
        let box = devices[device].box
        return longitude >= box.west && longitude < box.east && latitude >= box.south && latitude < box.north
      }
      if !isQuiet { look(index, device, p, fix: number, &changes) }
    }
  }

  // MARK: Looking up

  @inline(never) private mutating func look(
    _ index: ZoneIndex, _ device: Int, _ p: Coordinate, fix: Int, _ changes: inout [Change]
  ) {
    devices[device].box = index.quietBox(around: p)
    // In no order, and all of them in the device's own few: nothing changed.
    let state = devices[device]
    var found: Int32 = 0
    var isSame = state.count <= 3
    if isSame {
      index.visitZones(containing: p) { zone in
        found &+= 1
        let zone = Int32(truncatingIfNeeded: zone)
        let isKnown =
          found <= state.count
          && (zone == state.zones.0 || state.count > 1 && zone == state.zones.1
            || state.count > 2 && zone == state.zones.2)
        if !isKnown { isSame = false }
      }
    }
    if isSame, found == state.count { return }
    index.containing(p, into: &hits)
    let zones = hits[0]
    if state.count <= 3 {
      for number in 0..<Int(state.count) {
        let zone = number == 0 ? state.zones.0 : number == 1 ? state.zones.1 : state.zones.2
        if !zones.contains(Int(zone)) {
          changes.append(Change(fix: fix, device: device, zone: Int(zone), isEntry: false))
        }
      }
    } else {
      for zone in crowds[Int32(device)] ?? [] where !zones.contains(Int(zone)) {
        changes.append(Change(fix: fix, device: device, zone: Int(zone), isEntry: false))
      }
    }
    for zone in zones where !isMember(Int32(zone), state, Int32(device)) {
      changes.append(Change(fix: fix, device: device, zone: zone, isEntry: true))
    }
    set(zones, of: device)
  }

  private func isMember(_ zone: Int32, _ state: Device, _ device: Int32) -> Bool {
    if state.count > 3 { return crowds[device]?.contains(zone) ?? false }
    return state.count > 0 && zone == state.zones.0 || state.count > 1 && zone == state.zones.1
      || state.count > 2 && zone == state.zones.2
  }

  private func members(_ state: Device, _ device: Int32) -> [Int32] {
    switch state.count {
    case 0: []
    case 1: [state.zones.0]
    case 2: [state.zones.0, state.zones.1]
    case 3: [state.zones.0, state.zones.1, state.zones.2]
    default: crowds[device] ?? []
    }
  }

  private mutating func set(_ zones: ArraySlice<Int>, of device: Int) {
    if devices[device].count > 3 { crowds[Int32(device)] = nil }
    devices[device].count = Int32(zones.count)
    let first = zones.startIndex
    if zones.count > 3 { crowds[Int32(device)] = zones.map { Int32($0) } }
    if zones.count > 0 { devices[device].zones.0 = Int32(zones[first]) }
    if zones.count > 1 { devices[device].zones.1 = Int32(zones[first + 1]) }
    if zones.count > 2 { devices[device].zones.2 = Int32(zones[first + 2]) }
  }
}
