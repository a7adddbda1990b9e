/// What Core Location reports; test with `(error as? CLError)?.code == .denied`.
public struct CLError: Error, Hashable, Sendable {
  public enum Code: Int, Sendable {
    case locationUnknown = 0
    case denied, network, headingFailure, regionMonitoringDenied, regionMonitoringFailure
    case regionMonitoringSetupDelayed, regionMonitoringResponseDelayed
    case geocodeFoundNoResult, geocodeFoundPartialResult, geocodeCanceled
    case deferredFailed, deferredNotUpdatingLocation, deferredAccuracyTooLow, deferredDistanceFiltered
    case deferredCanceled, rangingUnavailable, rangingFailure, promptDeclined, historicalLocationError
  }

  public let code: Code
  public init(_ code: Code) { self.code = code }

  public static var locationUnknown: Code { .locationUnknown }
  public static var denied: Code { .denied }
  public static var network: Code { .network }
  public static var regionMonitoringDenied: Code { .regionMonitoringDenied }
  public static var regionMonitoringFailure: Code { .regionMonitoringFailure }
  public static var regionMonitoringSetupDelayed: Code { .regionMonitoringSetupDelayed }
  public static var regionMonitoringResponseDelayed: Code { .regionMonitoringResponseDelayed }
  public static var promptDeclined: Code { .promptDeclined }
}
