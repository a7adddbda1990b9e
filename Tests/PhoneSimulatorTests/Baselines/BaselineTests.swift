import AlarmEngine
import Geometry
import PhoneSimulator
import TestSupport
import Testing

/// The commands of the rebuilt policies, event by event. One circle of 150 m, 5 km down the road.
@Suite("Policies of others: what they ask")
struct BaselineTests {
  private static let zones = [Road.zone(at: 5000, radius: 150)]

  private static func surroundings(_ zones: [Zone] = zones) -> Surroundings {
    Timeline(device: DeviceID(rawValue: 1), settings: .phone, zones: zones).surroundings(at: Road.start)
  }

  private static func fix(_ metres: Double, at seconds: Double, accuracy: Double = 10, speed: Double? = nil)
    -> Fix
  {
    Fix(
      position: Road.place(metres), accuracy: .radius(.metres(accuracy)), measuredAt: Road.at(seconds),
      speed: speed.map { .metresPerSecond($0) })
  }

  private static func started(_ capabilities: Capabilities = .suspended) -> WatchEvent {
    .started(.person, capabilities: capabilities, lastKnown: nil)
  }

  private func fences(_ commands: [WatchCommand]) -> [Fence]? {
    commands.lazy.compactMap { if case .fences(let fences) = $0 { fences } else { nil } }.first
  }
  private func session(_ commands: [WatchCommand]) -> Session? {
    commands.lazy.compactMap { if case .session(let session) = $0 { session } else { nil } }.first
  }

  // MARK: C4, C10, C13

  @Test func `C4 asks each period, counted from asking to asking, whatever comes of it`() {
    var policy = PeriodicFixes(.every(.seconds(60)))
    let zones = Self.surroundings()
    let asks: [WatchCommand] = [.timer(Road.at(60)), .requestFix(.best, within: .seconds(30))]
    #expect(policy.handle(Self.started(.timed), at: Road.at(0), zones: zones) == asks)
    #expect(policy.handle(.fix(Self.fix(0, at: 20)), at: Road.at(20), zones: zones).isEmpty)
    #expect(policy.causes == [.position(Self.fix(0, at: 20))])
    #expect(policy.handle(.timer, at: Road.at(60), zones: zones).first == .timer(Road.at(120)))
    #expect(policy.handle(.fixFailed, at: Road.at(90), zones: zones).isEmpty)
  }

