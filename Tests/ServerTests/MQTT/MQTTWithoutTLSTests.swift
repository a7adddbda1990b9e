#if !TLS
  import MQTTClient
  import Testing

  @Suite("Brokers without TLS")
  struct MQTTWithoutTLSTests {
    @Test func `a broker over TLS is refused in words, and one without is not`() throws {
      let error = #expect(throws: MQTTFailure.self) {
        try MQTTConnector(#require(MQTTAddress("mqtts://broker.example.org")))
      }
      #expect(error?.description.contains("built without TLS") == true)
      _ = try MQTTConnector(#require(MQTTAddress("mqtt://broker.example.org")))
    }
  }
#endif
