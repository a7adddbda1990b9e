import AlarmEngine

#if canImport(CoreLocation)
  import CoreLocation
#else
  import PhoneSimulator
#endif

/// Live updates (iOS 17) that wake a suspended application when the phone moves.
///
/// The system pauses them while the phone lies still and resumes them by itself. Their positions are not
/// used: before the pause they tell nothing new of a phone at rest, and after it the policy asks for its own.
final class LiveUpdates: @unchecked Sendable {
  /// The longest time without a pause. Until the pause positions cost as much as in any session; after this
  /// time fences alone wake the application. A pause has been reported to come within about ten minutes.
  static let longestUnpaused = TimeSpan.seconds(900)

  static var areAvailable: Bool {
    #if canImport(CoreLocation)
      true
    #else
      Phone.current?.environment?.hasLiveUpdates ?? false
    #endif
  }

  private let after: (TimeSpan, @escaping () -> Void) -> () -> Void
  private let told: (_ areResting: Bool) -> Void
  private var task: Task<Void, Never>?
  private var isPaused = false
  private var cancelLimit: () -> Void = {}

  /// - Parameters:
  ///   - after: ``PhoneServices/after``.
  ///   - told: called on the thread that called ``start()``, at each pause and at the first update after it.
  init(
    after: @escaping (TimeSpan, @escaping () -> Void) -> () -> Void,
    told: @escaping (_ areResting: Bool) -> Void
  ) {
    self.after = after
    self.told = told
  }

  deinit { stop() }

  /// Starts the updates, if they do not run. Call this on the main thread.
  func start() {
    guard task == nil else { return }
    isPaused = false
    cancelLimit = after(Self.longestUnpaused) { [weak self] in
      if let self, !isPaused { stop() }
    }
    #if canImport(CoreLocation)
      task = Task { @MainActor [weak self] in
        do {
          for try await update in CLLocationUpdate.liveUpdates() {
            guard let self, !Task.isCancelled else { return }
            take(isStationary: update.isStationary)
          }
        } catch {
          // Without updates the fences wake the application, as before iOS 17.
        }
      }
    #else
      task = Phone.current?.task { [weak self] in
        do {
          for try await update in CLLocationUpdate.liveUpdates() {
            guard let self, !Task.isCancelled else { return }
            take(isStationary: update.isStationary)
          }
        } catch {}
      }
    #endif
  }

  func stop() {
    cancelLimit()
    cancelLimit = {}
    task?.cancel()
    task = nil
  }

  private func take(isStationary: Bool) {
    guard isStationary != isPaused else { return }
    isPaused = isStationary
    told(isStationary)
  }
}
