import Foundation

/// The seeds that a property is tried with: few, so that a debug run stays quick, and as many times more as the
/// environment's `SEEDS` says (`SEEDS=50 make unit`).
public enum Seeds {
  public static func few(_ count: Int, from first: Int = 0) -> Range<Int> {
    let factor = ProcessInfo.processInfo.environment["SEEDS"].flatMap { Int($0) } ?? 1
    return first..<(first + count * max(1, min(100_000, factor)))
  }
}
