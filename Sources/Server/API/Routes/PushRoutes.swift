import Formats

/// What a browser needs to subscribe to Web Push; the subscription itself becomes a channel.
enum PushRoutes {
  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/push-key", name: "getPushKey",
      summary: "The server's public key, for subscribing to Web Push",
      handler: .account { call, _ in
        guard let signer = call.parts.services.webPush else {
          throw Problem(.notFound, "this server has no key for Web Push")
        }
        return .json(.object([("key", .string(signer.publicKey))]))
      },
      answers: [
        .json(
          .object([.needed("key", .text(1...200), "A point of P-256, base64url: `applicationServerKey`.")]),
          "The key.")
      ])
  ]
}
