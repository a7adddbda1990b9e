import AlarmEngine

/// Decided jobs, and the changes to write for them.
struct DecidedJobs {
  /// All jobs, including those that are not decided yet.
  var jobs: [IngestJob] = []
  var weight = 0
  var transaction: IngestTransaction
  var facts = StoredFacts()
  var results: [(job: IngestJob, result: Result<IngestOutcome, any Error>)] = []
  /// Jobs that wait for zones. They have changed nothing.
  var deferred: [(need: ZoneSetNeed, job: IngestJob)] = []
  /// Jobs that pause so that other accounts get their share of the time. They have changed nothing.
  var resting: [(pause: Duration, job: IngestJob)] = []
  /// Jobs that wait until the others are written.
  var next: [IngestJob] = []
  let start = ContinuousClock.now

  init(at now: Instant) { transaction = IngestTransaction(at: now) }

  /// The jobs that are completed or moved to a waiting list when the transaction is written.
  var written: [IngestJob] { results.map(\.job) + deferred.map(\.job) }

  /// True if further jobs may join. They must not overtake jobs that wait.
  var takesMore: Bool { next.isEmpty && deferred.isEmpty && !transaction.dropsEngines }
}

/// A transaction that is being written.
struct JobsBeingWritten {
  let jobs: [IngestJob]
  let devices: Set<DeviceID>
  /// True if the transaction may change any device in memory: one of its jobs has no device.
  let isOfAll: Bool
  /// Finishes when the transaction is written or has failed. The value is the error, or nil.
  let end: Task<(any Error)?, Never>
  var isUnderWay = true

  init(_ jobs: [IngestJob], _ end: Task<(any Error)?, Never>) {
    (self.jobs, self.end) = (jobs, end)
    devices = Set(jobs.compactMap(\.device))
    isOfAll = jobs.contains { $0.device == nil }
  }
}
