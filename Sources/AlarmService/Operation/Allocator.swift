import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// What takes memory from the system for all of the process, where it can be told how: glibc's can.
package enum Allocator {
  /// Makes as few heaps as there are processors. Eight a processor, as glibc has it, each keep what was let go in them: a tenth
  /// more memory, and no faster. To be called before anything else.
  package static func shareHeaps() {
    #if canImport(Glibc)
      // -8 is M_ARENA_MAX.
      guard let symbol = symbol("mallopt") else { return }
      let option = unsafeBitCast(symbol, to: (@convention(c) (Int32, Int32) -> Int32).self)
      _ = option(-8, Int32(max(2, ProcessInfo.processInfo.activeProcessorCount)))
    #endif
  }

  /// Hands back to the system what was let go and is kept for later, as far as it is whole pages.
  ///
  /// - Complexity: linear in the pieces that are free; some milliseconds for 100 MB.
  static func giveBack() {
    #if canImport(Glibc)
      guard let symbol = symbol("malloc_trim") else { return }
      let trim = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)
      _ = trim(0)
    #endif
  }

  #if canImport(Glibc)
    /// By its name, since Swift does not import `malloc.h`.
    private static func symbol(_ name: String) -> UnsafeMutableRawPointer? { dlsym(nil, name) }
  #endif
}
