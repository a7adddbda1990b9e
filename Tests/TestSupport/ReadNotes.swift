import AlarmEngine
import PhoneHost

/// The requests to a phone, as reconstructed from its journals.
public struct ReadNotes {
  /// The requests in force at the end.
  public private(set) var session: Session?
  public private(set) var fences: [FenceID: Fence] = [:]
  public private(set) var wake: Instant?
  /// In all processes.
  public private(set) var requests = 0
  public private(set) var launches = 0
  public private(set) var everLaid: Set<FenceID> = []

  /// - Parameter journals: oldest first; a repeated entry counts once.
  public init(_ journals: [[UInt8]]) {
    var last = UInt64(0)
    for journal in journals {
      for (number, entry) in Journal.read(journal).entries where number > last {
        last = number
        if case .noted(let notes) = entry.content { for note in notes { take(note, at: entry.at) } }
      }
    }
  }

  /// - Parameter export: the file that an app exports.
  public init(export: [UInt8]) throws(DataError) {
    self.init(
      try JournalExport.read(export).parts.compactMap {
        if case .journal(let bytes) = $0 { bytes } else { nil }
      })
  }

  private mutating func take(_ note: WatchNote, at now: Instant) {
    switch note {
    case .started:
      launches += 1
      (session, fences, wake) = (nil, [:], nil)
    case .session(let wanted, _): session = wanted
    case .sessionEnded: session = nil
    case .requested: requests += 1
    case .fences(let laid, let removed):
      for fence in laid {
        fences[fence.id] = fence
        everLaid.insert(fence.id)
      }
      for id in removed { fences[id] = nil }
    case .fenceFailed(let id): fences[id] = nil
    case .wake(let time): wake = time
    case .woke: if let time = wake, time <= now { wake = nil }
    case .stopped, .requestEnded, .fenceEntered, .fenceExited, .significantChanges, .visits, .motionWatched,
      .motion,
      .liveUpdates, .positionSource, .battery:
      break
    }
  }
}
