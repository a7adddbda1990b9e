import NIOConcurrencyHelpers

/// The jobs that wait for the next transaction, bounded, in the order of arrival.
///
/// While one transaction runs the next batch gathers, so that many posts share one commit.
package final class IngestQueue: Sendable {
  private struct Book {
    var jobs: [IngestJob] = []
    var weight = 0
    var isDraining = false
    var isClosed = false
  }

  enum Admission: Sendable {
    /// The job waits. The caller has to drain the queue if it is told to.
    case admitted(drain: Bool)
    case full
    case closed
  }

  private let book = NIOLockedValueBox(Book())
  private let capacity: Int
  private let batchWeight: Int

  /// - Parameters:
  ///   - capacity: the total weight of the jobs that may wait; further jobs are refused.
  ///   - batchWeight: the weight of the jobs of one transaction, roughly.
  init(capacity: Int = 50_000, batchWeight: Int = 4_000) {
    self.capacity = capacity
    self.batchWeight = batchWeight
  }

  func add(_ job: IngestJob) -> Admission { add([job]) }

  /// All of them or none.
  func add(_ jobs: [IngestJob]) -> Admission {
    let weight = jobs.reduce(0) { $0 + $1.weight }
    return book.withLockedValue { book in
      if book.isClosed { return .closed }
      // The first job is taken however large it is.
      guard book.jobs.isEmpty || book.weight + weight <= capacity else { return .full }
      book.jobs += jobs
      book.weight += weight
      defer { book.isDraining = true }
      return .admitted(drain: !book.isDraining)
    }
  }

  /// Puts jobs that had to wait for something in front of all others, even if the queue is full.
  /// - Returns: whether the caller has to start draining.
  func putBack(_ jobs: [IngestJob]) -> Bool {
    book.withLockedValue { book in
      guard !jobs.isEmpty else { return false }
      book.jobs.insert(contentsOf: jobs, at: 0)
      book.weight += jobs.reduce(0) { $0 + $1.weight }
      defer { book.isDraining = true }
      return !book.isDraining
    }
  }

  /// The next batch; nil when nothing waits, and then draining is over.
  func take() -> [IngestJob]? {
    book.withLockedValue { book in
      guard !book.jobs.isEmpty else {
        book.isDraining = false
        return nil
      }
      var weight = 0
      var count = 0
      while count < book.jobs.count, count == 0 || weight + book.jobs[count].weight <= batchWeight {
        weight += book.jobs[count].weight
        count += 1
      }
      let batch = Array(book.jobs.prefix(count))
      book.jobs.removeFirst(count)
      book.weight -= weight
      return batch
    }
  }

  /// Refuses further jobs from now on. Those that wait are still written.
  func close() { book.withLockedValue { $0.isClosed = true } }

  var waiting: Int { book.withLockedValue { $0.weight } }
}
