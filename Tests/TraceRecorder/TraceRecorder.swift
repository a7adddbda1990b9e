import Formats
import Foundation

/// Writes traces, and the native engine's results for them, into a folder for `Tests/Wasm` to compare;
/// files of zones, and the native reader's answers, into a folder of that name with `-files` behind it.
@main
struct TraceRecorder {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
    guard arguments.count == 1 || arguments.count == 3 else {
      FileHandle.standardError.write(Data("usage: TraceRecorder FOLDER [TRACK ZONES.pad]\n".utf8))
      exit(2)
    }
    let folder = arguments[0]
    if arguments.count == 3 {
      let track = try TrackFile.read(contentsOf: arguments[1])
      let fixes = track.devices.flatMap { $0.points.map(\.fix) }
      try Trace(name: "walk", pad: Array(Data(contentsOf: arguments[2])), fixes: fixes).record(in: folder)
    }
    try FileTrace.record(in: URL(fileURLWithPath: folder.path + "-files"))
    for seed in 1...12 as ClosedRange<UInt64> {
      // An emulated phone takes 10 seconds for each.
      try Trace.journey(seed: seed).record(in: folder, asPhone: seed <= 3)
      try Trace.wander(seed: seed).record(in: folder, asPhone: seed <= 3)
    }
  }
}
