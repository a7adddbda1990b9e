import AlarmEngine
import Geometry

/// A request to the phone, an answer of it other than a position, or a reading of its hardware. It changes no state: it is
/// in the journal to show later whether the phone did what was requested, how soon, and at what cost.
///
/// A note is on the disk before the platform gets the request. The journal of a killed process may thus end
/// with a request that never reached the phone, but lacks none that did.
public enum WatchNote: Hashable, Sendable {
  /// A process began to watch. Sessions and requests of an earlier one are gone; fences and the wake time may stand.
  case started(WatchEvent.Start)
  case stopped
  /// Continuous positions, in place of an earlier session. `interval`: the least time between two, where the platform is
  /// told one.
  case session(Session, interval: TimeSpan?)
  case sessionEnded
  /// One position, in place of an earlier request.
  case requested(DesiredAccuracy, within: TimeSpan)
  /// The request is over: with a position, or without any.
  case requestEnded(isAnswered: Bool)
  /// New fences and those whose circle changed, and those taken away. After ``started(_:)``, `laid` is all that stand.
  case fences(laid: [Fence], removed: [FenceID])
  case fenceEntered(FenceID)
  case fenceExited(FenceID)
  /// The phone does not watch this fence.
  case fenceFailed(FenceID)
  /// When the process is to be woken, in place of an earlier time; nil: at no time.
  case wake(Instant?)
  case woke
  case significantChanges(Bool)
  case visits(Bool)
  /// The phone is asked to tell each change of its motion, or no longer.
  case motionWatched(Bool)
  /// The motion hardware told this motion. `since`: the time that it stated for the change, if it stated one.
  case motion(Motion, since: Instant?)
  /// Live updates pause because the phone rests, or go on because it moves.
  case liveUpdates(areResting: Bool)
  /// All positions from now on have this source, until the next such note or ``started(_:)``. Without it the source is
  /// unknown, as on iOS.
  case positionSource(PositionSource)
  case battery(BatteryLevel)
}

/// ``WatchNote`` as bytes: the kind in 8 bits and what belongs to it, big-endian. Numbers are added and never changed.
extension WatchNote {
  private enum Kind: UInt8 {
    case started = 0
    case stopped, session, sessionEnded, requested, requestAnswered, requestUnanswered, fences, fenceEntered
    case fenceExited, fenceFailed, wake, woke, significantChanges, visits, sessionUntilMoved
    case motionWatched, motion, liveUpdates, positionSource, battery
  }

  func write(to writer: inout DataWriter) {
    func kind(_ kind: Kind) { writer.byte(kind.rawValue) }
    switch self {
    case .started(let start):
      kind(.started)
      writer.byte(start.rawValue)
    case .stopped: kind(.stopped)
    case .session(let session, _) where session.wakesOnMotion: kind(.sessionUntilMoved)
    case .session(let session, let interval):
      kind(.session)
      writer.byte(session.accuracy.rawValue)
      writer.number(session.distanceFilter?.metres ?? -1)
      writer.flag(session.mayPause)
      writer.span(interval ?? .milliseconds(-1))
    case .sessionEnded: kind(.sessionEnded)
    case .requested(let accuracy, let span):
      kind(.requested)
      writer.byte(accuracy.rawValue)
      writer.span(span)
    case .requestEnded(let isAnswered): kind(isAnswered ? .requestAnswered : .requestUnanswered)
    case .fences(let laid, let removed):
      kind(.fences)
      writer.count(laid.count)
      for fence in laid { writer.fence(fence) }
      writer.count(removed.count)
      for id in removed { writer.word(id.rawValue) }
    case .fenceEntered(let id):
      kind(.fenceEntered)
      writer.word(id.rawValue)
    case .fenceExited(let id):
      kind(.fenceExited)
      writer.word(id.rawValue)
    case .fenceFailed(let id):
      kind(.fenceFailed)
      writer.word(id.rawValue)
    case .wake(let time):
      kind(.wake)
      // Every time may be asked for, also -1 ms.
      writer.flag(time != nil)
      if let time { writer.instant(time) }
    case .woke: kind(.woke)
    case .significantChanges(let wanted):
      kind(.significantChanges)
      writer.flag(wanted)
    case .visits(let wanted):
      kind(.visits)
      writer.flag(wanted)
    case .motionWatched(let wanted):
      kind(.motionWatched)
      writer.flag(wanted)
    case .motion(let motion, let since):
      kind(.motion)
      writer.byte(motion.rawValue)
      // Every time may be stated, also -1 ms.
      writer.flag(since != nil)
      if let since { writer.instant(since) }
    case .liveUpdates(let areResting):
      kind(.liveUpdates)
      writer.flag(areResting)
    case .positionSource(let source):
      kind(.positionSource)
      writer.byte(source.rawValue)
    case .battery(let level):
      kind(.battery)
      writer.number(level.share)
      writer.flag(level.isCharging)
    }
  }

