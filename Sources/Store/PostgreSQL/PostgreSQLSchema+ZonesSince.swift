#if PostgreSQL
  extension PostgreSQLSchema {
    /// What was edited since an edit is found without reading all zones.
    static let zonesSince = """
      CREATE INDEX zone_account_since ON zone (account, since, is_deleted);
      CREATE INDEX zone_collection_since ON zone (collection, since) WHERE collection IS NOT NULL;
      -- The last edit before zones, or what they were, were forgotten: what changed up to it cannot be told.
      ALTER TABLE zone_clock ADD COLUMN forgotten bigint NOT NULL DEFAULT 0;
      UPDATE zone_clock SET forgotten = edit;
      """
  }
#endif
