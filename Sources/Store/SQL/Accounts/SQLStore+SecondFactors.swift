import AlarmEngine
import Foundation

/// Second factors for signing in.
extension SQLStore {
  /// - Throws: `.notFound` if there is none, confirmed or not.
  public func secondFactor(of account: AccountID) async throws(StoreError) -> SecondFactor {
    try await read { database in
      let row = try database.row(
        """
        SELECT secret, confirmed_at, last_step, (SELECT count(*) FROM recovery_code WHERE account = ?1)
        FROM second_factor WHERE account = ?1
        """, [account.sql])
      guard let row else { throw StoreError.notFound }
      var factor = SecondFactor(account: account, secret: row.bytes(0))
      factor.confirmedAt = row.optionalInstant(1)
      factor.lastStep = row[2]
      factor.recoveryCodes = row[3]
      return factor
    }
  }

  /// Stores an unconfirmed factor, replacing an earlier unconfirmed one.
  /// - Throws: `.taken` if a confirmed one exists; `.notFound` if there is no such account.
  public func begin(_ factor: SecondFactor) async throws(StoreError) {
    try await write { database in
      _ = try Self.account(factor.account, database)
      let begun = try database.run(
        """
        INSERT INTO second_factor (account, secret, confirmed_at, last_step) VALUES (?, ?, NULL, 0)
        ON CONFLICT (account) DO UPDATE SET secret = excluded.secret WHERE second_factor.confirmed_at IS NULL
        """, [factor.account.sql, Data(factor.secret)])
      guard begun == 1 else { throw StoreError.taken }
    }
  }

  /// Confirms the factor. From then on signing in requires it.
  /// - Parameter step: the time step of the code that was shown.
  /// - Throws: `.notFound` if no factor, or another one, waits for confirmation.
  public func confirm(
    _ factor: SecondFactor, step: Int64, recoveryCodes: [TokenHash], at now: Instant
  ) async throws(StoreError) {
    try await write { database in
      let confirmed = try database.run(
        """
        UPDATE second_factor SET confirmed_at = ?, last_step = ?
        WHERE account = ? AND secret = ? AND confirmed_at IS NULL
        """, [now.sql, step, factor.account.sql, Data(factor.secret)])
      guard confirmed == 1 else { throw StoreError.notFound }
      try database.run("DELETE FROM recovery_code WHERE account = ?", [factor.account.sql])
      for code in recoveryCodes {
        try database.insert(
          "INSERT INTO recovery_code (account, hash) VALUES (?, ?)", [factor.account.sql, code.sql])
      }
    }
  }

  /// Uses up the code of a step, with all earlier ones. If two requests show the same code at once, one
  /// succeeds.
  /// - Throws: `.notFound` if it is used up already, or there is no confirmed factor.
  public func use(step: Int64, of account: AccountID) async throws(StoreError) {
    try await write { database in
      let used = try database.run(
        """
        UPDATE second_factor SET last_step = ?1
        WHERE account = ?2 AND confirmed_at IS NOT NULL AND last_step < ?1
        """, [step, account.sql])
      guard used == 1 else { throw StoreError.notFound }
    }
  }

  /// Uses up a recovery code.
  /// - Throws: `.notFound` if there is no such code.
  public func use(recoveryCode: TokenHash, of account: AccountID) async throws(StoreError) {
    try await write { database in
      let used = try database.run(
        """
        DELETE FROM recovery_code WHERE account = ?1 AND hash = ?2
          AND EXISTS (SELECT 1 FROM second_factor WHERE account = ?1 AND confirmed_at IS NOT NULL)
        """, [account.sql, recoveryCode.sql])
      guard used == 1 else { throw StoreError.notFound }
    }
  }

  /// - Throws: `.notFound` if there is none.
  public func removeSecondFactor(of account: AccountID) async throws(StoreError) {
    try await write { database in
      try database.run("DELETE FROM recovery_code WHERE account = ?", [account.sql])
      let removed = try database.run("DELETE FROM second_factor WHERE account = ?", [account.sql])
      guard removed == 1 else { throw StoreError.notFound }
    }
  }
}
