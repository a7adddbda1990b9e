import Delivery

extension DeliveryServices {
  /// Makes the services that the server's settings enable.
  /// - Throws: `ConfigurationError` if the certificates to be trusted cannot be used.
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
      // The reply to each of the phone's posts carries the alarms that ring then, so nothing is queued.
      ownTracks: { _, _ in })
  }
}
