#if canImport(Glibc)
  import Glibc
#endif

/// The memory that was let go, which the allocator keeps for later.
enum FreedMemory {
  /// Hands whole pages of it back to the system, where the allocator can: glibc's does.
  ///
  /// - Complexity: linear in the pieces that are free; some milliseconds for 100 MB.
  static func giveBack() {
    #if canImport(Glibc)
      // By its name, since Swift does not import `malloc.h`.
      guard let symbol = dlsym(nil, "malloc_trim") else { return }
      let trim = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)
      _ = trim(0)
    #endif
  }
}
