import Delivery
import Formats

/// An OpenID Connect provider that signs people in.
public struct OIDCSettings: Equatable, Sendable {
  /// As the provider writes it, letter by letter.
  let issuer: String
  /// What we are called there.
  let client: String
  /// Nil: the provider asks for none.
  let secret: Secret?
  /// As the page's button calls it.
  let name: String
  /// Whether somebody who has no account gets one.
  let makesAccounts: Bool
  /// The claim that is the login of an account: whoever has it is signed in to that account. Nil: nobody is before the
  /// account's owner has said so.
  let loginClaim: String?
}

extension ServerSettings {
  /// Nil where no provider is named.
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
