import AlarmEngine
import Foundation

#if canImport(UIKit)
  import AVFAudio
#else
  import AppleTwins
#endif

/// The app's own sound of an alarm, which sounds while its process runs: on the playback category, so through the ring
/// switch, and beside the sound of others, which iOS demands of what begins in the background.
///
/// In the pause between two repeats the player goes on at volume 0. iOS suspends a process that plays nothing, and the next
/// repeat would not come.
@MainActor
final class AlarmSound {
  /// Soft, and heard all the same; as on the page and on Android.
  static let softest: Float = 0.1
  static let rise = TimeSpan.seconds(20)
  private static let step = TimeSpan.milliseconds(500)

  private var player: AVAudioPlayer?
  private var file: URL?
  private var cancelEnd: () -> Void = {}
  private var cancelRise: () -> Void = {}
  private(set) var isHeard = false

  /// Plays in place of what plays now.
  ///
  /// - Parameter isRising: from soft to full within 20 s.
  func play(_ file: URL, for length: TimeSpan, isRising: Bool) {
    if file != self.file { stop() }
    if player == nil { begin(file) }
    guard player != nil else { return }
    isHeard = true
    goOn(for: length)
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

  /// What is heard goes on for so long from now; then there is a pause.
  func goOn(for length: TimeSpan) {
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

  /// Louder by the same factor in the same time, as ears want it.
  private func rise(from began: TimeSpan) {
    let part = min(1, (Platform.uptime - began).seconds / Self.rise.seconds)
    player?.volume = pow(Self.softest, Float(1 - part))
    guard part < 1 else { return }
    cancelRise = Platform.after(Self.step) { [weak self] in self?.rise(from: began) }
  }
}
