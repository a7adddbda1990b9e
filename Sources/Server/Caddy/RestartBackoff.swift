/// The wait before a program that ended is started again: 1 s, then twice as long each time, at most a minute.
struct RestartBackoff: Equatable, Sendable {
  static let shortest = Duration.seconds(1)
  static let longest = Duration.seconds(60)
  /// After a run of this length the next wait is the shortest.
  static let wellAfter = Duration.seconds(60)

  private var next = shortest

  /// - Parameter lived: how long the program ran.
  mutating func wait(after lived: Duration) -> Duration {
    let wait = lived >= Self.wellAfter ? Self.shortest : next
    next = min(wait * 2, Self.longest)
    return wait
  }
}
