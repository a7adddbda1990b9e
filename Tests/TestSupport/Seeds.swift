import Foundation

/// The seeds for a property: few, so that a debug run stays quick. The environment's `SEEDS` multiplies their
/// number (`SEEDS=50 make unit`); `SEED=7` runs only that one: `Scripts/swift-tests` prints the command for
/// each seed that failed.
public enum Seeds {
  public static func few(_ count: Int, from first: Int = 0) -> Range<Int> {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["SEED"].flatMap({ Int($0) }) { return seed..<seed + 1 }
    let factor = environment["SEEDS"].flatMap { Int($0) } ?? 1
    return first..<(first + count * max(1, min(100_000, factor)))
  }
}