  static func read(_ reader: inout DataReader) throws(DataError) -> WatchNote {
    guard let kind = Kind(rawValue: try reader.byte()) else { throw .unknown }
    switch kind {
    case .started:
      guard let start = WatchEvent.Start(rawValue: try reader.byte()) else { throw .unknown }
      return .started(start)
    case .stopped: return .stopped
    case .session:
      let accuracy = try reader.accuracy()
      let filter = try reader.number()
      let mayPause = try reader.flag()
      let interval = try reader.span()
      guard filter <= 1e8, interval <= longest else { throw .outOfRange }
      return .session(
        Session(accuracy: accuracy, distanceFilter: filter < 0 ? nil : .metres(filter), mayPause: mayPause),
        interval: interval < .zero ? nil : interval)
    case .sessionUntilMoved: return .session(.wakingOnMotion, interval: nil)
    case .sessionEnded: return .sessionEnded
    case .requested:
      let accuracy = try reader.accuracy()
      let span = try reader.span()
      guard (.zero...longest).contains(span) else { throw .outOfRange }
      return .requested(accuracy, within: span)
    case .requestAnswered: return .requestEnded(isAnswered: true)
    case .requestUnanswered: return .requestEnded(isAnswered: false)
    case .fences:
      var laid: [Fence] = []
      for _ in 0..<(try reader.count(ofAtLeast: 34)) { laid.append(try reader.fence()) }
      var removed: [FenceID] = []
      for _ in 0..<(try reader.count(ofAtLeast: 8)) { removed.append(FenceID(rawValue: try reader.word())) }
      return .fences(laid: laid, removed: removed)
    case .fenceEntered: return .fenceEntered(FenceID(rawValue: try reader.word()))
    case .fenceExited: return .fenceExited(FenceID(rawValue: try reader.word()))
    case .fenceFailed: return .fenceFailed(FenceID(rawValue: try reader.word()))
    case .wake: return .wake(try reader.flag() ? try reader.instant() : nil)
    case .woke: return .woke
    case .significantChanges: return .significantChanges(try reader.flag())
    case .visits: return .visits(try reader.flag())
    case .motionWatched: return .motionWatched(try reader.flag())
    case .motion:
      guard let motion = Motion(rawValue: try reader.byte()) else { throw .unknown }
      return .motion(motion, since: try reader.flag() ? try reader.instant() : nil)
    case .liveUpdates: return .liveUpdates(areResting: try reader.flag())
    case .positionSource: return .positionSource(try reader.source())
    case .battery: return .battery(try reader.batteryLevel())
    }
  }

  /// No policy plans further ahead.
  private static var longest: TimeSpan { .hours(24 * 366) }
}

extension DataWriter {
  mutating func fence(_ fence: Fence) {
    word(fence.id.rawValue)
    place(fence.center)
    number(fence.radius.metres)
    flag(fence.onEntry)
    flag(fence.onExit)
  }
}

extension DataReader {
  fileprivate mutating func accuracy() throws(DataError) -> DesiredAccuracy {
    guard let accuracy = DesiredAccuracy(rawValue: try byte()) else { throw .unknown }
    return accuracy
  }
  mutating func source() throws(DataError) -> PositionSource {
    guard let source = PositionSource(rawValue: try byte()) else { throw .unknown }
    return source
  }
  mutating func batteryLevel() throws(DataError) -> BatteryLevel {
    let share = try number()
    guard let level = BatteryLevel(share: share, isCharging: try flag()) else { throw .outOfRange }
    return level
  }
  fileprivate mutating func fence() throws(DataError) -> Fence {
    let id = FenceID(rawValue: try word())
    let center = try place()
    let radius = try number()
    guard (0...1e8).contains(radius) else { throw .outOfRange }
    let onEntry = try flag()
    return Fence(id: id, center: center, radius: .metres(radius), onEntry: onEntry, onExit: try flag())
  }
}
