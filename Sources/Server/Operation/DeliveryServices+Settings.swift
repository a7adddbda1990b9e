import Delivery

extension DeliveryServices {
  /// What the server's settings allow to be sent.
  /// - Throws: `ConfigurationError` where the certificates to be trusted cannot be used.
  init(_ settings: ServerSettings, webPushKey: [UInt8]) throws {
    let policy = TargetPolicy(allowsPrivateNetworks: settings.allowsPrivateTargets)
    self.init(
      http: DeliveryHTTP(policy: policy, trustRoots: settings.trustRoots),
      mail: settings.mail.map { SMTPClient(server: $0, trustRoots: settings.trustRoots) },
      webPush: try VAPIDSigner(privateKey: webPushKey, contact: settings.contact),
      apns: settings.apns.map {
        APNs(
          account: $0,
          http: DeliveryHTTP(policy: policy, trustRoots: settings.trustRoots, speaksHTTP2: true))
      },
      // The reply to each of the phone's posts carries what rings then: there is nothing to be queued.
      ownTracks: { _, _ in })
  }
}
