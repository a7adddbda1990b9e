import AlarmEngine
import Store

/// The devices in memory with their engines, as many as there is room for. When room is needed, every second
/// one of the least recently used is dropped.
///
/// Phones report in turns. If there are more than there is room for, the least recently used are those that
/// report next. If all of those were dropped, no device would be in memory when it is needed.
///
/// A device can be loaded from the store completely, so dropping it loses nothing.
package struct DeviceCache {
  package struct Bounds: Sendable {
    var devices: Int
    var bytes: Int

    package init(devices: Int = 50_000, bytes: Int = 36 << 20) {
      self.devices = devices
      self.bytes = bytes
    }
  }

  /// Each device has an object of its own, so that a growing table moves only references.
  private final class Seat {
    let device: CachedDevice
    let bytes: Int
    let usedAt: UInt64
    init(_ device: CachedDevice, usedAt: UInt64) {
      self.device = device
      bytes = device.bytes
      self.usedAt = usedAt
    }
  }

  private var seats: [DeviceID: Seat] = [:]
  private var uses: UInt64 = 0
  private var bytes = 0
  private let bounds: Bounds

  init(_ bounds: Bounds) { self.bounds = bounds }

  var count: Int { seats.count }

  func holds(_ id: DeviceID) -> Bool { seats[id] != nil }

  func device(_ id: DeviceID) -> CachedDevice? { seats[id]?.device }

  mutating func put(_ device: CachedDevice) {
    uses += 1
    let seat = Seat(device, usedAt: uses)
    bytes += seat.bytes
    if let former = seats.updateValue(seat, forKey: device.id) { bytes -= former.bytes }
  }

  mutating func drop(_ id: DeviceID) {
    if let seat = seats.removeValue(forKey: id) { bytes -= seat.bytes }
  }

  mutating func dropAll() {
    seats = [:]
    bytes = 0
  }

  /// Drops the devices of these accounts, so that the memory of their zones is freed.
  mutating func drop(of accounts: Set<AccountID>) {
    guard !accounts.isEmpty else { return }
    for (id, seat) in seats where seat.device.account.map(accounts.contains) ?? false { drop(id) }
  }

  /// Drops a quarter of the devices at once, so that the search is rare.
  ///
  /// - Returns: whether there were too many.
  @discardableResult mutating func makeRoom() -> Bool {
    guard seats.count > bounds.devices || bytes > bounds.bytes else { return false }
    var order = seats.map { (id: $0.key, usedAt: $0.value.usedAt) }
    order.sort { $0.usedAt < $1.usedAt }
    for start in 0..<2 {
      for place in stride(from: start, to: order.count, by: 2) {
        guard seats.count > bounds.devices * 3 / 4 || bytes > bounds.bytes / 4 * 3 else { return true }
        drop(order[place].id)
      }
    }
    return true
  }
}
