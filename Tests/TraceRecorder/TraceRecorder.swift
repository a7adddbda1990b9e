import AlarmEngine
import Foundation
import Geometry
import TestSupport
import WebEngine

/// Writes traces, and what the native engine makes of them, into a folder for `Tests/Wasm` to compare.
@main
struct TraceRecorder {
  static func main() throws {
    guard CommandLine.arguments.count == 2 else {
      FileHandle.standardError.write(Data("usage: TraceRecorder FOLDER\n".utf8))
      exit(2)
    }
    let folder = URL(fileURLWithPath: CommandLine.arguments[1])
    for seed in 1...12 as ClosedRange<UInt64> {
      try Trace.random(seed: seed).record(in: folder.appendingPathComponent("seed-\(seed)"))
    }
  }
}
