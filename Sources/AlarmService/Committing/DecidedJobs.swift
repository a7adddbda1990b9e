import AlarmEngine

/// Jobs that are decided, and what is to be written of them.
struct DecidedJobs {
  /// All of them, also such as are not decided yet.
  var jobs: [IngestJob] = []
  var weight = 0
  var transaction: IngestTransaction
  var facts = StoredFacts()
  var results: [(job: IngestJob, result: Result<IngestOutcome, any Error>)] = []
  /// Jobs that wait for zones. Nothing was done of them.
  var deferred: [(need: ZoneSetNeed, job: IngestJob)] = []
  /// Jobs that rest, so that other accounts have their share of the time. Nothing was done of them.
  var resting: [(pause: Duration, job: IngestJob)] = []
  /// Jobs that wait until the others are written.
  var next: [IngestJob] = []
  let start = ContinuousClock.now

  init(at now: Instant) { transaction = IngestTransaction(at: now) }

  /// Those of which something is done when the transaction is written.
  var written: [IngestJob] { results.map(\.job) + deferred.map(\.job) }

  /// Whether others may join: they must not overtake those that wait.
  var takesMore: Bool { next.isEmpty && deferred.isEmpty && !transaction.dropsEngines }
}

/// A transaction that is being written.
struct JobsBeingWritten {
  let jobs: [IngestJob]
  let devices: Set<DeviceID>
  /// Whether it changes what is in memory of any device.
  let isOfAll: Bool
  /// What kept it from being written.
  let end: Task<(any Error)?, Never>
  var isUnderWay = true

  init(_ jobs: [IngestJob], _ end: Task<(any Error)?, Never>) {
    (self.jobs, self.end) = (jobs, end)
    devices = Set(jobs.compactMap(\.device))
    isOfAll = jobs.contains { $0.device == nil }
  }
}
