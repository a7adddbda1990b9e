#if TLS
  import MQTTClient
  import NIOConcurrencyHelpers
  import NIOCore
  import NIOPosix
  import NIOSSL
  import Testing

  /// The reason for a failed secure connection is reported, in whatever order the reason and the end of the
  /// connection come.
  @Suite("Brokers over TLS")
  struct MQTTSecurityTests {
    /// - Returns: the reason for the failure, or nil.
    private static func failure(
      _ host: String, _ port: Int, trustRoots: String? = nil
    ) async throws -> MQTTFailure? {
      let address = try #require(MQTTAddress("mqtts://\(host):\(port)"))
      let connector = try MQTTConnector(address, trustRoots: trustRoots)
      do throws(MQTTFailure) {
        try await connector.run(
          as: MQTTIdentity(clientID: "phone", isPersistent: false), opened: { _ in },
          taking: { _, _ in false })
        return nil
      } catch { return error }
    }

    private static func expectInsecure(_ failure: MQTTFailure?, saying words: String = "") {
      guard case .insecure(let reason) = failure, reason.contains(words) else {
        Issue.record("\(String(describing: failure)), but it should say: \(words)")
        return
      }
    }

    @Test func `a certificate that nobody vouches for is named, each time`() async throws {
      let certificates = try await Certificates.made.value
      try await LocalServer.run(.http2(certificates)) { server in
        for _ in 0..<50 {
          let failure = try await Self.failure("127.0.0.1", server.port, trustRoots: certificates.stranger)
          Self.expectInsecure(failure, saying: "CERTIFICATE_VERIFY_FAILED")
        }
      }
    }

    @Test func `so is a certificate for another address`() async throws {
      let certificates = try await Certificates.made.value
      let context = try NIOSSLContext(configuration: certificates.ofServer)
      let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
          }
        }.bind(host: "127.0.0.2", port: 0).get()
      let port = try #require(server.localAddress?.port)
      for _ in 0..<20 {
        Self.expectInsecure(
          try await Self.failure("127.0.0.2", port, trustRoots: certificates.authority),
          saying: "failedToValidateHostname")
      }
      try await server.close().get()
    }

    @Test func `so is a broker that does not speak TLS, or hangs up`() async throws {
      try await ScriptedServer.run([.say("220 mail.example.org\r\n")]) { server in
        Self.expectInsecure(try await Self.failure("127.0.0.1", server.port), saying: "WRONG_VERSION_NUMBER")
      }
      try await ScriptedServer.run([.hangUp]) { server in
        Self.expectInsecure(try await Self.failure("127.0.0.1", server.port))
      }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a broker that says nothing while TLS is agreed keeps nobody who leaves`() async throws {
      try await ScriptedServer.run([]) { server in
        var limits = MQTTConnector.Limits()
        limits.connect = .hours(1)
        let address = try #require(MQTTAddress("mqtts://127.0.0.1:\(server.port)"))
        let connector = try MQTTConnector(address, limits: limits)
        let task = Task {
          try await connector.run(
            as: MQTTIdentity(clientID: "phone", isPersistent: false), opened: { _ in },
            taking: { _, _ in false })
        }
        // The first message of TLS has arrived.
        while server.heard.withLockedValue({ $0.isEmpty }) { await Task.yield() }
        task.cancel()
        try await task.value
      }
    }

    @Test func `where nobody listens it is not for the lack of trust`() async throws {
      let port = try await ScriptedServer.run([]) { $0.port }
      guard case .unreachable = try await Self.failure("127.0.0.1", port) else {
        Issue.record("somebody answered on port \(port)")
        return
      }
    }
  }

  extension Certificates {
    /// The server's own TLS configuration, shown to clients.
    fileprivate var ofServer: TLSConfiguration {
      get throws {
        try .makeServerConfiguration(
          certificateChain: NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
          privateKey: .privateKey(NIOSSLPrivateKey(file: key, format: .pem)))
      }
    }
  }
#endif
