import AlarmEngine
import Store

/// The truth in a simulated world, known without asking the server.
struct ServerWorld {
  /// Spots lie on a circle of 2 km, so that the way between two does not touch another spot's zone.
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
    /// The time of the last post with an earlier position.
    var reportedAt = TimeSpan.zero
    /// The time since which all its fixes are from `spot`.
    var there: TimeSpan?
    /// The time of its last fix before it came to `spot`; it was on the way from then on.
    var leftAt: TimeSpan?
    /// True if two fixes confirmed the previous spot: one alone ends no alarm.
    var wasElsewhere = true
    /// The time at which it was last armed or disarmed.
    var switchedAt = TimeSpan.zero
    /// The time of its last fix but one at this spot.
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
    /// The time at which it was last broken or repaired.
    var turnedAt: TimeSpan?
  }

  /// The true time at the beginning.
  let start: Instant
  var phones: [Phone] = []
  var zones: [Zone] = []
  var channels: [Channel] = []
  var cycle = TimeSpan.seconds(10)
  /// The time at which the account's settings were last changed.
  var settingsAt = TimeSpan.zero
  /// The time at which the server last started, or its machine last woke up.
  var awakeAt = TimeSpan.zero
  /// The time at which a process last started; it asks for a moment whether another was running meanwhile.
  var startedAt = TimeSpan.zero
  /// The time at which the server's clock was last set; `clockSetBackAt`: last set back.
  var clockSetAt: TimeSpan?
  /// True if the server's clock is wrong: phones seem to send old positions, or to be ahead.
  var clockIsWrong = false
  var clockSetBackAt: TimeSpan?
  /// The time at which a position last arrived after later ones: an alarm's repeats may have moved with its
  /// beginning.
  var lateAt: TimeSpan?
  /// The time of the server's last stop.
  var downAt: TimeSpan?

  init(start: Instant) { self.start = start }

  /// - Parameter isBeside: true for a place 200 m farther out, beyond the spot's zone.
  static func place(_ spot: Int, isBeside: Bool = false) -> (latitude: Double, longitude: Double) {
    // Eight places on a circle of 2 km around Ljubljana.
    let north: [Double] = [2000, 1414, 0, -1414, -2000, -1414, 0, 1414]
    let east: [Double] = [0, 1414, 2000, 1414, 0, -1414, -2000, -1414]
    let reach = isBeside ? 1.1 : 1
    return (46.05 + reach * north[spot] / 111_170, 14.5 + reach * east[spot] / 77_400)
  }
}
