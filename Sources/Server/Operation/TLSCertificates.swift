#if TLS
  import Foundation
  import HummingbirdHTTP2
  import Logging
  import NIOConcurrencyHelpers
  import NIOSSL
  import ServiceLifecycle

  /// The server's certificate and key, read again when their files change, so that a renewal needs no restart.
  ///
  /// New connections get the new certificate; those that stand go on with the old one. Files that do not fit together, as
  /// in the middle of a renewal, change nothing and are looked at again.
  final class TLSCertificates: Service {
    static let interval = Duration.seconds(10)

    typealias Making = @Sendable (TLSConfiguration) throws -> HTTP2UpgradeChannel

    private struct State {
      let make: Making
      var channel: HTTP2UpgradeChannel
      /// Of the files in use, and of those that could not be used.
      var bytes: [Data]
      var refused: [Data] = []
    }
    private let files: ServerSettings.TLSFiles
    private let logger: Logger
    private let state = NIOLockedValueBox<State?>(nil)

    init(_ files: ServerSettings.TLSFiles, logger: Logger) {
      self.files = files
      self.logger = logger
    }

    /// Reads the files for the first time.
    /// - Parameter make: from a certificate and key, what speaks with them.
    func begin(_ make: @escaping Making) throws {
      let bytes = Self.read(files)
      let channel = try make(try files.configuration())
      state.withLockedValue { $0 = State(make: make, channel: channel, bytes: bytes) }
    }

    /// For connections that begin now.
    var channel: HTTP2UpgradeChannel {
      guard let channel = state.withLockedValue({ $0?.channel }) else {
        preconditionFailure("certificates are read before the server listens")
      }
      return channel
    }

    func run() async throws {
      await cancelWhenGracefulShutdown { [self] in
        while !Task.isCancelled {
          try? await Task.sleep(for: Self.interval)
          look()
        }
      }
    }

    /// Takes what the files say now, if it is something else.
    func look() {
      let bytes = Self.read(files)
      guard let state = state.withLockedValue({ $0 }), bytes != state.bytes, bytes != state.refused else {
        return
      }
      do {
        let configuration = try files.configuration()
        // Tried out, as at the start: a key of another certificate is found here.
        _ = try NIOSSLContext(configuration: configuration)
        let channel = try state.make(configuration)
        // Written while they were read: the next look finds them whole.
        guard Self.read(files) == bytes else { return }
        self.state.withLockedValue { $0 = State(make: state.make, channel: channel, bytes: bytes) }
        logger.notice("the new TLS certificate is in use")
      } catch {
        self.state.withLockedValue { $0?.refused = bytes }
        logger.error(
          "the new TLS certificate cannot be used; the old one stays", metadata: ["error": "\(error)"])
      }
    }

    private static func read(_ files: ServerSettings.TLSFiles) -> [Data] {
      [files.certificateChain, files.privateKey].map { FileManager.default.contents(atPath: $0) ?? Data() }
    }
  }
#endif
