import AlarmEngine
import TestSupport
import Testing

@testable import Store

@Suite("Contract: when processes were there")
struct AwakeContract {
  typealias S = StoreSamples
  private static let slack = TimeSpan.seconds(25)

  private static func note(
    _ store: SQLStore, _ name: String, since: Double, at now: Double
  ) async throws -> [Double] {
    let found = try await store.noteAwake(name, since: S.time(since), at: S.time(now), slack: slack)
    return [(found.proven - S.time()).seconds, (found.likely - S.time()).seconds]
  }

  @Test(arguments: StoreForm.allCases)
  func `one that starts takes over what another says that was seen after its start`(form: StoreForm)
    async throws
  {
    try await form.withTwo { first, second in
      let alone = try await Self.note(first, "first", since: 0, at: 0)
      #expect(alone == [0, 0])
      #expect(try await Self.note(first, "first", since: 0, at: 100) == [0, 0])
      // The first process was seen a moment ago, and may have ended since.
      #expect(try await Self.note(second, "second", since: 105, at: 105) == [105, 0])
      #expect(try await Self.note(first, "first", since: 0, at: 110) == [0, 0])
      #expect(try await Self.note(second, "second", since: 105, at: 115) == [0, 0])
      // The first one starts again, and takes back the time that it had handed on.
      #expect(try await Self.note(first, "first", since: 120, at: 120) == [120, 0])
      #expect(try await Self.note(second, "second", since: 0, at: 125) == [0, 0])
      #expect(try await Self.note(first, "first", since: 120, at: 130) == [0, 0])
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `nobody takes over from one that was gone before, nor from a clock that is far ahead`(
    form: StoreForm
  )
    async throws
  {
    try await form.withStore { store in
      #expect(try await Self.note(store, "first", since: 0, at: 100) == [0, 0])
      #expect(try await Self.note(store, "second", since: 126, at: 126) == [126, 126])
      #expect(try await Self.note(store, "third", since: 125, at: 126) == [125, 0])
      #expect(try await Self.note(store, "ahead", since: 50, at: 1000) == [0, 0])
      #expect(try await Self.note(store, "fourth", since: 400, at: 400) == [400, 400])
      // The clock is set back: each process notes again that it is running.
      try await store.clockSetBack(to: S.time(500), by: .seconds(500))
      #expect(try await Self.note(store, "fifth", since: 990, at: 990) == [990, 990])
      // A day later all processes are forgotten.
      let day = 86_400.0
      #expect(
        try await Self.note(store, "sixth", since: 3 * day, at: 3 * day) == [3 * day, 3 * day])
      #expect(try await Self.note(store, "last", since: 0, at: 3 * day) == [0, 0])
    }
  }

  /// Processes start and end at random; each notes every few seconds that it is running. The oracle checks
  /// each second.
  @Test(arguments: StoreForm.allCases, [1, 2, 3, 4] as [UInt64])
  func `is what each second says for itself`(form: StoreForm, seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    // A name that is used again replaces the row of the previous process: then less can be proven, never
    // more.
    let namesReturn = seed % 2 == 0
    try await form.withStore { store in
      let end = 400
      /// Processes so far, each from its start to its last note.
      var lives: [(name: String, start: Int, seen: Int, proven: Int)] = []
      var running: [Int] = []
      for now in 0..<end {
        running.removeAll { _ in Int.random(in: 0..<60, using: &random) == 0 }
        var noted: [Int] = []
        if running.count < 3, Int.random(in: 0..<30, using: &random) == 0 {
          let free = ["a", "b", "c"].filter { name in !running.contains { lives[$0].name == name } }
          running.append(lives.count)
          lives.append((namesReturn ? free[0] : "life \(lives.count)", now, now, now))
          noted = [lives.count - 1]
        }
        noted += running.filter { !noted.contains($0) && (now - lives[$0].seen) >= 10 }
        for life in noted {
          lives[life].seen = now
          let found = try await store.noteAwake(
            lives[life].name, since: S.time(Double(lives[life].proven)), at: S.time(Double(now)),
            slack: Self.slack)
          // Back to the first second without a running process.
          var truth = lives[life].start
          while truth > 0, lives.contains(where: { $0.start < truth && $0.seen >= truth }) {
            truth -= 1
          }
          let proven = Int((found.proven - S.time()).seconds)
          lives[life].proven = proven
          #expect(namesReturn ? proven >= truth : proven == truth, "seed \(seed) at \(now)")
          #expect(found.likely <= found.proven)
        }
      }
      #expect(lives.count > 5, "seed \(seed)")
      #expect(lives.contains { $0.proven < $0.start }, "seed \(seed)")
    }
  }
}
