#if PostgreSQL
  extension PostgreSQLSchema {
    /// Alarms about the distance between two devices. That of a target that is deleted stays until its watcher was told. A
    /// process of the version before does not judge them: all processes are renewed before the first is made.
    static let companions = """
      CREATE TABLE companion (
        id bigint PRIMARY KEY, account bigint NOT NULL REFERENCES account ON DELETE CASCADE,
        device bigint NOT NULL REFERENCES device ON DELETE CASCADE,
        target bigint REFERENCES device ON DELETE SET NULL, name text COLLATE "C" NOT NULL,
        rings_when bigint NOT NULL, distance double precision NOT NULL, assurance bigint NOT NULL,
        horizon bigint NOT NULL, created_at bigint NOT NULL, begins bigint, ended bigint, ended_at bigint,
        bytes bytea
      );
      CREATE INDEX companion_account ON companion (account);
      CREATE INDEX companion_device ON companion (device);
      CREATE INDEX companion_target ON companion (target);
      """
  }
#endif
