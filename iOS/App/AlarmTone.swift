import Foundation

/// The default sound of alarms: two alternating tones at the full level of the file. It is written once, to
/// the folder where notifications, system alarms and the app's own player find it.
@MainActor
enum AlarmTone {
  nonisolated static let name = "alarm.wav"
  private static let rate = 22_050.0
  /// The number of repetitions of 0.9 s each. Notifications play up to 30 s.
  private static let turns = 30

  /// Returns the file name for a zone's sound: a person's own of that name, the app's, else this tone.
  static func file(named sound: String) -> String { place(of: sound)?.lastPathComponent ?? tone }

  private static var tone: String {
    _ = url
    return name
  }

  /// Returns the file of a sound; nil if this phone has none of that name.
  static func place(of sound: String) -> URL? {
    guard isName(sound) else { return nil }
    return [Platform.soundFolder, Platform.bundledSounds].map { $0.appendingPathComponent("\(sound).wav") }
      .first { FileManager.default.fileExists(atPath: $0.path) }
  }

  /// Stores a person's own alarm sound; empty bytes remove it.
  static func keep(_ sound: Data, named name: String) -> Bool {
    guard isName(name) else { return false }
    let file = Platform.soundFolder.appendingPathComponent("\(name).wav")
    try? FileManager.default.createDirectory(at: Platform.soundFolder, withIntermediateDirectories: true)
    if sound.isEmpty { return (try? FileManager.default.removeItem(at: file)) != nil }
    return (try? sound.write(to: file, options: .atomic)) != nil
  }

  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && !name.contains("/") && !name.hasPrefix(".") && name.utf8.count <= 100
  }

  /// The file of the tone; nil if it cannot be written.
  static var url: URL? {
    let file = Platform.soundFolder.appendingPathComponent(name)
    if FileManager.default.fileExists(atPath: file.path) { return file }
    try? FileManager.default.createDirectory(at: Platform.soundFolder, withIntermediateDirectories: true)
    return (try? wave.write(to: file, options: .atomic)) == nil ? nil : file
  }

  /// RIFF WAVE, 16 bits, one channel: 415 Hz and 311 Hz with their first harmonics, 0.45 s each, as the
  /// page's Klaxon.
  static var wave: Data {
    // Each tone ends in silence, so that the same turn can be repeated.
    let turn = (0..<Int(0.9 * rate)).map { place in
      let time = Double(place) / rate
      let (pitch, since) = time < 0.45 ? (415.0, time) : (311.0, time - 0.45)
      let edge = max(0, min(1, min(since / 0.006, (0.4 - since) / 0.02)))
      var value = 0.0
      for (ratio, share) in [(1.0, 1.0), (2, 0.5), (3, 0.4), (4, 0.25)] {
        value += share * sin(2 * .pi * pitch * ratio * since)
      }
      // The sum of the four is at most 1.592.
      return Int16(max(-1, min(1, value / 1.6 * 0.95 * edge)) * 32_767).littleEndian
    }
    let bytes = turn.withUnsafeBytes { Data($0) }
    let count = turn.count * turns
    var data = Data()
    func text(_ text: String) { data.append(contentsOf: text.utf8) }
    func number<N: FixedWidthInteger>(_ number: N) {
      withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
    }
    text("RIFF")
    number(UInt32(36 + 2 * count))
    text("WAVEfmt ")
    number(UInt32(16))
    number(UInt16(1))
    number(UInt16(1))
    number(UInt32(rate))
    number(UInt32(rate) * 2)
    number(UInt16(2))
    number(UInt16(16))
    text("data")
    number(UInt32(2 * count))
    for _ in 0..<turns { data.append(bytes) }
    return data
  }
}
