import AlarmEngine

/// The reason for a missing position: codes 1, 2 and 3 of the Geolocation API.
public enum GeolocationError: Int, Error, Sendable {
  case permissionDenied = 1
  case positionUnavailable = 2
  case timeout = 3
}

/// Options of the Geolocation API, with its defaults. D [W3C-geo].
public struct PositionOptions: Hashable, Sendable {
  public var enableHighAccuracy = false
  /// Milliseconds.
  public var timeout = Self.never
  /// Greatest age in milliseconds of a cached position.
  public var maximumAge = 0
  public static let never = 0xFFFF_FFFF

  public init(enableHighAccuracy: Bool = false, timeout: Int = never, maximumAge: Int = 0) {
    self.enableHighAccuracy = enableHighAccuracy
    self.timeout = timeout
    self.maximumAge = maximumAge
  }

  var accuracy: Double {
    enableHighAccuracy ? kCLLocationAccuracyBest : kCLLocationAccuracyHundredMeters
  }
}

extension ApplicationEnvironment {
  /// Delivers positions while the page is visible, and none while it is hidden or for that time later. A
  /// watch started while the page is hidden waits until it is visible.
  public func watchPosition(
    _ options: PositionOptions = PositionOptions(),
    _ receive: @escaping (Result<Fix, GeolocationError>) -> Void
  ) -> LocationUpdates {
    var isLate = options.timeout < PositionOptions.never
    let stream = UpdateStream(
      .continuous, accuracy: options.accuracy,
      receive: { [unowned phone] in
        isLate = false
        receive(.success(phone.pageFix($0)))
      }, fail: { receive(.failure(.positionUnavailable)) })
    stream.oldestCached = Double(options.maximumAge) / 1000
    start(stream, receive)
    if isLate {
      after(.milliseconds(Int64(options.timeout))) { if isLate { receive(.failure(.timeout)) } }
    }
    return LocationUpdates(process: process, stream: stream)
  }

  /// One position.
  public func currentPosition(
    _ options: PositionOptions = PositionOptions(),
    _ receive: @escaping (Result<Fix, GeolocationError>) -> Void
  ) {
    if let known = phone.positioning.cached, phone.isAuthorized,
      (phone.now - known.measuredAt).milliseconds <= options.maximumAge, options.maximumAge > 0
    {
      after(.zero) { [unowned phone] in receive(.success(phone.pageFix(known))) }
      return
    }
    let stream = UpdateStream(
      .single, accuracy: options.accuracy,
      receive: { [unowned phone] in receive(.success(phone.pageFix($0))) },
      fail: { receive(.failure(.timeout)) })
    stream.timeout = min(Double(options.timeout) / 1000, phone.parameters.oneShotTimeoutSeconds)
    start(stream, receive)
  }

  /// Keeps the screen on until the page is hidden for any reason. D [BCD].
  public func requestWakeLock() { if phone.system == .webPage { process?.holdsScreen = true } }

  private func start(
    _ stream: UpdateStream, _ receive: @escaping (Result<Fix, GeolocationError>) -> Void
  ) {
    if phone.isAuthorized {
      process?.start(stream)
    } else {
      after(.zero) { receive(.failure(.permissionDenied)) }
    }
  }
}

extension Phone {
  /// True if a hidden page goes on, with delayed timers and no positions.
  var keepsHiddenPage: Bool { system == .webPage && parameters.hiddenPageKeepsTimers > 0 }

  /// Turns the screen off after a while, unless the page keeps it on.
  func planScreenOff() {
    guard system == .webPage, parameters.screenOffSeconds > 0, let process else { return }
    process.screenOff?.cancel()
    process.screenOff = clock.plan(after: .seconds(parameters.screenOffSeconds)) {
      [unowned self, weak process] in
      guard let process, process.state == .foreground, !process.holdsScreen else { return }
      leaveApplication()
    }
  }

  /// The time at which a timer runs: on a hidden page, delayed to a multiple of one second since it was
  /// hidden, later of one minute.
  func held(_ time: Instant) -> Instant {
    guard keepsHiddenPage, let process, process.state == .background, let since = process.hiddenSince else {
      return time
    }
    let isLater = (time - since).seconds > parameters.hiddenTimerLaterAfterSeconds
    let grain = isLater ? parameters.hiddenTimerLaterSeconds : parameters.hiddenTimerSeconds
    return since + .seconds(((time - since).seconds / grain).rounded(.up) * grain)
  }

  func pageFix(_ fix: PhoneFix) -> Fix {
    Fix(
      PhoneFix(
        position: fix.position, accuracy: fix.accuracy * parameters.pageAccuracyFactor,
        measuredAt: fix.measuredAt, speed: fix.speed, course: fix.course, service: fix.service))
  }
}
