import Foundation

public protocol CLCondition: Sendable {}

/// The fake of iOS 17's monitor: it has a name, each name is open at most once, and the system keeps the
/// states.
///
/// All its work is done on the phone's event loop; reach it from tasks started with ``Phone/task(_:)``.
public actor CLMonitor {
  public nonisolated let name: String
  private nonisolated let store: Store
  private nonisolated let executor: PhoneExecutor

  /// Accessed on the event loop only.
  private struct Store: @unchecked Sendable {
    let state: MonitorStore
  }

  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Opens the monitor.
  /// - Precondition: an application is running on the current phone and has not opened this name yet.
  public init(_ name: String) async {
    guard let phone = Phone.current, phone.process != nil else {
      preconditionFailure("a monitor is opened by an application that runs on a phone")
    }
    precondition(phone.iOSVersion?.hasMonitors ?? false, "\(phone.system) has no monitors")
    precondition(
      !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber },
      "a monitor's name is letters and digits")
    let state = phone.monitors[name] ?? MonitorStore(phone: phone, name: name)
    phone.monitors[name] = state
    self.name = name
    store = Store(state: state)
    executor = phone.executor
    state.open()
  }

  /// Watches a condition; its state is reported as soon as it is known.
  public func add(_ condition: any CLCondition, identifier: String) {
    store.state.add(condition, id: identifier, assuming: .unknown)
  }

  /// Watches a condition; its state is reported once it differs from the assumed one.
  public func add(_ condition: any CLCondition, identifier: String, assuming state: Event.State) {
    store.state.add(condition, id: identifier, assuming: state)
  }

  public func remove(_ identifier: String) { store.state.remove(identifier) }
  public func record(for identifier: String) -> Record? { store.state.records[identifier] }
  public var identifiers: [String] { store.state.records.keys.sorted() }
  public var events: Events { Events(monitor: self) }

  fileprivate func next() async -> Event? {
    await withCheckedContinuation { store.state.next($0) }
  }

  public struct CircularGeographicCondition: CLCondition {
    public let center: CLLocationCoordinate2D
    public let radius: CLLocationDistance
    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance) {
      self.center = center
      self.radius = radius
    }
  }

  /// Unsupported: there are no beacons here.
  public struct BeaconIdentityCondition: CLCondition {
    public let uuid: UUID
    public init(uuid: UUID) { self.uuid = uuid }
  }

  public struct Record: Sendable {
    public let condition: any CLCondition
    public let lastEvent: Event
  }

  public struct Event: Sendable {
    public enum State: UInt, Sendable {
      case unknown = 0
      case satisfied, unsatisfied, unmonitored
    }
    public let identifier: String
    public let state: State
    public let date: Date
    public var refinement: (any CLCondition)? { nil }
    private let obstacle: Obstacle?

    /// The reason for which a condition is not monitored.
    enum Obstacle: Sendable {
      case accuracyLimited, denied, deniedGlobally, restricted, requestInProgress
      case unsupported, limitExceeded
    }

    init(identifier: String, state: State, date: Date, obstacle: Obstacle? = nil) {
      self.identifier = identifier
      self.state = state
      self.date = date
      self.obstacle = obstacle
    }

    public var accuracyLimited: Bool { obstacle == .accuracyLimited }
    public var authorizationDenied: Bool { obstacle == .denied }
    public var authorizationDeniedGlobally: Bool { obstacle == .deniedGlobally }
    public var authorizationRestricted: Bool { obstacle == .restricted }
    public var authorizationRequestInProgress: Bool { obstacle == .requestInProgress }
    public var conditionUnsupported: Bool { obstacle == .unsupported }
    public var conditionLimitExceeded: Bool { obstacle == .limitExceeded }
    /// Always false here: an event that may not be delivered is not delivered.
    public var insufficientlyInUse: Bool { false }
    public var serviceSessionRequired: Bool { false }
    /// Always false here: storage on the phone never fails.
    public var persistenceUnavailable: Bool { false }
  }

  /// Ends with the process; a second iterator takes the events from the first.
  public struct Events: AsyncSequence, Sendable {
    public typealias Element = Event
    fileprivate let monitor: CLMonitor

    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate let monitor: CLMonitor
      public mutating func next() async throws -> Event? { await monitor.next() }
    }
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(monitor: monitor) }
  }
}
