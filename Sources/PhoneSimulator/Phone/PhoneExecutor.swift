import Synchronization

/// Runs asynchronous work on the phone's event loop: between two events, in order of submission.
///
/// A task that prefers this executor (`phone.task { }`) takes all its steps on the virtual clock. A plain
/// `Task { }` leaves the event loop, and is not deterministic.
final class PhoneExecutor: TaskExecutor, SerialExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  /// Takes all steps that are ready.
  func drain() {
    while true {
      let ready = jobs.withLock { jobs in
        let ready = jobs
        jobs = []
        return ready
      }
      guard !ready.isEmpty else { return }
      for job in ready {
        job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
      }
    }
  }
}

extension Phone {
  /// Starts asynchronous work of the application on the phone's event loop. It does not begin if the
  /// application's process ends before.
  @discardableResult
  public func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    nonisolated(unsafe) let process = process
    return Task(executorPreference: executor) { [weak process] in
      if process?.isAlive ?? false { await body() }
    }
  }
}
