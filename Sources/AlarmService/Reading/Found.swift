import Store

/// What is asked for, or nil where there is no such thing.
package func found<Value>(_ find: () async throws -> Value) async throws -> Value? {
  do { return try await find() } catch StoreError.notFound { return nil }
}
