import Geometry

/// An event that the phone reports to a watch policy. Each comes with the time at which it was handed over.
public enum WatchEvent: Hashable, Sendable {
  /// Watching begins: started by a person, after a relaunch by the system, or after a reboot.
  case started(Start, capabilities: Capabilities, lastKnown: Fix?)
  case stopped
  case fix(Fix)
  /// A requested fix did not come in time.
  case fixFailed
  case fenceEntered(FenceID)
  case fenceExited(FenceID)
  /// The answer to ``WatchCommand/requestState(_:)``; nil where the phone does not know.
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
  /// The system is about to end the process while it runs.
  case willTerminate
  /// Zones changed, or whether they are active or asleep.
  case zonesChanged
  /// The phone's clock was set by this much; negative if it was set back. The times of this event and of all
  /// later ones are by the new clock.
  case clockJumped(by: TimeSpan)

  public enum Start: UInt8, Hashable, Sendable {
    case person, relaunch, reboot
  }
}

/// The motion of the phone as its motion hardware reports it.
public enum Motion: UInt8, Hashable, Sendable, CaseIterable {
  case unknown, still, walking, running, cycling, driving

  var isOnFoot: Bool { self == .walking || self == .running }
}

/// The present permissions and abilities of the phone.
public struct Capabilities: Hashable, Sendable {
  /// The times at which an application runs.
  public enum Host: UInt8, Hashable, Sendable {
    /// Runs only while it is visible: a web page.
    case visibleOnly
    /// Can wake itself at a chosen time: Android, or iOS while a location session runs.
    case timed
    /// Suspended between events of the system: iOS.
    case suspended
  }
  /// The charge of the battery. With less, a policy accepts more lateness to save energy, though never for safety
  /// zones; the guarantee says how much.
  public enum Battery: UInt8, Hashable, Sendable, CaseIterable {
    case full
    /// Relaxed zones may be later.
    case low
    /// Normal zones may be later, too.
    case veryLow
  }
  public var host: Host
  public var authorized = true
  /// True if the application may use location in the background.
  public var background = true
  public var preciseLocation = true
  public var gnss = true
  public var wifi = true
  public var significantChanges = true
  public var visits = true
  public var motion = true
  /// True if a session can wait in a suspended application for the phone to move (iOS 17).
  public var liveUpdates = false
  public var battery = Battery.full
  /// The number of fences that the application may register at once.
  public var fences: Int
  public var largestFence: Distance
  /// The time that remains to run after an event, where the system limits it.
  public var backgroundTime: TimeSpan

  public init(host: Host, fences: Int, largestFence: Distance, backgroundTime: TimeSpan) {
    self.host = host
    self.fences = fences
    self.largestFence = largestFence
    self.backgroundTime = backgroundTime
  }

  /// An Android foreground service, or an iOS application that keeps a session: a hundred fences.
  public static var timed: Self {
    Self(host: .timed, fences: 100, largestFence: .kilometres(100), backgroundTime: .hours(24))
  }
  /// An application on current iOS.
  public static var suspended: Self {
    Self(host: .suspended, fences: 20, largestFence: .kilometres(70), backgroundTime: .seconds(10))
  }
  public static var visibleOnly: Self {
    Self(host: .visibleOnly, fences: 0, largestFence: .zero, backgroundTime: .zero)
  }
}

/// The id of one fence that the system monitors.
public struct FenceID: Hashable, Comparable, Sendable {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

  /// The fence around the phone itself; a zone's fence has the zone's id.
  public static let movement = Self(rawValue: .max)
  /// Further fences near a parked phone, numbered from 1.
  static func aside(_ number: Int) -> Self { Self(rawValue: .max - UInt64(number)) }
  public init(zone: ZoneID) { self.init(rawValue: zone.rawValue) }
}
