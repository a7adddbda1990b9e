import Geometry

/// What a phone tells a watch policy. Each comes with the time at which it was handed over.
public enum WatchEvent: Hashable, Sendable {
  /// Watching begins, by a person, after a relaunch by the system or after a reboot.
  case started(Start, capabilities: Capabilities, lastKnown: Fix?)
  case stopped
  case fix(Fix)
  /// A requested fix did not come in its time.
  case fixFailed
  case fenceEntered(FenceID)
  case fenceExited(FenceID)
  /// The phone said whether it is inside a fence that was asked about.
  case fenceState(FenceID, inside: Bool?)
  case fenceFailed(FenceID)
  /// A coarse position from the significant-change service.
  case significantChange(Fix)
  case visitArrived(Coordinate)
  case visitDeparted(Coordinate)
  case motion(Motion)
  case timer
  case capabilitiesChanged(Capabilities)
  case cameToForeground
  case wentToBackground
  /// The process is about to be ended while it runs.
  case willTerminate
  /// Zones, their activity or sleep changed.
  case zonesChanged
  /// The phone's clock was set by this much, negative where it was set back; the event's time is by the new clock, and so
  /// are those of all that follow.
  case clockJumped(by: TimeSpan)

  public enum Start: UInt8, Hashable, Sendable {
    case person, relaunch, reboot
  }
}

/// How the phone moves, as its motion hardware says.
public enum Motion: UInt8, Hashable, Sendable, CaseIterable {
  case unknown, still, walking, running, cycling, driving

  var isOnFoot: Bool { self == .walking || self == .running }
}

/// What the phone grants and can do at this moment.
public struct Capabilities: Hashable, Sendable {
  /// When an application runs.
  public enum Host: UInt8, Hashable, Sendable {
    /// Runs only while it is visible: a web page.
    case visibleOnly
    /// Can wake itself at a chosen time: Android, or iOS while a location session runs.
    case timed
    /// Suspended between events of the system: iOS.
    case suspended
  }
  /// How much a policy may trade lateness for energy, never for safety zones; what it promises says so.
  public enum Battery: UInt8, Hashable, Sendable, CaseIterable {
    case full
    /// Relaxed zones may be later.
    case low
    /// Normal zones too.
    case veryLow
  }
  public var host: Host
  public var authorized = true
  /// May use location in the background.
  public var background = true
  public var preciseLocation = true
  public var gnss = true
  public var wifi = true
  public var significantChanges = true
  public var visits = true
  public var motion = true
  public var battery = Battery.full
  /// Fences the application may hold at once.
  public var fences: Int
  public var largestFence: Distance
  /// What remains to run after an event, where the system bounds them.
  public var backgroundTime: TimeSpan

  public init(host: Host, fences: Int, largestFence: Distance, backgroundTime: TimeSpan) {
    self.host = host
    self.fences = fences
    self.largestFence = largestFence
    self.backgroundTime = backgroundTime
  }

  /// An Android foreground service or an iOS application that keeps a session: fences by the hundred.
  public static var timed: Self {
    Self(host: .timed, fences: 100, largestFence: .kilometres(100), backgroundTime: .hours(24))
  }
  /// iOS of today.
  public static var suspended: Self {
    Self(host: .suspended, fences: 20, largestFence: .kilometres(70), backgroundTime: .seconds(10))
  }
  public static var visibleOnly: Self {
    Self(host: .visibleOnly, fences: 0, largestFence: .zero, backgroundTime: .zero)
  }
}

/// Names one fence that the system watches for us.
public struct FenceID: Hashable, Comparable, Sendable {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

  /// The one fence round the phone itself; zones' fences carry their zones' ids.
  public static let movement = Self(rawValue: .max)
  /// Further fences round the phone, from 1 on.
  static func aside(_ number: Int) -> Self { Self(rawValue: .max - UInt64(number)) }
  public init(zone: ZoneID) { self.init(rawValue: zone.rawValue) }
}
