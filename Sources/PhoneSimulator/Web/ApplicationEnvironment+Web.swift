import AlarmEngine

/// Why a page got no position: codes 1, 2 and 3 of the Geolocation API.
public enum GeolocationError: Int, Error, Sendable {
  case permissionDenied = 1
  case positionUnavailable = 2
  case timeout = 3
}

/// Options of the Geolocation API, with its defaults. D [W3C-geo].
public struct PositionOptions: Hashable, Sendable {
  public var enableHighAccuracy = false
  /// Milliseconds.
  public var timeout = 0xFFFF_FFFF
  public init(enableHighAccuracy: Bool = false, timeout: Int = 0xFFFF_FFFF) {
    self.enableHighAccuracy = enableHighAccuracy
    self.timeout = timeout
  }

  var accuracy: Double {
    enableHighAccuracy ? kCLLocationAccuracyBest : kCLLocationAccuracyHundredMeters
  }
}

extension ApplicationEnvironment {
  /// Positions while the page is visible; none at all while it is hidden, and none are made up for afterwards.
  public func watchPosition(
    _ options: PositionOptions = PositionOptions(),
    _ receive: @escaping (Result<Fix, GeolocationError>) -> Void
  ) -> LocationUpdates {
    let stream = UpdateStream(
      .continuous, accuracy: options.accuracy, receive: { receive(.success(Fix($0))) },
      fail: { receive(.failure(.positionUnavailable)) })
    start(stream, receive)
    return LocationUpdates(process: process, stream: stream)
  }

  /// One position.
  public func currentPosition(
    _ options: PositionOptions = PositionOptions(),
    _ receive: @escaping (Result<Fix, GeolocationError>) -> Void
  ) {
    let stream = UpdateStream(
      .single, accuracy: options.accuracy, receive: { receive(.success(Fix($0))) },
      fail: { receive(.failure(.timeout)) })
    stream.timeout = min(Double(options.timeout) / 1000, phone.parameters.oneShotTimeoutSeconds)
    start(stream, receive)
  }

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
