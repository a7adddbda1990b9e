import ArgumentParser
import CommandLineSupport
import Server

/// The operator's OpenID Connect provider, which signs people in.
struct ServeSignInOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The provider's address, as its own documents write it: https://login.example.org", valueName: "url"))
  var oidcIssuer: String?

  @Option(
    help: ArgumentHelp(
      "What this server is called there. It is sent back to PUBLIC-URL/oidc/callback.", valueName: "id"))
  var oidcClient: String?

  @Option(
    help: ArgumentHelp("A file whose first line is the client's secret; without it none.", valueName: "file"))
  var oidcSecretFile: String?

  @Option(
    help: ArgumentHelp("As the page calls it: Sign in with NAME. The host if left out.", valueName: "name"))
  var oidcName: String?

  @Option(
    help: ArgumentHelp(
      """
      existing: whom the provider has signed in needs an account that they have linked to it; all: gets one. existing if \
      left out.
      """, valueName: "which"))
  var oidcAccounts: String?

  @Option(
    help: ArgumentHelp(
      """
      The claim that is the login of an account, such as preferred_username or email: whoever has it is signed in to \
      that account. Without it an account's owner links it.
      """, valueName: "claim"))
  var oidcLoginClaim: String?

  var flags: [(ServerSettings.Key, String?)] {
    [
      (.oidcIssuer, oidcIssuer), (.oidcClient, oidcClient), (.oidcSecretFile, oidcSecretFile),
      (.oidcName, oidcName), (.oidcAccounts, oidcAccounts), (.oidcLoginClaim, oidcLoginClaim),
    ]
  }
}
