import Delivery
import Formats

/// An OpenID Connect provider that signs people in.
public struct OIDCSettings: Equatable, Sendable {
  /// The issuer exactly as the provider spells it.
  let issuer: String
  /// Our client ID at the provider.
  let client: String
  /// The client secret; nil if the provider requires none.
  let secret: Secret?
  /// The provider's name on the page's button.
  let name: String
  /// True if a person without an account gets one.
  let makesAccounts: Bool
  /// The claim that contains the login of an account: a person with that claim is signed in to the account.
  /// Nil: a person is signed in only after the account's owner has linked the provider's identity.
  let loginClaim: String?
}

extension ServerSettings {
  /// Nil if no provider is set.
  static func oidc(_ values: Values) throws(Refusal) -> OIDCSettings? {
    let others: [Key] = [.oidcClient, .oidcSecretFile, .oidcName, .oidcAccounts, .oidcLoginClaim]
    guard let issuer = values.text(.oidcIssuer) else {
      try refuseAlone(others, without: .oidcIssuer, values)
      return nil
    }
    guard ProviderDocument.isSafe(issuer), !issuer.contains("?") else {
      throw values.refusal(.oidcIssuer, ProviderDocument.allowedAddress)
    }
    guard let client = values.text(.oidcClient), (1...200).contains(client.utf8.count) else {
      throw values.refusal(.oidcClient, "1 to 200 bytes, as the provider calls this server,")
    }
    let secret = try firstLine(of: .oidcSecretFile, values).map { Secret($0) }
    let name =
      values.text(.oidcName) ?? (issuer.split(separator: "/").dropFirst().first.map(String.init) ?? "")
    guard (1...60).contains(name.count), !name.contains(where: \.isNewline) else {
      throw values.refusal(.oidcName, "1 to 60 characters")
    }
    guard let makesAccounts = ["existing": false, "all": true][values.text(.oidcAccounts) ?? "existing"]
    else {
      throw values.refusal(.oidcAccounts, "existing, all")
    }
    let claim = values.text(.oidcLoginClaim)
    if let claim, !(1...60).contains(claim.utf8.count) {
      throw values.refusal(.oidcLoginClaim, "a claim's name such as preferred_username or email")
    }
    return OIDCSettings(
      issuer: issuer, client: client, secret: secret, name: name, makesAccounts: makesAccounts,
      loginClaim: claim)
  }
}