  @Test
  func
    `C10 sleeps the way to the edge at 100 m/s, one minute to two hours, and takes no position over five minutes old`()
  {
    let zones = Self.surroundings([Road.zone(at: 20_150, radius: 150)])
    var policy = PeriodicFixes(.byDistanceToEdge)
    let known = Self.fix(0, at: -290)
    let start = WatchEvent.started(.person, capabilities: .timed, lastKnown: known)
    #expect(policy.handle(start, at: Road.at(0), zones: zones) == [.timer(Road.at(200))])
    #expect(policy.causes == [.position(known)])
    #expect(
      policy.handle(.fix(Self.fix(19_000, at: 200)), at: Road.at(200), zones: zones) == [.timer(Road.at(260))]
    )
    let old = policy.handle(.fix(Self.fix(0, at: 0)), at: Road.at(301), zones: zones)
    #expect(old == [.timer(nil), .requestFix(.best, within: .seconds(30))])
    #expect(policy.causes.isEmpty)
  }

  @Test func `C13 sleeps the way to the line at 40 m/s`() {
    var policy = PeriodicFixes(.naiveSafePeriod)
    let zones = Self.surroundings()
    let commands = policy.handle(.fix(Self.fix(850, at: 7)), at: Road.at(7), zones: zones)
    guard case .timer(let due?)? = commands.first else {
      Issue.record("no timer")
      return
    }
    #expect(abs((due - Road.at(7)).seconds - 100) < 0.01)
  }

  // MARK: C7

  @Test func `C7 lays one region round a large zone and three round a small one, no more than twenty`() throws
  {
    let large = Road.zone(at: 5000, radius: 150)
    var small = (0..<12).map { number -> Zone in
      Zone.valid(
        id: ZoneID(rawValue: UInt64(100 + number)), name: "small", size: .metres(40),
        outline: .locations([Road.place(6000 + Double(number) * 1000)]))
    }
    small.append(large)
    let zones = Self.surroundings(small)
    var policy = PlatformRegions()
    _ = policy.handle(Self.started(), at: Road.at(0), zones: zones)
    let laid = try #require(
      fences(policy.handle(.fix(Self.fix(0, at: 1)), at: Road.at(1), zones: zones)))
    // One for the large zone, and three for each of six small ones.
    #expect(laid.count == 19)
    #expect(Set(laid.map(\.id)).count == 19)
    #expect(laid.count { abs($0.radius.metres - 150) < 0.5 } == 1)
    let circles = laid.filter { $0.radius == .metres(100) }
    #expect(circles.count == 18)
    for circle in circles.prefix(3) {
      #expect(abs(circle.center.distance(to: Road.place(6000)).metres - 60) < 0.5)
    }
  }

  @Test
  func
    `C7 rings for the zone entered if its fix may be in it, not more than once in 30 s, and trusting at once`()
    throws
  {
    let zones = Self.surroundings()
    for trusts in [false, true] {
      var policy = PlatformRegions(trusts: trusts)
      _ = policy.handle(Self.started(), at: Road.at(0), zones: zones)
      let laid = try #require(fences(policy.handle(.fix(Self.fix(0, at: 1)), at: Road.at(1), zones: zones)))
      let id = laid[0].id
      let asks = policy.handle(.fenceEntered(id), at: Road.at(100), zones: zones)
      #expect(asks == [.holdBackground, .requestFix(.hundredMetres, within: .seconds(10))])
      #expect(policy.causes == (trusts ? [.word(zone: ZoneSlot(0))] : []))
      #expect(policy.handle(.fenceEntered(id), at: Road.at(129), zones: zones).isEmpty)
      let near = Self.fix(4800, at: 101, accuracy: 65)
      _ = policy.handle(.fix(near), at: Road.at(130), zones: zones)
      #expect(policy.causes == (trusts ? [] : [.near(zone: ZoneSlot(0), near)]))
      // Too coarse to judge by, with no further request.
      _ = policy.handle(.fenceEntered(id), at: Road.at(200), zones: zones)
      _ = policy.handle(.fix(Self.fix(4800, at: 201, accuracy: 1501)), at: Road.at(201), zones: zones)
      #expect(policy.causes.isEmpty)
      _ = policy.handle(.fenceExited(id), at: Road.at(300), zones: zones)
      #expect(policy.causes == [.left(zone: ZoneSlot(0))])
    }
  }

  @Test func `C7 is in a small zone only inside all its three circles`() throws {
    let zones = Self.surroundings([Road.zone(at: 5000, radius: 40)])
    var policy = PlatformRegions(trusts: true)
    _ = policy.handle(Self.started(), at: Road.at(0), zones: zones)
    let laid = try #require(fences(policy.handle(.fix(Self.fix(0, at: 1)), at: Road.at(1), zones: zones)))
    try #require(laid.count == 3)
    for fence in laid {
      #expect(policy.causes.isEmpty)
      _ = policy.handle(.fenceEntered(fence.id), at: Road.at(100), zones: zones)
    }
    #expect(policy.causes == [.word(zone: ZoneSlot(0))])
  }

  // MARK: C8

  @Test(arguments: [(1000.0, 1), (2000, 2)])
  func `C8 watches zones within its radius and itself, and rings at the platform's word`(
    _ radius: Double, _ fencesLaid: Int
  ) throws {
    var parameters = InfiniteGeofencing.Parameters()
    parameters.proximityRadius = .metres(radius)
    var policy = InfiniteGeofencing(parameters: parameters)
    let zones = Self.surroundings()
    _ = policy.handle(Self.started(), at: Road.at(0), zones: zones)
    let laid = try #require(
      fences(policy.handle(.fix(Self.fix(3500, at: 1, accuracy: 65)), at: Road.at(1), zones: zones)))
    #expect(laid.count == fencesLaid)
    let own = try #require(laid.last)
    #expect(own.id == .movement && own.radius == .metres(200) && !own.onEntry)
    _ = policy.handle(.fenceEntered(FenceID(zone: Road.id)), at: Road.at(100), zones: zones)
    #expect(policy.causes == [.word(zone: ZoneSlot(0))])
    // Positions do not ring.
    _ = policy.handle(.fix(Self.fix(5000, at: 101)), at: Road.at(101), zones: zones)
    #expect(policy.causes.isEmpty)
  }

  @Test
  func
    `C8 follows once it leaves its fence, with fewer updates the faster, and stands after five minutes without movement`()
    throws
  {
    var policy = InfiniteGeofencing()
    let zones = Self.surroundings()
    _ = policy.handle(Self.started(), at: Road.at(0), zones: zones)
    _ = policy.handle(.fix(Self.fix(0, at: 1)), at: Road.at(1), zones: zones)
    let moves = policy.handle(.fenceExited(.movement), at: Road.at(50), zones: zones)
    #expect(session(moves) == Session(accuracy: .best))
    #expect(moves.contains(.timer(Road.at(110))))
    let fast = policy.handle(.fix(Self.fix(300, at: 55, speed: 14)), at: Road.at(55), zones: zones)
    #expect(session(fast)?.distanceFilter == .metres(30))
    #expect(fences(fast)?.last?.center == Road.place(300))
    #expect(fences(policy.handle(.timer, at: Road.at(115), zones: zones)) != nil)
    _ = policy.handle(.fix(Self.fix(310, at: 300, speed: 0)), at: Road.at(300), zones: zones)
    let stands = policy.handle(.timer, at: Road.at(356), zones: zones)
    #expect(stands.contains(.endSession) && stands.contains(.timer(nil)))
    #expect(fences(stands)?.last?.center == Road.place(310))
  }

  @Test(arguments: [(18, false), (19, true)])
  func `C8 wants significant changes only with more than 18 zones`(_ count: Int, _ wants: Bool) {
    let many = (0..<count).map { number in
      Zone.valid(
        id: ZoneID(rawValue: UInt64(number)), name: "z", size: .metres(100),
        outline: .locations([Road.place(Double(number) * 500)]))
    }
    var policy = InfiniteGeofencing()
    let commands = policy.handle(Self.started(), at: Road.at(0), zones: Self.surroundings(many))
    #expect(commands.contains(.significantChanges(wants)))
  }

  // MARK: C11

  @Test func `C11 asks each 150 s while moving, and lays a bubble once it has stayed within 70 m for 140 s`()
    throws
  {
    var policy = ResponsiveTracking()
    let zones = Self.surroundings()
    let start = policy.handle(Self.started(), at: Road.at(0), zones: zones)
    #expect(session(start) == Session(accuracy: .threeKilometres, distanceFilter: .metres(3000)))
    #expect(start.contains(.timer(Road.at(150))))
    _ = policy.handle(.fix(Self.fix(0, at: 5, accuracy: 65)), at: Road.at(5), zones: zones)
    #expect(policy.causes == [.position(Self.fix(0, at: 5, accuracy: 65))])
    let asks = policy.handle(.timer, at: Road.at(150), zones: zones)
    #expect(asks == [.requestFix(.hundredMetres, within: .seconds(20)), .timer(Road.at(300))])
    let stops = policy.handle(.fix(Self.fix(60, at: 155, accuracy: 65)), at: Road.at(155), zones: zones)
    #expect(stops.contains(.endSession))
    let laid = try #require(fences(stops))
    #expect(laid.map(\.id) == [FenceID(zone: Road.id), .movement])
    #expect(laid[1].radius == .metres(100))
    #expect(session(policy.handle(.fenceExited(.movement), at: Road.at(900), zones: zones)) != nil)
  }

  @Test func `C11 rejects fixes of a kilometre and more`() {
    var policy = ResponsiveTracking()
    let zones = Self.surroundings()
    _ = policy.handle(Self.started(), at: Road.at(0), zones: zones)
    #expect(
      policy.handle(.fix(Self.fix(5000, at: 5, accuracy: 1000)), at: Road.at(5), zones: zones).isEmpty)
    #expect(policy.causes.isEmpty)
    _ = policy.handle(.fix(Self.fix(5000, at: 5, accuracy: 999)), at: Road.at(5), zones: zones)
    #expect(policy.causes.count == 1)
  }

  // MARK: C12

  @Test
  func `C12 tracks until ten minutes within 100 m, waits behind 100 m, and tracks again once it left them`() {
    var policy = DutyCycle()
    let zones = Self.surroundings()
    #expect(session(policy.handle(Self.started(), at: Road.at(0), zones: zones))?.accuracy == .best)
    _ = policy.handle(.fix(Self.fix(0, at: 0)), at: Road.at(0), zones: zones)
    let moved = policy.handle(.fix(Self.fix(150, at: 100)), at: Road.at(100), zones: zones)
    #expect(moved == [.timer(Road.at(700))])
    #expect(policy.handle(.fix(Self.fix(240, at: 300)), at: Road.at(300), zones: zones).isEmpty)
    let waits = policy.handle(.timer, at: Road.at(700), zones: zones)
    #expect(waits.contains(.endSession))
    #expect(fences(waits)?.first?.radius == .metres(100) && fences(waits)?.first?.center == Road.place(240))
    #expect(session(policy.handle(.fenceExited(.movement), at: Road.at(5000), zones: zones)) != nil)
  }

  @Test func `C12 uses no position coarser than 200 m`() {
    var policy = DutyCycle()
    let zones = Self.surroundings()
    _ = policy.handle(Self.started(), at: Road.at(0), zones: zones)
    _ = policy.handle(.fix(Self.fix(5000, at: 5, accuracy: 201)), at: Road.at(5), zones: zones)
    #expect(policy.causes.isEmpty)
    _ = policy.handle(.fix(Self.fix(5000, at: 6, accuracy: 200)), at: Road.at(6), zones: zones)
    #expect(policy.causes.count == 1)
  }
}
