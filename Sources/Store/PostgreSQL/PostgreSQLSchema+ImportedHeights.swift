#if PostgreSQL
  extension PostgreSQLSchema {
    /// Heights of positions that came in files, as of those that phones report.
    static let importedHeights = """
      ALTER TABLE imported_fix ADD COLUMN altitude double precision, ADD COLUMN altitude_error double precision,
        ADD COLUMN altitude_reference bigint;
      """
  }
#endif
