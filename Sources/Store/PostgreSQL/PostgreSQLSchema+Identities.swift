#if PostgreSQL
  extension PostgreSQLSchema {
    /// Who signs in by a provider, and challenges that are used up.
    static let identities = """
      CREATE TABLE login_identity (
        id bigint PRIMARY KEY, account bigint NOT NULL REFERENCES account ON DELETE CASCADE,
        issuer text COLLATE "C" NOT NULL, subject text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL,
        bound_at bigint NOT NULL, last_used_at bigint, UNIQUE (issuer, subject)
      );
      CREATE INDEX login_identity_account ON login_identity (account);
      CREATE TABLE used_challenge (hash bytea PRIMARY KEY, expires_at bigint NOT NULL);
      CREATE INDEX used_challenge_expires_at ON used_challenge (expires_at);
      """
  }
#endif
