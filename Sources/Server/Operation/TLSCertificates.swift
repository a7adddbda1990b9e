#if TLS
  import Foundation
  import HummingbirdHTTP2
  import Logging
  import NIOConcurrencyHelpers
  import NIOSSL
  import ServiceLifecycle

  /// The server's certificate and key, read again when their files change, so that a renewal needs no
  /// restart.
  ///
  /// New connections get the new certificate; open ones keep the old one. Files that do not match, as in the
  /// middle of a renewal, are ignored and checked again later.
  final class TLSCertificates: Service {
    static let interval = Duration.seconds(10)

    typealias Making = @Sendable (TLSConfiguration) throws -> HTTP2UpgradeChannel

    private struct State {
      let make: Making
      var channel: HTTP2UpgradeChannel
      /// The content of the files in use, and of those that could not be used.
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
    /// - Parameter make: makes the channel of a certificate and key.
    func begin(_ make: @escaping Making) throws {
      let bytes = Self.read(files)
      let channel = try make(try files.configuration())
      state.withLockedValue { $0 = State(make: make, channel: channel, bytes: bytes) }
    }

    /// The channel for new connections.
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

    /// Takes the files into use if their content has changed.
    func look() {
      let bytes = Self.read(files)
      guard let state = state.withLockedValue({ $0 }), bytes != state.bytes, bytes != state.refused else {
        return
      }
      do {
        let configuration = try files.configuration()
        // Tried as at the start: this detects a key that belongs to another certificate.
        _ = try NIOSSLContext(configuration: configuration)
        let channel = try state.make(configuration)
        // The files were written while they were read: the next check finds them complete.
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
