import AlarmEngine
import Store

/// What is true in a simulated world, known without asking the server.
struct ServerWorld {
  /// Spots lie on a circle of 2 km, so that the way from one to another touches no third one's zone.
  static let spots = 8

  struct Phone {
    let number: Int
    let id: DeviceID
    let token: String
    var isArmed = true
    var interval: TimeSpan?
    var spot: Int
    /// The time of its last position, by the true clock.
    var heardAt: TimeSpan?
    /// The time of the last post whose position was an earlier one.
    var reportedAt = TimeSpan.zero
    /// Since when all its fixes are from `spot`.
    var there: TimeSpan?
    /// Of its last fix before it came to `spot`: it was on the way since.
    var leftAt: TimeSpan?
    /// Whether two fixes said that it was where it came from: one alone ends no alarm.
    var wasElsewhere = true
    /// When it was armed or disarmed last.
    var switchedAt = TimeSpan.zero
    /// Of its last fix but one at this spot.
    var secondFixAt: TimeSpan?
  }

  struct Zone {
    let number: Int
    let id: ZoneID
    var spot: Int
    var isActive = true
    /// Nil: rings on entering.
    var dwell: TimeSpan?
    var editedAt: TimeSpan
  }

  struct Channel {
    let name: String
    let step: Int
    let madeAt: TimeSpan
    var isBroken = false
    /// When it was broken or mended last.
    var turnedAt: TimeSpan?
  }

  /// The true time at its beginning.
  let start: Instant
  var phones: [Phone] = []
  var zones: [Zone] = []
  var channels: [Channel] = []
  var cycle = TimeSpan.seconds(10)
  /// When settings of the account were changed last.
  var settingsAt = TimeSpan.zero
  /// When the server started last, or its machine slept.
  var awakeAt = TimeSpan.zero
  /// When any of its processes was started last: that one asks for a moment whether another was there meanwhile.
  var startedAt = TimeSpan.zero
  /// When the server's clock was set last, and when it was set back last.
  var clockSetAt: TimeSpan?
  /// Whether it is wrong: phones seem to send what they kept, or to be ahead.
  var clockIsWrong = false
  var clockSetBackAt: TimeSpan?
  /// When a position arrived last that was earlier than others: the beat of an alarm may have moved with its beginning.
  var lateAt: TimeSpan?
  /// When the server was last down, from its stop.
  var downAt: TimeSpan?

  init(start: Instant) { self.start = start }

  /// - Parameter isBeside: 200 m outwards, beyond the spot's zone.
  static func place(_ spot: Int, isBeside: Bool = false) -> (latitude: Double, longitude: Double) {
    // 2 km in eighths of a circle, around Ljubljana.
    let north: [Double] = [2000, 1414, 0, -1414, -2000, -1414, 0, 1414]
    let east: [Double] = [0, 1414, 2000, 1414, 0, -1414, -2000, -1414]
    let reach = isBeside ? 1.1 : 1
    return (46.05 + reach * north[spot] / 111_170, 14.5 + reach * east[spot] / 77_400)
  }
}
