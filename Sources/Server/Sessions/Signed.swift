import Store

/// A person whose session or token has been verified.
struct Signed: Sendable {
  let account: AccountID
  let login: String
  let isAdministrator: Bool
  let proof: Proof

  enum Proof: Sendable {
    /// A browser's cookie; changes need its token as well.
    case session(SessionID, csrfToken: String)
    /// The secret of a session of a phone app; no browser sends one by itself.
    case appSession(SessionID)
    /// A program's token; no browser sends one by itself.
    case token(DeviceTokenID, name: String)
  }

  var session: SessionID? {
    switch proof {
    case .session(let id, _), .appSession(let id): id
    case .token: nil
    }
  }
  /// The person's name in alarm records that they have answered.
  var answerer: String { "account \(login)" }
}
