extension SQLiteSchema {
  /// What phones tell of themselves, alarms about it, and how large bodies were that were not understood.
  ///
  /// Besides, tokens that stood in clear are taken out: Traccar's identifier is one where a device was set up by our link,
  /// and it was kept with each position, as the name of an unclaimed device, and as that device's identity. A token of ours
  /// is 43 letters, digits, hyphens and underscores.
  static let phones = """
    CREATE TABLE device_status (
      device INTEGER PRIMARY KEY REFERENCES device ON DELETE CASCADE, battery REAL, is_charging INTEGER, motion TEXT,
      altitude REAL, told_at INTEGER, low_since INTEGER, unread_since INTEGER, unread INTEGER
    );
    ALTER TABLE alarm ADD COLUMN level REAL;
    ALTER TABLE alarm ADD COLUMN unread INTEGER;
    ALTER TABLE raw_body ADD COLUMN size INTEGER;

    UPDATE fix SET detail = json_remove(detail, '$."_"')
      WHERE detail LIKE '%"\\_":%' ESCAPE '\\' AND json_valid(detail);
    UPDATE fix SET detail = json_remove(detail, (
        SELECT fullkey FROM json_each(detail) WHERE type = 'text' AND \(isToken("value")) LIMIT 1))
      WHERE length(detail) > 43 AND EXISTS (
        SELECT 1 FROM json_each(CASE WHEN json_valid(detail) THEN detail ELSE '{}' END)
        WHERE type = 'text' AND \(isToken("value")));
    UPDATE fix SET detail = NULL WHERE detail = '{}';
    DELETE FROM device_identity WHERE account IS NULL AND \(isToken("value"));
    UPDATE device SET name = 'Traccar Client' WHERE \(isToken("name"));
    -- They may hold the identifier anywhere, and are kept for two weeks only.
    DELETE FROM raw_body WHERE source IN ('traccar', 'log/traccar');
    """

  private static func isToken(_ column: String) -> String {
    "length(\(column)) = 43 AND \(column) NOT GLOB '*[^A-Za-z0-9_-]*'"
  }
}
