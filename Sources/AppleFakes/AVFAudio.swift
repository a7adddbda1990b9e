import Foundation
import PhoneSimulator

/// https://developer.apple.com/documentation/avfaudio/avaudiosession
public final class AVAudioSession: Sendable {
  private static let shared = AVAudioSession()
  /// https://developer.apple.com/documentation/avfaudio/avaudiosession/sharedinstance()
  public static func sharedInstance() -> AVAudioSession { shared }
  /// https://developer.apple.com/documentation/avfaudio/avaudiosession/category-swift.struct
  public struct Category: Hashable, Sendable {
    let name: String
    public static let playback = Self(name: "playback")
  }
  /// https://developer.apple.com/documentation/avfaudio/avaudiosession/mode-swift.struct
  public struct Mode: Hashable, Sendable {
    let name: String
    public static let `default` = Self(name: "default")
  }
  /// https://developer.apple.com/documentation/avfaudio/avaudiosession/categoryoptions-swift.struct
  public struct CategoryOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let duckOthers = Self(rawValue: 2)
  }
  /// https://developer.apple.com/documentation/avfaudio/avaudiosession/setactiveoptions
  public struct SetActiveOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let notifyOthersOnDeactivation = Self(rawValue: 1)
  }
  /// https://developer.apple.com/documentation/avfaudio/avaudiosession/setcategory(_:mode:options:)
  public func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {}
  /// https://developer.apple.com/documentation/avfaudio/avaudiosession/setactive(_:options:)
  public func setActive(_ active: Bool, options: SetActiveOptions = []) throws {}
}

/// https://developer.apple.com/documentation/avfaudio/avaudioplayer
///
/// Heard only while the process runs; ``FakePhone/sounding`` says what was.
public final class AVAudioPlayer {
  private let file: URL
  /// https://developer.apple.com/documentation/avfaudio/avaudioplayer/numberofloops
  public var numberOfLoops = 0
  /// https://developer.apple.com/documentation/avfaudio/avaudioplayer/volume
  public var volume: Float = 1 { didSet { if isPlaying { note() } } }
  /// https://developer.apple.com/documentation/avfaudio/avaudioplayer/isplaying
  public private(set) var isPlaying = false
  /// https://developer.apple.com/documentation/avfaudio/avaudioplayer/init(contentsof:)
  public init(contentsOf file: URL) throws {
    _ = try Data(contentsOf: file)
    self.file = file
  }
  /// https://developer.apple.com/documentation/avfaudio/avaudioplayer/play()
  @discardableResult
  public func play() -> Bool {
    nonisolated(unsafe) let player = self
    return MainActor.assumeIsolated {
      guard FakePhone.isRunning, !player.isPlaying else { return false }
      player.isPlaying = true
      FakePhone.current.sounding.append(.init(began: FakePhone.now, file: player.file, player: player))
      player.note()
      return true
    }
  }
  private func note() {
    nonisolated(unsafe) let player = self
    MainActor.assumeIsolated {
      let fake = FakePhone.current
      guard FakePhone.isRunning, let place = fake.sounding.lastIndex(where: { $0.player === player }) else {
        return
      }
      fake.sounding[place].volumes.append((FakePhone.now, player.volume))
    }
  }
  /// https://developer.apple.com/documentation/avfaudio/avaudioplayer/stop()
  public func stop() {
    isPlaying = false
    nonisolated(unsafe) let player = self
    MainActor.assumeIsolated {
      let fake = FakePhone.current
      for place in fake.sounding.indices where fake.sounding[place].player === player {
        if fake.sounding[place].ended == nil { fake.sounding[place].ended = FakePhone.now }
      }
    }
  }
}
