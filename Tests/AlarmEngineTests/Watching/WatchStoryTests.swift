import AlarmEngine
import Geometry
import TestSupport
import Testing

@Suite("Watch policies: stories")
struct WatchStoryTests {
  @Test
  func `certified, able to wake itself: sleeps the safe time, follows near the zone, rests with the phone`() {
    expectWatch(
      CertifiedWatch(), .timed,
      """
      0:00  start    -> fences none, no slc, no visits, motion, timer 0:31, end session, ask best within 30
      0:08  x 10000  -> timer 3:52
      1:00  walking  -> timer 36:33
      3:00  still    -> timer 363:00
      9:00  walking  -> timer 36:53
      30:03  x 700   -> timer 32:56
      33:01  timer   -> timer 33:12, ask best within 10
      33:06  x 200   -> timer 33:37
      33:41  timer   -> timer 33:52, ask best within 10
      33:43  x 130   -> timer 33:54
      33:53  timer   -> session best, timer 33:59
      33:55  x 80
      34:00  stop    -> no motion, no timer, end session, release
      """)
  }

  @Test func `certified, without a fix: asks again after a while, with the other sensor in turn`() {
    expectWatch(
      CertifiedWatch(), .timed,
      """
      0:00  start    -> fences none, no slc, no visits, motion, timer 0:31, end session, ask best within 30
      0:30  failed   -> timer 0:41, ask hundredMetres within 10
      0:40  failed   -> timer 0:55
      0:55  timer    -> timer 1:06, ask hundredMetres within 10
      1:00  x 10000  -> timer 4:44
      """)
  }

  @Test
  func `certified, suspended: awaits its fence, looks when it was left, keeps a session in the ring, parks`()
  {
    expectWatch(
      CertifiedWatch(), .suspended,
      """
      0:00  start    -> session threeKilometres, fences none, no slc, no visits, motion, timer 0:31, asleep 30:00, ask best within 30
      0:08  x 30000  -> fences movement 21020 1 8920, slc, visits, timer 0:38, state?
      0:10  inside   -> no timer, asleep 720:10, end session
      60:00  exit    -> session threeKilometres, motion, timer 60:31, asleep 90:00, ask best within 30
      60:05  x 8000  -> fences none, timer 63:05
      60:07  still   -> timer 65:07
      65:07  timer   -> fences movement 200 1 786, timer 65:37, state?
      65:09  inside  -> no timer, asleep 785:09, end session
      90:00  exit    -> session threeKilometres, motion, timer 90:31, asleep 120:00, ask best within 30
      90:05  x 5000  -> fences none, timer 91:58
      """)
  }

  @Test func `certified: an impossible place changes nothing until a second one agrees`() {
    expectWatch(
      CertifiedWatch(), .timed,
      """
      0:00  start    -> fences none, no slc, no visits, motion, timer 0:31, end session, ask best within 30
      0:08  x 20000  -> timer 7:35
      0:20  x 90000  -> timer 0:31, ask best within 10
      0:22  x 20010  -> timer 7:49
      """)
  }

  @Test func `tiered: S113, S115, S116 and S120 by distance, S123 by the watchdog`() {
    expectWatch(
      TieredWatch(), .suspended,
      """
      0:00  start      -> session best, fences none, no slc, no visits, no motion, no timer
      0:02  x 9000     -> fences 1 1100, timer 15:02, end session
      15:02  timer     -> timer 30:02
      20:00  enter 1   -> fences none, slc, no timer
      21:00  slc 1000
      22:00  slc 140   -> session best filter 10, no slc
      23:00  x 300     -> slc, end session
      24:00  stop      -> no slc
      """)
  }

  @Test func `tiered: in the background the main text trades continuous updates for significant changes`() {
    expectWatch(
      TieredWatch(parameters: .significantInBackground), .suspended,
      """
      0:00  start       -> session best, fences none, no slc, no visits, no motion, no timer
      0:02  x 120       -> session best filter 10
      0:30  background  -> slc, end session
      1:00  foreground  -> session best filter 10, no slc
      """)
  }

  @Test func `one moving fence: S173 to S183, with ten minutes of background time`() {
    var capabilities = Capabilities.suspended
    capabilities.backgroundTime = .seconds(600)
    expectWatch(
      FenceOnlyWatch(), capabilities,
      """
      0:00  start        -> session bestForNavigation filter 100, fences none, no slc, no visits, no motion, timer 0:45, hold
      0:04  x 9000 ±300  -> fences movement 750, hold
      0:09  x 9000 ±30   -> fences movement 480, end session, hold
      0:45  timer        -> release
      30:00  exit        -> timer 38:45, hold
      38:45  timer       -> session bestForNavigation filter 100, timer 39:30
      39:30  timer       -> fences movement 32480, end session, release
      40:00  foreground  -> session bestForNavigation filter 100, timer 40:45, hold
      41:00  terminate
      """)
  }

  @Test func `one moving fence: S182, and as written a refused fence ends the watch`() {
    expectWatch(
      FenceOnlyWatch(parameters: .asWritten), .suspended,
      """
      0:00  start        -> session bestForNavigation filter 100, fences none, no slc, no visits, no motion, timer 0:45, hold
      0:09  x 9000 ±30   -> fences movement 480, end session, hold
      0:45  timer        -> release
      30:00  exit        -> fences movement 5000, hold
      31:00  exit        -> fences movement 10000, hold
      32:00  foreground  -> session bestForNavigation filter 100, timer 32:45, hold
      32:45  timer       -> fences movement 42000, end session, release
      32:46  refused     -> fences none
      40:00  background
      """)
  }

  @Test func `nearest regions: regions round zones, a fix on entry, tracking where regions do not suffice`() {
    var capabilities = Capabilities.suspended
    capabilities.fences = 2
    let zones = [
      AlarmStory.circle("a", id: 1), AlarmStory.circle("b", east: 3000, id: 2),
      AlarmStory.circle("c", east: 30_000, id: 3),
    ]
    expectWatch(
      NearestRegionsWatch(), zones: zones, capabilities,
      """
      0:00  start       -> fences none, slc, no visits, no motion, no timer, end session, ask best within 30
      0:02  x 9000      -> fences 1 150 2 150
      9:00  enter 2     -> ask best within 30
      9:02  x 3100
      20:00  slc 29000  -> fences 2 150 3 150
      25:00  disarm     -> fences none, no slc
      """)
    capabilities.fences = 1
    expectWatch(
      NearestRegionsWatch(), zones: zones, capabilities,
      """
      0:00  start    -> fences none, slc, no visits, no motion, no timer, end session, ask best within 30
      0:02  x 2000   -> session tenMetres filter 50
      9:00  x 20000  -> fences 3 150, end session
      """)
  }

  @Test func `continuous: one session, with or without a filter`() {
    var parameters = ContinuousWatch.Parameters()
    parameters.distanceFilter = .metres(50)
    parameters.mayPause = true
    expectWatch(
      ContinuousWatch(parameters: parameters), .suspended,
      """
      0:00  start       -> session best filter 50 pausing, fences none, no slc, no visits, no motion, no timer
      0:02  x 9000
      5:00  foreground  -> session best filter 50 pausing
      9:00  disarm      -> end session
      """)
  }
}
