/// Checks who sends a request, and how many requests are allowed.
struct AccountParts: Sendable {
  let sessions: Sessions
  let passwords: PasswordHasher
  let seal: SignInSeal
  /// Nil if no provider is set.
  let oidc: OIDCProvider?
  let limits: RateLimits
}
