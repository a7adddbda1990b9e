import AlarmEngine
import Foundation
import PhoneHost

#if canImport(UIKit)
  import AVFAudio
#else
  import AppleFakes
#endif

/// The app's own alarm sound, which plays while the process runs. It uses the playback category, so the ring
/// switch does not silence it. It mixes with the sound of other apps, which iOS requires of playback that
/// begins in the background.
///
/// In the pause between two repeats the player continues at volume 0. iOS suspends a process that plays
/// nothing, and the next repeat would not come.
@MainActor
final class AlarmSound {
  private static let step = TimeSpan.milliseconds(500)

  private var player: AVAudioPlayer?
  private var file: URL?
  private var cancelEnd: () -> Void = {}
  private var cancelRise: () -> Void = {}
  private(set) var isHeard = false

  /// Plays a file instead of the present one.
  ///
  /// - Parameter isRising: whether the volume rises from soft to full.
  func play(_ file: URL, for length: TimeSpan, isRising: Bool) {
    if file != self.file { stop() }
    if player == nil { begin(file) }
    guard player != nil else { return }
    isHeard = true
    prolong(by: length)
    cancelRise()
    if isRising { rise(from: Platform.uptime) } else { player?.volume = 1 }
  }

  private func begin(_ file: URL) {
    try? AVAudioSession.sharedInstance().setCategory(.playback, mode: .default, options: [.duckOthers])
    try? AVAudioSession.sharedInstance().setActive(true)
    guard let player = try? AVAudioPlayer(contentsOf: file) else { return }
    player.numberOfLoops = -1
    player.volume = 0
    player.play()
    (self.player, self.file) = (player, file)
  }

  /// Continues the sound for `length` from now, then pauses it.
  func prolong(by length: TimeSpan) {
    cancelEnd()
    cancelEnd = Platform.after(length) { [weak self] in self?.pause() }
  }

  func pause() {
    cancelEnd()
    cancelRise()
    isHeard = false
    player?.volume = 0
  }

  func stop() {
    pause()
    guard let player else { return }
    player.stop()
    (self.player, file) = (nil, nil)
    try? AVAudioSession.sharedInstance().setActive(false, options: [.notifyOthersOnDeactivation])
  }

  private func rise(from began: TimeSpan) {
    let loudness = SoundPlan.loudness(since: Platform.uptime - began)
    player?.volume = Float(loudness) / 1_000_000
    guard loudness < 1_000_000 else { return }
    cancelRise = Platform.after(Self.step) { [weak self] in self?.rise(from: began) }
  }
}
