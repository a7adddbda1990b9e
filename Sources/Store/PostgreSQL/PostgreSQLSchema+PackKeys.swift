#if PostgreSQL
  extension PostgreSQLSchema {
    /// The statements by which keys of packs named the keys that followed them; the earliest has the lowest number.
    static let packKeyChanges = """
      CREATE TABLE pack_key_change (
        account bigint NOT NULL REFERENCES pack_key ON DELETE CASCADE, number bigint NOT NULL,
        statement bytea NOT NULL, PRIMARY KEY (account, number)
      );
      """
  }
#endif
