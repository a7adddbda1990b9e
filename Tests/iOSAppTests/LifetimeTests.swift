import AppleFakes
import Foundation
import PhoneSimulator
import Testing

@testable import ProximityApp

@MainActor
@Suite("The iOS app's parts", .serialized)
struct LifetimeTests {
  /// A part that outlived its process would act next to the next one, here on a test's next phone.
  @Test func `go with its process`() throws {
    let rig = try AppRig(Town.day())
    rig.setUp(Town.dayZones)
    rig.run(for: .minutes(1))
    weak let app = rig.app
    weak let conditions = rig.app.conditions
    weak let engine = rig.app.engine
    weak let page = rig.app.page
    #expect(app != nil && conditions != nil && engine != nil && page != nil)
    rig.phone.crash()
    rig.run(for: .seconds(1))
    #expect(app == nil && conditions == nil && engine == nil && page == nil)
  }
  @Test func `go with their phone`() throws {
    weak var app: AlarmClock?
    weak var conditions: Conditions?
    func live() throws {
      let rig = try AppRig(Town.day())
      rig.setUp(Town.dayZones)
      rig.run(for: .hours(3))
      (app, conditions) = (rig.app, rig.app.conditions)
      #expect(app != nil && conditions != nil)
    }
    try live()
    #expect(app == nil && conditions == nil)
  }
}
