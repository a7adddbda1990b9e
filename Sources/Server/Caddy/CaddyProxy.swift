import AlarmService
import Foundation
import Logging
import NIOConcurrencyHelpers
import ServiceLifecycle

/// Runs Caddy in front of this server and starts it again when it ends.
///
/// The first start has to succeed: if Caddy cannot listen, `run` throws and the server ends. A Caddy that ends later is
/// started again after a wait (`RestartBackoff`). Meanwhile the server goes on, and `/readyz` answers 503.
final class CaddyProxy: Service {
  /// A started Caddy, or a test's fake of it.
  struct Running: Sendable {
    /// Its log, which finishes when Caddy has ended.
    let lines: AsyncStream<String>
    /// Asks it to end.
    let end: @Sendable () -> Void
  }
  typealias Start = @Sendable (_ upstream: String) async throws(CaddyFailure) -> Running

  private enum State: Equatable {
    case starting
    case serving
    case ended(CaddyFailure)
  }
  private let state = NIOLockedValueBox(State.starting)
  private let upstreams = AsyncStream.makeStream(of: String.self)
  private let host: String
  private let publicURL: String
  private let metrics: Metrics
  private let logger: Logger
  private let clock: any Clock<Duration>
  private let start: Start
  /// Tells whether Caddy accepts connections.
  private let answers: @Sendable () -> Bool

  convenience init(_ caddy: CaddySettings, _ settings: ServerSettings, metrics: Metrics, logger: Logger) {
    let folder = settings.dataFolder?.standardizedFileURL.path ?? FileManager.default.currentDirectoryPath
    let publicURL = settings.publicURL?.absoluteString ?? caddy.publicURL
    self.init(
      host: settings.host, publicURL: publicURL, metrics: metrics, logger: logger, clock: ContinuousClock(),
      answers: { LocalPort.answers(caddy.httpsPort) },
      start: { upstream throws(CaddyFailure) in
        let text = CaddyConfiguration.text(
          caddy, publicURL: publicURL, upstream: upstream, idleTimeoutSeconds: settings.idleTimeoutSeconds)
        return try await Self.start(caddy, text, folder: folder)
      })
  }

  init(
    host: String, publicURL: String, metrics: Metrics, logger: Logger, clock: any Clock<Duration>,
    answers: @escaping @Sendable () -> Bool, start: @escaping Start
  ) {
    self.host = host.contains(":") ? "[\(host)]" : host
    self.publicURL = publicURL
    self.metrics = metrics
    self.logger = logger
    self.clock = clock
    self.answers = answers
    self.start = start
    metrics.set("proximity_caddy_serves", to: 0)
  }

  /// The reason why the server cannot be reached; nil while Caddy serves.
  var trouble: String? {
    switch state.withLockedValue({ $0 }) {
    case .starting: "Caddy is starting"
    case .serving: nil
    case .ended(let failure): "\(failure)"
    }
  }

  /// Starts Caddy. Called once the server listens.
  func start(upstreamPort port: Int) { upstreams.continuation.yield("\(host):\(port)") }

  /// - Throws: `CaddyFailure` if the first start fails.
  func run() async throws {
    try await cancelWhenGracefulShutdown { [self] in
      for await upstream in upstreams.stream {
        try await keepRunning(upstream)
        break
      }
    }
  }

  /// - Throws: `CaddyFailure` if Caddy ends before it has ever served.
  private func keepRunning(_ upstream: String) async throws(CaddyFailure) {
    var backoff = RestartBackoff()
    var hasServed = false
    while !Task.isCancelled {
      var failure = CaddyFailure.ended("it said nothing")
      let lived = await clock.measure { failure = await runOnce(upstream) }
      if Task.isCancelled { return }
      if state.withLockedValue({ $0 }) == .serving { hasServed = true }
      note(.ended(failure))
      guard hasServed else { throw failure }
      let wait = backoff.wait(after: lived)
      logger.error(
        "Caddy has ended and is started again",
        metadata: ["error": "\(failure)", "wait_s": "\(wait.components.seconds)"])
      try? await clock.sleep(for: wait)
    }
  }

  /// Starts Caddy and waits until it has ended, also when this task is cancelled.
  private func runOnce(_ upstream: String) async -> CaddyFailure {
    let running: Running
    do { running = try await start(upstream) } catch { return error }
    // Unstructured tasks: a cancellation must not lose the last lines of the log.
    let reading = Task { [logger] in
      var last = ""
      for await line in running.lines {
        let told = CaddyLogLine(line)
        logger.log(
          level: told.level, "Caddy: \(told.message)", metadata: told.metadata.mapValues { .string($0) })
        last = line
      }
      return last
    }
    let connecting = Task { [self] in
      while !answers() { try await Task.sleep(for: .milliseconds(50)) }
      try Task.checkCancellation()
      note(.serving)
      logger.notice("Caddy serves", metadata: ["url": "\(publicURL)"])
    }
    let last = await withTaskCancellationHandler {
      await reading.value
    } onCancel: {
      running.end()
    }
    connecting.cancel()
    _ = await connecting.result
    return CaddyFailure(lastLine: last)
  }

  private func note(_ new: State) {
    state.withLockedValue { $0 = new }
    metrics.set("proximity_caddy_serves", to: new == .serving ? 1 : 0)
  }

  private static func start(
    _ caddy: CaddySettings, _ configuration: String, folder: String
  ) async throws(CaddyFailure) -> Running {
    for port in [caddy.httpPort, caddy.httpsPort] {
      // The Caddy of a server that was killed may need a moment to end.
      var looks = 0
      while LocalPort.isTaken(port) {
        looks += 1
        guard looks < 50, (try? await Task.sleep(for: .milliseconds(100))) != nil else {
          throw .portTaken(port, .tcp)
        }
      }
    }
    let own = folder + "/caddy"
    // The port is in the name because servers may share a folder.
    let file = "\(own)/Caddyfile.\(caddy.httpsPort)"
    do {
      try FileManager.default.createDirectory(
        atPath: own, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try Data(configuration.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
    } catch { throw .notStarted("\(file) cannot be written") }
    // The settings may hold passwords, so Caddy does not get them. Its certificates and keys lie with the data.
    var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("PROXIMITY_") }
    environment["XDG_DATA_HOME"] = folder
    environment["XDG_CONFIG_HOME"] = folder
    environment["HOME"] = own
    let process = try CaddyProcess(
      [caddy.program, "run", "--config", file, "--adapter", "caddyfile"], environment: environment)
    return Running(lines: process.lines, end: { process.end() })
  }
}
