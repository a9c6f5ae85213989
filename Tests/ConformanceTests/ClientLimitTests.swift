import Testing

@testable import Conformance

/// The time limits of expectations in cases for clients.
@Suite("Limits of client expectations")
struct ClientLimitTests {
    @Test("`not before` lengthens the standard limit of `expect connection`, but not `within`")
    func connection() {
        typealias Limit = ClientExpectation.Limit
        let given = Limit.ms(300)
        #expect(given.includingBackOff(notBeforeMs: 90, timeoutMs: 1000) == given)
        #expect(given.includingBackOff(notBeforeMs: nil, timeoutMs: 1000) == given)
        let standard = Limit.standardLimit
        #expect(standard.includingBackOff(notBeforeMs: 90, timeoutMs: 1000) == .ms(6000))
        #expect(standard.includingBackOff(notBeforeMs: nil, timeoutMs: 1000) == .ms(3000))
    }
}
