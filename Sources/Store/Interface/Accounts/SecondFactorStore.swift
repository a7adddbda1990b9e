import AlarmEngine

/// Second factors of signing in.
public protocol SecondFactorStore: Sendable {
  /// - Throws: `.notFound` where there is none, confirmed or not.
  func secondFactor(of account: AccountID) async throws(StoreError) -> SecondFactor
  /// Begins one; an unconfirmed one is replaced.
  /// - Throws: `.taken` where one is confirmed; `.notFound` for the account.
  func begin(_ factor: SecondFactor) async throws(StoreError)
  /// From now on nobody signs in without it.
  /// - Parameter step: of the code that was shown.
  /// - Throws: `.notFound` where none waits to be confirmed, or another one does.
  func confirm(
    _ factor: SecondFactor, step: Int64, recoveryCodes: [TokenHash], at now: Instant
  ) async throws(StoreError)
  /// Uses up a code and all before it: of two at once that show the same code one succeeds.
  /// - Throws: `.notFound` when it is used up already, or there is no confirmed factor.
  func use(step: Int64, of account: AccountID) async throws(StoreError)
  /// Uses up a code on paper.
  /// - Throws: `.notFound` when there is no such code.
  func use(recoveryCode: TokenHash, of account: AccountID) async throws(StoreError)
  /// - Throws: `.notFound` where there is none.
  func removeSecondFactor(of account: AccountID) async throws(StoreError)
}
