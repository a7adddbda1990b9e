/// An error of Core Location; test with `(error as? CLError)?.code == .denied`.
public struct CLError: Error, Hashable, @unchecked Sendable {
  public enum Code: Int, Sendable {
    case locationUnknown = 0
    case denied, network, headingFailure, regionMonitoringDenied, regionMonitoringFailure
    case regionMonitoringSetupDelayed, regionMonitoringResponseDelayed
    case geocodeFoundNoResult, geocodeFoundPartialResult, geocodeCanceled
    case deferredFailed, deferredNotUpdatingLocation, deferredAccuracyTooLow, deferredDistanceFiltered
    case deferredCanceled, rangingUnavailable, rangingFailure, promptDeclined, historicalLocationError
  }

  public let code: Code
  /// With `regionMonitoringResponseDelayed`: a larger region whose events would come sooner.
  public let alternateRegion: CLRegion?
  public init(_ code: Code, alternateRegion: CLRegion? = nil) {
    self.code = code
    self.alternateRegion = alternateRegion
  }

  public static var locationUnknown: Code { .locationUnknown }
  public static var denied: Code { .denied }
  public static var network: Code { .network }
  public static var headingFailure: Code { .headingFailure }
  public static var regionMonitoringDenied: Code { .regionMonitoringDenied }
  public static var regionMonitoringFailure: Code { .regionMonitoringFailure }
  public static var regionMonitoringSetupDelayed: Code { .regionMonitoringSetupDelayed }
  public static var regionMonitoringResponseDelayed: Code { .regionMonitoringResponseDelayed }
  public static var geocodeFoundNoResult: Code { .geocodeFoundNoResult }
  public static var geocodeFoundPartialResult: Code { .geocodeFoundPartialResult }
  public static var geocodeCanceled: Code { .geocodeCanceled }
  public static var deferredFailed: Code { .deferredFailed }
  public static var deferredNotUpdatingLocation: Code { .deferredNotUpdatingLocation }
  public static var deferredAccuracyTooLow: Code { .deferredAccuracyTooLow }
  public static var deferredDistanceFiltered: Code { .deferredDistanceFiltered }
  public static var deferredCanceled: Code { .deferredCanceled }
  public static var rangingUnavailable: Code { .rangingUnavailable }
  public static var rangingFailure: Code { .rangingFailure }
  public static var historicalLocationError: Code { .historicalLocationError }
  public static var promptDeclined: Code { .promptDeclined }
}
