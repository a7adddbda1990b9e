import AlarmEngine
import NIOConcurrencyHelpers

/// The jobs that wait for the next transaction, in the order of arrival. Their number is limited.
///
/// While one transaction runs, the next batch gathers, so that many posts share one commit.
package final class IngestQueue: Sendable {
  private struct Book {
    var jobs: [IngestJob] = []
    var weight = 0
    /// True if a caller is draining the queue and is not waiting for jobs.
    var isDraining = false
    /// The weight of waiting jobs from which on `add` tells its caller to drain.
    var wakesAt = 0
    var isClosed = false

    /// Takes jobs in their order while their total weight is at most `room`. Returns nil if there are none.
    /// - Parameters:
    ///   - takesAny: whether the first job is taken however large it is.
    ///   - devices: the devices whose jobs stay in the queue. If not nil, taking stops before the first job
    ///     without a device.
    mutating func take(atMost room: Int, takesAny: Bool, besides devices: Set<DeviceID>?) -> [IngestJob]? {
      var batch: [IngestJob] = []
      var left: [IngestJob] = []
      var taken = 0
      for job in jobs {
        if let devices {
          guard let device = job.device else { break }
          if devices.contains(device) {
            left.append(job)
            continue
          }
        }
        guard taken + job.weight <= room || (takesAny && batch.isEmpty) else { break }
        taken += job.weight
        batch.append(job)
      }
      guard !batch.isEmpty else { return nil }
      jobs.replaceSubrange(..<(batch.count + left.count), with: left)
      weight -= taken
      return batch
    }
  }

  enum Admission: Sendable {
    /// The job waits. If `drain` is true, the caller has to drain the queue.
    case admitted(drain: Bool)
    case full
    case closed
  }

  private let book = NIOLockedValueBox(Book())
  private let capacity: Int
  /// The approximate weight of the jobs of one transaction.
  let batchWeight: Int
  private let besideWeight: Int

  /// - Parameters:
  ///   - capacity: the total weight of the jobs that may wait; further jobs are refused.
  ///   - batchWeight: the approximate weight of the jobs of one transaction.
  ///   - besideWeight: the least weight of waiting jobs from which some are taken while a transaction is
  ///     being written. Fewer jobs cost less if they are processed together after it.
  package init(capacity: Int = 50_000, batchWeight: Int = 4_000, besideWeight: Int = 250) {
    self.capacity = capacity
    self.besideWeight = besideWeight
    self.batchWeight = batchWeight
  }

  func add(_ job: IngestJob) -> Admission { add([job]) }

  /// Adds all of the jobs or none.
  func add(_ jobs: [IngestJob]) -> Admission {
    let weight = jobs.reduce(0) { $0 + $1.weight }
    return book.withLockedValue { book in
      if book.isClosed { return .closed }
      // The first job is taken however large it is.
      guard book.jobs.isEmpty || book.weight + weight <= capacity else { return .full }
      book.jobs += jobs
      book.weight += weight
      guard !book.isDraining, book.weight >= book.wakesAt else { return .admitted(drain: false) }
      book.isDraining = true
      return .admitted(drain: true)
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

  /// Takes the next batch, with at least one job. Returns nil if there is none; the next caller of `add` is
  /// then told to drain.
  /// - Parameter devices: the devices whose transaction is being written. Their jobs wait for its end, and so
  ///   do the first job without a device and all behind it. If not nil, also returns nil while the waiting
  ///   jobs weigh less than `besideWeight`.
  func take(besides devices: Set<DeviceID>? = nil) -> [IngestJob]? {
    take(atMost: batchWeight, takesAny: true, besides: devices)
  }

  /// Takes further jobs for a batch with `room` left. Returns nil, with the same consequence, if none fits.
  func take(atMost room: Int, besides devices: Set<DeviceID>?) -> [IngestJob]? {
    take(atMost: room, takesAny: false, besides: devices)
  }

  private func take(atMost room: Int, takesAny: Bool, besides devices: Set<DeviceID>?) -> [IngestJob]? {
    book.withLockedValue { book in
      let least = devices == nil ? 0 : besideWeight
      if book.weight >= least,
        let batch = book.take(atMost: room, takesAny: takesAny, besides: devices)
      {
        return batch
      }
      (book.isDraining, book.wakesAt) = (false, least)
      return nil
    }
  }

  /// Refuses further jobs from now on. Those that wait are still written.
  func close() { book.withLockedValue { $0.isClosed = true } }

  var waiting: Int { book.withLockedValue { $0.weight } }
}
