import AlarmEngine
import Foundation
import PhoneSimulator

/// The system's alarms of one application: they ring through silent mode whether it runs or not.
@MainActor
public final class SystemAlarms {
  /// An alarm that began to sound.
  public struct Rung: Hashable, Sendable {
    public let time: Instant
    public let id: UUID
    public let title: String
  }

  /// All alarms that ever sounded.
  public private(set) var rung: [Rung] = []
  /// The alarms that sound now.
  public var sounding: [UUID] { all.filter { $0.state == .alerting }.map(\.id) }
  /// The alarms that are scheduled, with their times.
  public var planned: [(id: UUID, at: Date)] {
    all.compactMap { alarm in
      guard alarm.state == .scheduled, case .fixed(let date)? = alarm.schedule else { return nil }
      return (alarm.id, date)
    }
  }
  private(set) var all: [Alarm] = [] {
    didSet { if all != oldValue { listener?.yield(all) } }
  }
  /// Belongs to the running process.
  private var listener: AsyncStream<[Alarm]>.Continuation?

  func updates() -> AsyncStream<[Alarm]> {
    listener?.finish()
    let (stream, continuation) = AsyncStream.makeStream(of: [Alarm].self)
    listener = continuation
    return stream
  }

  private var planning = 0
  private var plans: [UUID: Int] = [:]

  nonisolated init() {}

  /// - Throws: where one of that id is there already, which Apple does not describe; the application is not to rely on it.
  func schedule(_ id: UUID, _ schedule: Alarm.Schedule?, title: String) throws -> Alarm {
    let alarm = Alarm(id: id, schedule: schedule, state: .scheduled)
    guard FakePhone.isRunning, case .fixed(let date)? = schedule else { return alarm }
    guard !all.contains(where: { $0.id == id }) else { throw AlarmManager.AlarmError.maximumLimitReached }
    all.append(alarm)
    planning += 1
    let plan = planning
    plans[id] = plan
    let wait = date.timeIntervalSince1970 - FakePhone.wallClock
    FakePhone.after(wait) { [weak self] in
      guard let self, plans[id] == plan, let place = all.firstIndex(where: { $0.id == id }) else { return }
      guard Phone.current?.isOn ?? false else {
        all.remove(at: place)
        return
      }
      all[place].state = .alerting
      rung.append(Rung(time: FakePhone.now, id: id, title: title))
      Phone.current?.show(title)
    }
    return alarm
  }

  func remove(_ id: UUID) throws {
    guard FakePhone.isRunning else { return }
    guard all.contains(where: { $0.id == id }) else { throw AlarmManager.Refusal.unknownAlarm }
    all.removeAll { $0.id == id }
    plans[id] = nil
  }

  /// A person presses Stop, or a button of the phone.
  public func stop(_ id: UUID) {
    all.removeAll { $0.id == id }
    plans[id] = nil
  }
}
