import AlarmEngine

/// The fake of iOS 17's live updates: there is no accuracy or filter to set. They pause while the phone is
/// still, and resume by themselves when it moves (D). While they are paused the application may be suspended,
/// and they resume it.
///
/// Where Apple states nothing, the fake is strict: the phone's movement is noticed as late as the motion
/// hardware tells applications of it, an application that was ended is not started anew, and satellites are
/// used until the pause.
///
/// Iterate in a task started with ``Phone/task(_:)``.
public struct CLLocationUpdate: Sendable {
  public enum LiveConfiguration: Sendable {
    case `default`, automotiveNavigation, otherNavigation, fitness, airborne
  }

  public let location: CLLocation?
  public let isStationary: Bool
  public var stationary: Bool { isStationary }
  public let accuracyLimited: Bool
  public let authorizationDenied: Bool
  public let authorizationDeniedGlobally: Bool
  public let authorizationRestricted: Bool
  public let authorizationRequestInProgress: Bool
  public let insufficientlyInUse: Bool
  /// Always false here: live updates hold a session of their own.
  public var serviceSessionRequired: Bool { false }
  public let locationUnavailable: Bool

  /// - Precondition: an application is running on the current phone.
  public static func liveUpdates(_ configuration: LiveConfiguration = .default) -> Updates {
    guard let phone = Phone.current, let process = phone.process else {
      preconditionFailure("live updates are asked for by an application that runs on a phone")
    }
    precondition(phone.iOSVersion?.hasMonitors ?? false, "\(phone.system) has no live updates")
    return Updates(source: LiveSource(phone: phone, process: process))
  }

  /// Ends with the process.
  public struct Updates: AsyncSequence, Sendable {
    public typealias Element = CLLocationUpdate
    fileprivate let source: LiveSource

    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate var iterator: AsyncStream<CLLocationUpdate>.AsyncIterator
      public mutating func next() async throws -> CLLocationUpdate? { await iterator.next() }
    }
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(iterator: source.open()) }
  }
}

/// Feeds live updates from a stream of positions; touched on the phone's event loop only.
private final class LiveSource: @unchecked Sendable {
  private let phone: Phone
  private weak var process: AppProcess?

  init(phone: Phone, process: AppProcess) {
    self.phone = phone
    self.process = process
  }

  func open() -> AsyncStream<CLLocationUpdate>.AsyncIterator {
    let (updates, feed) = AsyncStream.makeStream(of: CLLocationUpdate.self)
    let phone = phone
    // D: `isStationary` is true if the updates stop because the phone is still.
    weak var running: UpdateStream?
    func update(_ fix: PhoneFix?) -> CLLocationUpdate {
      CLLocationUpdate(
        location: fix.map(CLLocation.init), isStationary: running?.isResting ?? false,
        accuracyLimited: phone.isReduced,
        authorizationDenied: phone.permission.status == .denied,
        authorizationDeniedGlobally: !phone.permission.servicesEnabled,
        authorizationRestricted: phone.permission.status == .restricted,
        authorizationRequestInProgress: phone.permission.status == .notDetermined,
        insufficientlyInUse: phone.permission.status == .authorizedWhenInUse
          && phone.process?.state != .foreground && !(phone.process?.keepsRunning ?? false),
        locationUnavailable: fix == nil)
    }
    guard let process, phone.isAuthorized else {
      feed.yield(update(nil))
      feed.finish()
      return updates.makeAsyncIterator()
    }
    let stream = UpdateStream(
      .continuous, accuracy: kCLLocationAccuracyBest, receive: { feed.yield(update($0)) },
      fail: { feed.yield(update(nil)) })
    stream.restsWhenStill = true
    running = stream
    process.onEnd { feed.finish() }
    // A loop that ends, or whose task is cancelled, ends the updates.
    nonisolated(unsafe) let stop = { [weak process] in
      if let process, process.isAlive { process.stop(stream) }
    }
    feed.onTermination = { _ in stop() }
    process.start(stream, keptByActivity: true)
    return updates.makeAsyncIterator()
  }
}
