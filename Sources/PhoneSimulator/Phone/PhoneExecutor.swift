import Synchronization

/// Runs asynchronous work on the phone's event loop: between two events, in the order it was handed in.
///
/// A task that prefers it (`phone.task { }`) takes all its steps on the virtual clock. A plain `Task { }` leaves
/// the event loop, and with it determinism.
final class PhoneExecutor: TaskExecutor, SerialExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  /// Takes every step that can be taken now.
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
  /// Starts asynchronous work of the application on the phone's event loop.
  @discardableResult
  public func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    Task(executorPreference: executor) { await body() }
  }
}
