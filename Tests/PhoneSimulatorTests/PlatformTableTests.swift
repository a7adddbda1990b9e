import Foundation
import PhoneSimulator
import Testing

/// Constants, raw values and defaults as in the platform's tables.
@Suite("Core Location's table")
struct PlatformTableTests {
  @Test func `constants have their values`() {
    #expect(kCLLocationAccuracyBestForNavigation == -2 && kCLLocationAccuracyBest == -1)
    #expect(kCLLocationAccuracyNearestTenMeters == 10 && kCLLocationAccuracyHundredMeters == 100)
    #expect(kCLLocationAccuracyKilometer == 1000 && kCLLocationAccuracyThreeKilometers == 3000)
    #expect(kCLLocationAccuracyReduced == 6_380_000)
    #expect(kCLDistanceFilterNone == -1 && kCLHeadingFilterNone == -1)
    #expect(
      CLLocationDistanceMax == .greatestFiniteMagnitude && CLTimeIntervalMax == .greatestFiniteMagnitude)
    #expect(
      kCLLocationCoordinate2DInvalid.latitude == -180 && kCLLocationCoordinate2DInvalid.longitude == -180)
    #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
    #expect(CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(-90, 180)))
    #expect(!CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(0, 180.001)))
  }

  @Test func `cases have their numbers`() {
    let codes: [CLError.Code] = [
      .locationUnknown, .denied, .network, .headingFailure, .regionMonitoringDenied, .regionMonitoringFailure,
      .regionMonitoringSetupDelayed, .regionMonitoringResponseDelayed, .geocodeFoundNoResult,
      .geocodeFoundPartialResult, .geocodeCanceled, .deferredFailed, .deferredNotUpdatingLocation,
      .deferredAccuracyTooLow, .deferredDistanceFiltered, .deferredCanceled, .rangingUnavailable,
      .rangingFailure, .promptDeclined, .historicalLocationError,
    ]
    #expect(codes.map(\.rawValue) == Array(0...19))
    #expect(CLError.denied == CLError(.denied).code)
    let statuses: [CLAuthorizationStatus] = [
      .notDetermined, .restricted, .denied, .authorizedAlways, .authorizedWhenInUse,
    ]
    #expect(statuses.map(\.rawValue) == [0, 1, 2, 3, 4])
    #expect([CLRegionState.unknown, .inside, .outside].map(\.rawValue) == [0, 1, 2])
    #expect([CLAccuracyAuthorization.fullAccuracy, .reducedAccuracy].map(\.rawValue) == [0, 1])
    let activities: [CLActivityType] = [.other, .automotiveNavigation, .fitness, .otherNavigation, .airborne]
    #expect(activities.map(\.rawValue) == [1, 2, 3, 4, 5])
    let states: [CLMonitor.Event.State] = [.unknown, .satisfied, .unsatisfied, .unmonitored]
    #expect(states.map(\.rawValue) == [0, 1, 2, 3])
  }

  @Test func `a location made of less has the rest invalid`() {
    let short = CLLocation(latitude: 1, longitude: 2)
    #expect(
      short.horizontalAccuracy == 0 && short.verticalAccuracy == -1 && short.course == -1 && short.speed == -1
    )
    let place = CLLocationCoordinate2D(latitude: 1, longitude: 2)
    let date = Date(timeIntervalSince1970: 5)
    let middle = CLLocation(
      coordinate: place, altitude: 3, horizontalAccuracy: 4, verticalAccuracy: 5, timestamp: date)
    #expect(middle.course == -1 && middle.speed == -1 && middle.timestamp == date && middle.floor == nil)
    let long = CLLocation(
      coordinate: place, altitude: 3, horizontalAccuracy: 4, verticalAccuracy: 5, course: 6, speed: 7,
      timestamp: date)
    #expect(long.courseAccuracy == -1 && long.speedAccuracy == -1 && long.sourceInformation == nil)
  }

  @Test func `a region tells of both ways unless asked not to, and is known by its identifier`() {
    let region = Scene.region("a")
    #expect(region.notifyOnEntry && region.notifyOnExit)
    #expect(region == Scene.region("a", radius: 900) && region != Scene.region("b"))
    #expect(region.contains(region.center))
    let edge = Scene.place(metres: 100.01)
    #expect(
      !region.contains(
        CLLocationCoordinate2D(latitude: edge.latitude.degrees, longitude: edge.longitude.degrees)))
  }

  @Test func `locations, regions and visits survive their archive`() throws {
    let location = CLLocation(
      coordinate: CLLocationCoordinate2D(latitude: -33.5, longitude: 151.25), altitude: 3,
      horizontalAccuracy: 4,
      verticalAccuracy: 5, course: 6, courseAccuracy: 7, speed: 8, speedAccuracy: 9,
      timestamp: Date(timeIntervalSince1970: 1234.5))
    let data = try NSKeyedArchiver.archivedData(withRootObject: location, requiringSecureCoding: true)
    let back = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: data))
    #expect(back.coordinate.latitude == -33.5 && back.coordinate.longitude == 151.25)
    #expect(back.timestamp == location.timestamp && back.speedAccuracy == 9)
    let region = Scene.region("a", radius: 321)
    region.notifyOnExit = false
    let regionData = try NSKeyedArchiver.archivedData(withRootObject: region, requiringSecureCoding: true)
    let again = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: CLCircularRegion.self, from: regionData))
    #expect(again == region && again.radius == 321 && !again.notifyOnExit && again.notifyOnEntry)
  }
}
