import CommandLineSupport
import Dispatch
import Foundation
import Synchronization

/// Runs all jobs on a bounded number of threads; returns the answers in the order of the jobs.
///
/// - Parameter step: called on this thread after each finished job with the number of finished jobs; false
///   stops.
/// - Throws: `CancellationError` if `step` returned false.
func inParallel<Job: Sendable, Answer: Sendable>(
  _ jobs: [Job], workers: Int = ProcessInfo.processInfo.activeProcessorCount,
  telling step: (Int) -> Bool,
  work: @escaping @Sendable (Job) -> Answer
) throws -> [Answer] {
  let board = JobBoard<Answer>(count: jobs.count)
  for _ in 0..<min(max(1, workers), jobs.count) {
    DispatchQueue.global().async {
      while let job = board.take() { board.finish(job, with: work(jobs[job])) }
    }
  }
  defer { board.close() }
  for done in jobs.indices {
    board.waitForOne()
    guard step(done + 1) else { throw CancellationError() }
  }
  return board.answers
}

/// The jobs that have been taken, with their answers.
private final class JobBoard<Answer: Sendable>: Sendable {
  private struct State {
    var next = 0
    var isClosed = false
    var answers: [Answer?]
  }
  private let state: Mutex<State>
  private let finished = DispatchSemaphore(value: 0)

  init(count: Int) { state = Mutex(State(answers: Array(repeating: nil, count: count))) }

  func take() -> Int? {
    state.withLock { state in
      guard !state.isClosed, state.next < state.answers.count else { return nil }
      state.next += 1
      return state.next - 1
    }
  }

  func finish(_ job: Int, with answer: Answer) {
    state.withLock { $0.answers[job] = answer }
    finished.signal()
  }

  func waitForOne() { finished.wait() }
  func close() { state.withLock { $0.isClosed = true } }

  /// The answers to all jobs, once all are finished.
  var answers: [Answer] { state.withLock { $0.answers.compactMap(\.self) } }
}
