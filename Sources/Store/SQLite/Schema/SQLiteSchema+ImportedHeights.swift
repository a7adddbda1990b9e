extension SQLiteSchema {
  /// Heights of positions that came in files, as of those that phones report.
  static let importedHeights = """
    ALTER TABLE imported_fix ADD COLUMN altitude REAL;
    ALTER TABLE imported_fix ADD COLUMN altitude_error REAL;
    ALTER TABLE imported_fix ADD COLUMN altitude_reference INTEGER;
    """
}
