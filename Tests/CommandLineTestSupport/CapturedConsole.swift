import CommandLineSupport
import Foundation
import TestSupport

/// A console that keeps input and output in memory, and files that live as long as the test.
package final class CapturedConsole {
  private final class Bytes {
    package var output: [UInt8] = []
    package var messages: [UInt8] = []
  }
  private let bytes = Bytes()
  package let console: Console

  package init(showsProgress: Bool = false) {
    let bytes = bytes
    console = Console(
      output: { chunk in bytes.output += chunk }, messages: { chunk in bytes.messages += chunk },
      showsProgress: showsProgress)
  }

  package var output: String { String(decoding: bytes.output, as: UTF8.self) }
  package var messages: String { String(decoding: bytes.messages, as: UTF8.self) }
  package var lines: [String] { output.split(separator: "\n").map(String.init) }

  /// Runs one command line of a program to its end.
  package func run(_ program: any Program.Type, _ arguments: [String]) -> Int32 {
    program.run(arguments, on: console)
  }
}

/// A folder for the files of one test; all are removed when the tests end.
package struct TestFolder {
  package let url: URL
  private static let root: URL = {
    atexit { try? FileManager.default.removeItem(at: TestFolder.rootPath) }
    return rootPath
  }()
  private static let rootPath = FileManager.default.temporaryDirectory
    .appendingPathComponent("proximity-tests-\(ProcessInfo.processInfo.processIdentifier)")

  package init() throws {
    url = Self.root.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// - Returns: the path of the new file.
  package func file(_ name: String, _ text: String) throws -> String {
    let file = url.appendingPathComponent(name)
    try Data(text.utf8).write(to: file)
    return file.path
  }
  package func path(_ name: String) -> String { url.appendingPathComponent(name).path }
  package func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: url.appendingPathComponent(name)), as: UTF8.self)
  }
}

/// Small inputs made for tests.
package enum Sample {
  /// The example of the format's description: a corner at 10.5,123.4 and one at 10.6,124.4, outset by 30 m.
  package static let padExample = """
    AlertZoneStart,,,
    AlertZoneName,A name,,
    AlertZoneCategory,A Category,,
    AlertZoneActive, 1
    AlertZoneVibrate, 0
    AlertZonePriority,10,,
    AlertZoneSleepTime,50.0,,
    AlertZoneSize,60.0,,
    AlertZoneInset,-30.0,,
    AlertDistance,10.0
    AlertZoneSoundName,homer,,
    Location,1,10.5,123.4
    Location,2,10.4,123.6
    Location,3,10.4,124.2
    Location,4,10.5,124.4
    Location,5,10.6,124.4
    AlertZoneEnd,,,

    """

  package static func circle(
    _ name: String, _ latitude: Double, _ longitude: Double, size: Double = 100, alert: Double = 0
  ) -> String {
    """
    AlertZoneStart,,,
    AlertZoneName,\(name),,
    AlertZoneActive,1
    AlertZoneSize,\(size)
    AlertDistance,\(alert)
    Location,1,\(latitude),\(longitude)
    AlertZoneEnd,,,

    """
  }

  /// A walk due east along 52° N at 13° E, a fix every ten seconds, 0.0002° (13.7 m) a step.
  package static func walk(steps: Int = 60) -> String {
    var gpx =
      "<?xml version=\"1.0\"?><gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>\n"
    for step in 0..<steps {
      let longitude = 13 + Double(step) * 0.0002
      gpx +=
        "<trkpt lat=\"52\" lon=\"\(longitude)\"><time>2026-05-01T08:\(two(step * 10 / 60)):\(two(step * 10 % 60))Z</time></trkpt>\n"
    }
    return gpx + "</trkseg></trk></gpx>\n"
  }
  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
