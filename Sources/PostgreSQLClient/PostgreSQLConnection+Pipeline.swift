import CPostgreSQL

extension PostgreSQLConnection {
  /// Sends several statements before reading the first answer, so that there is one wait. Returns one answer
  /// each, in order.
  ///
  /// Outside `transaction` the statements are one transaction. The first error is thrown and the statements
  /// after it are not run. The connection stays usable.
  public func pipeline(
    _ statements: [(sql: String, parameters: [PostgreSQLValue])]
  ) throws(PostgreSQLError) -> [PostgreSQLResult] {
    var given: [(sql: String, parameters: BinaryParameters)] = []
    given.reserveCapacity(statements.count)
    for statement in statements { given.append((statement.sql, try BinaryParameters(statement.parameters))) }
    guard !given.isEmpty else { return [] }
    do {
      return try send(given)
    } catch {
      guard error.isStalePlan, transactionState == PQTRANS_IDLE else { throw error }
      return try send(given)
    }
  }

  /// An operation whose answer is awaited.
  private enum Step {
    case preparation(of: String)
    case statement(prepared: String?)
  }

  private func send(
    _ statements: [(sql: String, parameters: BinaryParameters)]
  ) throws(PostgreSQLError) -> [PostgreSQLResult] {
    let handle = try opened()
    if transactionState != PQTRANS_INERROR {
      try makeRoom(for: min(statements.count, PreparedStatements.limit))
    }
    guard PQenterPipelineMode(handle) == 1 else { throw failure() }
    var steps: [Step] = []
    steps.reserveCapacity(statements.count)
    var sent = true
    for (sql, parameters) in statements where sent {
      sent = send(sql, parameters, on: handle, &steps)
    }
    let sendingFailed = sent ? nil : failure()
    guard PQpipelineSync(handle) == 1 else {
      let error = failure()
      // It is unknown which statements were sent, so the connection is unusable.
      close()
      throw sendingFailed ?? error
    }
    let (answers, error) = receive(steps, on: handle)
    if PQexitPipelineMode(handle) != 1 { close() }
    if let error = error ?? sendingFailed { throw error }
    return answers
  }

  private func send(
    _ sql: String, _ parameters: BinaryParameters, on handle: OpaquePointer, _ steps: inout [Step]
  ) -> Bool {
    guard Self.isPrepared(sql) else {
      guard parameters.send(sql, on: handle) else { return false }
      steps.append(.statement(prepared: nil))
      return true
    }
    var known = prepared.name(of: sql, parameters.types)
    if known == nil, prepared.count < PreparedStatements.limit {
      let name = prepared.add(sql, parameters.types)
      guard PQsendPrepare(handle, name, sql, Int32(parameters.types.count), parameters.types) == 1 else {
        prepared.forget(name)
        return false
      }
      steps.append(.preparation(of: name))
      known = name
    }
    guard known.map({ parameters.send(prepared: $0, on: handle) }) ?? parameters.send(sql, on: handle) else {
      return false
    }
    steps.append(.statement(prepared: known))
    return true
  }

  /// Reads all answers to the end of the pipeline, including those after an error.
  private func receive(
    _ steps: [Step], on handle: OpaquePointer
  ) -> (answers: [PostgreSQLResult], error: PostgreSQLError?) {
    var answers: [PostgreSQLResult] = []
    answers.reserveCapacity(steps.count)
    var first: PostgreSQLError?
    for step in steps {
      let result = PQgetResult(handle)
      let wasAborted = PQresultStatus(result) == PGRES_PIPELINE_ABORTED
      do {
        let answer = try answer(of: result)
        if case .statement = step { answers.append(answer) }
      } catch {
        switch step {
        case .preparation(let name): prepared.forget(name)
        case .statement(let name):
          if let name, error.isStalePlan { prepared.forget(name) }
        }
        if !wasAborted { first = first ?? error }
      }
      // Read to the end of this statement's answers.
      while result != nil, let more = PQgetResult(handle) { PQclear(more) }
      if isLost { break }
    }
    // Read to the end of the pipeline.
    var hasEnded = false
    var nothing = 0
    while !hasEnded, nothing < 3, !isLost {
      guard let result = PQgetResult(handle) else {
        nothing += 1
        continue
      }
      hasEnded = PQresultStatus(result) == PGRES_PIPELINE_SYNC
      PQclear(result)
    }
    if isLost, first == nil { first = failure() }
    return (answers, first)
  }
}
