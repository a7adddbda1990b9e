#if PostgreSQL
  extension PostgreSQLSchema {
    /// Public keys that accounts are signed in to with.
    static let passkeys = """
      CREATE TABLE passkey (
        id bigint PRIMARY KEY, account bigint NOT NULL REFERENCES account ON DELETE CASCADE,
        credential bytea NOT NULL UNIQUE, public_key bytea NOT NULL, relying_party text COLLATE "C" NOT NULL,
        sign_count bigint NOT NULL, name text COLLATE "C" NOT NULL, created_at bigint NOT NULL, last_used_at bigint
      );
      CREATE INDEX passkey_account ON passkey (account);
      """
  }
#endif
