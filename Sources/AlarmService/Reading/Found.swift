import Store

/// Returns the result of `find`; nil if it throws `StoreError.notFound`.
package func found<Value>(_ find: () async throws -> Value) async throws -> Value? {
  do { return try await find() } catch StoreError.notFound { return nil }
}
