import AlarmEngine
import NIOConcurrencyHelpers
import TestSupport
import Testing

@testable import Store

@Suite("Contract: tries that are counted")
struct TryContract {
  typealias S = StoreSamples

  private static func bucket(_ byte: UInt8 = 1, burst: Int = 3, refill: Double = 10) -> TryBucket {
    TryBucket(key: S.hash(byte), burst: burst, refill: .seconds(refill))
  }

  @Test(arguments: StoreForm.allCases)
  func `a burst is allowed, then one for each refill, and one that was given back`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      let (one, other) = (Self.bucket(), Self.bucket(2))
      func wait(_ buckets: [TryBucket], at seconds: Double) async throws -> TimeSpan? {
        try await store.takeTries(buckets, at: S.time(seconds))?.wait
      }
      for _ in 0..<3 { #expect(try await wait([one], at: 0) == nil) }
      #expect(try await wait([one], at: 0) == .seconds(10))
      #expect(try await wait([one], at: 4) == .seconds(6))
      // The first bucket without a try refuses; tries taken before it remain taken.
      let refusal = try await store.takeTries([other, one], at: S.time(4))
      #expect(refusal == TryRefusal(bucket: one, wait: .seconds(6)))
      #expect(try await wait([other, other], at: 4) == nil)
      #expect(try await wait([other], at: 4) == .seconds(10))
      #expect(try await wait([one], at: 10) == nil)
      #expect(try await wait([one], at: 10) == .seconds(10))
      try await store.giveBackTries([one, Self.bucket(3)], at: S.time(11))
      #expect(try await wait([one], at: 11) == nil)
      // No more tries come back than there were, given back or regained.
      for _ in 0..<9 { try await store.giveBackTries([one], at: S.time(1000)) }
      for _ in 0..<3 { #expect(try await wait([one], at: 2000) == nil) }
      #expect(try await wait([one], at: 2000) != nil)
      #expect(try await wait([], at: 0) == nil)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `what a clock that was ahead has counted keeps nobody waiting once it is right`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      for _ in 0..<3 { #expect(try await store.takeTries([Self.bucket()], at: S.time()) == nil) }
      for back in [S.time() - .hours(24), S.time() - .hours(48)] {
        for _ in 0..<3 { #expect(try await store.takeTries([Self.bucket()], at: back) == nil) }
        #expect(try await store.takeTries([Self.bucket()], at: back)?.wait == .seconds(10))
        #expect(try await store.takeTries([Self.bucket()], at: back + .seconds(10)) == nil)
        try await store.giveBackTries([Self.bucket()], at: back + .seconds(10))
        #expect(try await store.takeTries([Self.bucket()], at: back + .seconds(10)) == nil)
      }
      // A bucket that is not too full waits as before.
      let later = S.time() - .hours(48) + .seconds(10)
      #expect(try await store.takeTries([Self.bucket()], at: later) != nil)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `what is full again is forgotten, and nothing else`(form: StoreForm) async throws {
    try await form.withStore { store in
      for _ in 0..<2 { _ = try await store.takeTries([Self.bucket()], at: S.time()) }
      _ = try await store.takeTries([Self.bucket(2)], at: S.time())
      var retention = Retention()
      retention.triesBefore = S.time(11)
      #expect(try await store.prune(retention, limit: 99) == 1)
      #expect(try await store.takeTries([Self.bucket()], at: S.time()) == nil)
      #expect(try await store.takeTries([Self.bucket()], at: S.time()) != nil)
      retention.triesBefore = S.time(31)
      #expect(try await store.prune(retention, limit: 99) == 1)
    }
  }

  /// Takes and gives back at random times, compared with a bucket that counts its tries one by one.
  @Test(arguments: StoreForm.allCases, [1, 2, 3] as [UInt64])
  func `is the bucket that the definition says`(form: StoreForm, seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    try await form.withStore { store in
      let bucket = Self.bucket(burst: Int.random(in: 1...5, using: &random), refill: 7)
      var now = 0.0
      var (tokens, at) = (Double(bucket.burst), 0.0)
      for step in 0..<120 {
        now += Double(Int.random(in: 0...9, using: &random))
        tokens = min(Double(bucket.burst), tokens + (now - at) / 7)
        at = now
        if Int.random(in: 0..<5, using: &random) == 0 {
          tokens = min(Double(bucket.burst), tokens + 1)
          try await store.giveBackTries([bucket], at: S.time(now))
          continue
        }
        let isAllowed = tokens >= 1 - 1e-6
        if isAllowed { tokens -= 1 }
        let refusal = try await store.takeTries([bucket], at: S.time(now))
        #expect((refusal == nil) == isAllowed, "seed \(seed), step \(step)")
        if let refusal { #expect(abs(refusal.wait.seconds - (1 - tokens) * 7) < 0.002) }
      }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `two processes count together, and a try is never counted once for both`(form: StoreForm) async throws
  {
    try await form.withTwo { first, second in
      let bucket = Self.bucket(burst: 10, refill: 1000)
      let allowed = try await withThrowingTaskGroup(of: Int.self) { group in
        for worker in 0..<8 {
          let store = worker % 2 == 0 ? first : second
          group.addTask {
            var allowed = 0
            for _ in 0..<5 where try await store.takeTries([bucket], at: S.time()) == nil { allowed += 1 }
            return allowed
          }
        }
        return try await group.reduce(0, +)
      }
      #expect(allowed == 10)
      try await second.giveBackTries([bucket], at: S.time())
      #expect(try await first.takeTries([bucket], at: S.time()) == nil)
      #expect(try await second.takeTries([bucket], at: S.time()) != nil)
    }
  }
}
