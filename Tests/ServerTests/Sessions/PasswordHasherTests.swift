import Testing

@testable import AlarmService
@testable import Server

@Suite("Passwords")
struct PasswordHasherTests {
  @Test func `a password fits its hash and no other; without an account none does`() async throws {
    let hasher = try PasswordHasher(cost: .least)
    let hash = try await hasher.hash("correct horse")
    #expect(hash.hasPrefix("$argon2id$"))
    #expect(try await hasher.hash("correct horse") != hash)
    #expect(try await hasher.verify("correct horse", against: hash))
    #expect(try await !hasher.verify("Correct horse", against: hash))
    #expect(try await !hasher.verify("", against: hash))
    #expect(try await !hasher.verify("nobody's password", against: nil))
    #expect(try await !hasher.verify("correct horse", against: "nonsense"))
  }

  @Test func `a hash of other work factors is outdated`() async throws {
    let weak = try PasswordHasher(cost: .least)
    let hash = try await weak.hash("x")
    #expect(!weak.isOutdated(hash))
    #expect(try PasswordHasher(cost: .init(passes: 2, memoryBytes: 16_384)).isOutdated(hash))
  }

  @Test func `more than may wait are sent away`() async throws {
    let hasher = try PasswordHasher(cost: .init(passes: 1, memoryBytes: 1 << 20))
    let outcomes = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<200 {
        group.addTask {
          do {
            _ = try await hasher.hash("x")
            return true
          } catch { return (error as? PasswordHasher.Failure) != .busy }
        }
      }
      return await group.reduce(into: [Bool]()) { $0.append($1) }
    }
    #expect(outcomes.filter { $0 }.count >= PasswordHasher.maximumWaiting)
    #expect(try await hasher.hash("x").hasPrefix("$argon2id$"))
  }
}
