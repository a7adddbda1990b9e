import ArgumentParser
import CommandLineSupport
import Server

/// The operator's OpenID Connect provider, which signs people in.
struct ServeSignInOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The provider's issuer URL, exactly as the provider documents it: https://login.example.org",
      valueName: "url"))
  var oidcIssuer: String?

  @Option(
    help: ArgumentHelp(
      "This server's client id at the provider; register PUBLIC-URL/oidc/callback as redirect URI.",
      valueName: "id"))
  var oidcClient: String?

  @Option(
    help: ArgumentHelp(
      "A file with the client's secret in its first line. Default: no secret.", valueName: "file"))
  var oidcSecretFile: String?

  @Option(
    help: ArgumentHelp(
      "The provider's name on the page: Sign in with NAME. Default: the host.", valueName: "name"))
  var oidcName: String?

  @Option(
    help: ArgumentHelp(
      """
      Accounts of users signed in by the provider: existing (they need one linked to it) or all (created if missing). \
      Default: existing.
      """, valueName: "which"))
  var oidcAccounts: String?

  @Option(
    help: ArgumentHelp(
      """
      The claim with an account's login, such as preferred_username or email: a user with that claim is signed in to the \
      account. Without this option, an account's owner has to link it.
      """, valueName: "claim"))
  var oidcLoginClaim: String?

  var flags: [(ServerSettings.Key, String?)] {
    [
      (.oidcIssuer, oidcIssuer), (.oidcClient, oidcClient), (.oidcSecretFile, oidcSecretFile),
      (.oidcName, oidcName), (.oidcAccounts, oidcAccounts), (.oidcLoginClaim, oidcLoginClaim),
    ]
  }
}
