import Store

/// Somebody whose session or token has been checked.
struct Signed: Sendable {
  let account: AccountID
  let login: String
  let isAdministrator: Bool
  let proof: Proof

  enum Proof: Sendable {
    /// By the cookie of a browser; changes need its token as well.
    case session(SessionID, csrfToken: String)
    /// By a program's token; no browser sends one by itself.
    case token(DeviceTokenID, name: String)
  }

  var session: SessionID? { if case .session(let id, _) = proof { id } else { nil } }
  /// As alarm records name who answered.
  var answerer: String { "account \(login)" }
}
