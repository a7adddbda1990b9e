import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// Tunes the memory allocator of the process. Has an effect with glibc only.
package enum Allocator {
  /// Limits the number of heaps (arenas) to the number of processors, at least 2. glibc's default of eight
  /// for each processor takes a tenth more memory, since each keeps its freed memory, and is no faster. Must
  /// be called before anything else.
  package static func shareHeaps() {
    #if canImport(Glibc)
      // -8 is M_ARENA_MAX.
      guard let symbol = symbol("mallopt") else { return }
      let option = unsafeBitCast(symbol, to: (@convention(c) (Int32, Int32) -> Int32).self)
      _ = option(-8, Int32(max(2, ProcessInfo.processInfo.activeProcessorCount)))
    #endif
  }

  /// Returns freed memory to the system, as far as it is whole pages.
  ///
  /// - Complexity: linear in the number of free chunks; some milliseconds for 100 MB.
  static func giveBack() {
    #if canImport(Glibc)
      guard let symbol = symbol("malloc_trim") else { return }
      let trim = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)
      _ = trim(0)
    #endif
  }

  #if canImport(Glibc)
    /// Looks a function up by its name, since Swift does not import `malloc.h`.
    private static func symbol(_ name: String) -> UnsafeMutableRawPointer? { dlsym(nil, name) }
  #endif
}
