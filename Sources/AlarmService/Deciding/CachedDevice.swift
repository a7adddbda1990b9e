import AlarmEngine
import Store

/// A device as the server has it in memory.
enum CachedDevice: Sendable {
  /// An unclaimed device: its reports are stored, and no zones watch it.
  case unclaimed(UnclaimedDevice)
  case watched(WatchedDevice)

  var id: DeviceID { record.id }

  var record: Device {
    switch self {
    case .unclaimed(let device): device.record
    case .watched(let device): device.record
    }
  }

  var account: AccountID? {
    switch self {
    case .unclaimed: nil
    case .watched(let device): device.account
    }
  }

  /// When the device has to be processed even if it reports nothing.
  var nextDue: Instant? {
    switch self {
    case .unclaimed: nil
    case .watched(let device): device.nextDue
    }
  }

  /// The version of the stored engine that corresponds to this one.
  var version: Int64 {
    switch self {
    case .unclaimed(let device): device.version
    case .watched(let device): device.version
    }
  }

  /// The due time in the store.
  var storedDue: Instant? {
    get {
      switch self {
      case .unclaimed(let device): device.storedDue
      case .watched(let device): device.storedDue
      }
    }
    set {
      switch self {
      case .unclaimed(var device):
        device.storedDue = newValue
        self = .unclaimed(device)
      case .watched(var device):
        device.storedDue = newValue
        self = .watched(device)
      }
    }
  }

  /// The approximate memory that the device takes.
  var bytes: Int {
    switch self {
    case .unclaimed: UnclaimedDevice.bytes
    case .watched(let device): device.bytes + device.reminders.bytes
    }
  }

  mutating func snapshot() -> DeviceSnapshot? {
    guard case .watched(var device) = self else { return nil }
    let snapshot = device.snapshot()
    self = .watched(device)
    return snapshot
  }

  /// The transaction is on the disk, which has counted the version up.
  mutating func saved(at now: Instant) {
    switch self {
    case .unclaimed(var device):
      device.version += 1
      device.clock.saved(at: now)
      self = .unclaimed(device)
    case .watched(var device):
      device.saved(at: now)
      self = .watched(device)
    }
  }
}

/// A device that has no account.
struct UnclaimedDevice: Sendable {
  var record: Device
  var version: Int64 = 0
  /// The error of the phone's clock.
  var clock = PhoneClock()
  var storedDue: Instant?

  static let bytes = 600
}
