import Foundation

/// Watches regions on a simulated phone, and writes a page with a map and the phone's reports.
///
///     swift run --package-path Examples/RegionMonitoring RegionMonitoring [FILE.html] [SEED]
@main
struct RegionMonitoring {
  static func main() {
    #if canImport(CoreLocation)
      print(
        "RegionWatcher is the part for an application; this program runs it on the simulated phone, on Linux."
      )
    #else
      exit(run(Array(CommandLine.arguments.dropFirst())))
    #endif
  }

  #if !canImport(CoreLocation)
    /// - Returns: the exit code: 0, 2 for invalid arguments, or 3 for a file that cannot be written.
    static func run(_ arguments: [String]) -> Int32 {
      let path = arguments.first ?? "regions.html"
      let seedText = arguments.dropFirst().first ?? "1"
      guard arguments.count <= 2, let seed = UInt64(seedText) else {
        complain(
          "\(arguments.joined(separator: " ")) found, [FILE.html] [SEED] allowed; a seed is a whole number")
        return 2
      }
      let run = RegionRun(seed: seed)
      do {
        try Data(RegionPage(run).html.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
      } catch {
        complain("\(path): \(error.localizedDescription)")
        return 3
      }
      print("\(path) shows \(run.fences.count) fences and \(run.crossings.count) crossings.")
      return 0
    }

    private static func complain(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
  #endif
}
