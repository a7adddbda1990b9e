import AlarmEngine

/// The person that an ID token identifies, its claims checked (OpenID Connect Core 1.0, section 3.1.3.7).
///
/// The signature is not checked here.
public struct IdentityClaims: Sendable {
  /// The allowed error of the provider's clock, either way.
  public static let clockAllowance = TimeSpan.seconds(60)
  /// The longest subject in bytes (section 2).
  public static let longestSubject = 255

  public let issuer: String
  public let subject: String
  private let all: JSONValue

  /// - Throws: `SignInRefusal` for the first invalid claim.
  public init(
    _ token: SignedToken, issuer: String, client: String, nonce: String, at now: Instant
  ) throws(SignInRefusal) {
    let claims = token.claims
    func excerpt(_ value: JSONValue?) -> String { SignInRefusal.excerpt(value?.excerpt ?? "nothing") }
    guard claims["iss"]?.string == issuer else {
      throw SignInRefusal("an ID token of the issuer \(excerpt(claims["iss"]))", allowed: issuer)
    }
    let audience = claims["aud"]?.list.map { $0.map(\.string) } ?? [claims["aud"]?.string]
    guard audience.contains(client) else {
      throw SignInRefusal("an ID token for \(excerpt(claims["aud"]))", allowed: "one for \(client)")
    }
    if let party = claims["azp"] {
      guard party.string == client else {
        throw SignInRefusal("an ID token that was asked for by \(excerpt(party))", allowed: client)
      }
    } else if audience.count > 1 {
      throw SignInRefusal("an ID token for several without azp", allowed: "azp \(client)")
    }
    let allowance = Self.clockAllowance
    guard let end = Self.time(claims["exp"]), now - allowance < end else {
      throw SignInRefusal("an ID token that ended at \(excerpt(claims["exp"]))", allowed: "one that has not")
    }
    guard let made = Self.time(claims["iat"]), made <= now + allowance else {
      throw SignInRefusal("an ID token made at \(excerpt(claims["iat"]))", allowed: "a time that was")
    }
    if let begin = claims["nbf"] {
      guard let time = Self.time(begin), time <= now + allowance else {
        throw SignInRefusal("an ID token that begins at \(excerpt(begin))", allowed: "one that has begun")
      }
    }
    guard !nonce.isEmpty, claims["nonce"]?.string == nonce else {
      throw SignInRefusal("an ID token that was made for another sign-in", allowed: "the nonce of this one")
    }
    guard let subject = claims["sub"]?.string, (1...Self.longestSubject).contains(subject.utf8.count),
      subject.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f && $0.value != 0xfffd })
    else {
      throw SignInRefusal(
        "an ID token of the subject \(excerpt(claims["sub"]))",
        allowed: "1 to \(Self.longestSubject) bytes without control characters")
    }
    self.issuer = issuer
    self.subject = subject
    all = claims
  }

  /// Reads seconds since 1970; nil for anything else.
  private static func time(_ value: JSONValue?) -> Instant? {
    guard let seconds = value?.double, (0...1e11).contains(seconds) else { return nil }
    return Instant(millisecondsSince1970: Int64(seconds * 1000))
  }

  /// Returns a claim about the person, a text of 1 to 100 bytes. A mail address counts only if the provider
  /// has verified it.
  public func text(_ claim: String) -> String? {
    guard let text = all[claim]?.string, (1...100).contains(text.utf8.count) else { return nil }
    if claim == "email" {
      guard case .bool(true)? = all["email_verified"] else { return nil }
    }
    return text
  }
}
