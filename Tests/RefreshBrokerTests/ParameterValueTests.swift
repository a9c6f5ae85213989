import RefreshProtocol
import Testing

@testable import RefreshBroker

@Suite("Parameter values")
struct ParameterValueTests {
    @Test(
        "Every spelling of zero is the same number",
        arguments: ["0", "-0", "0.0", "-0.0", "-0e3", "-1e-400"])
    func zero(_ text: String) {
        let value = ParameterValue(text, as: .number)
        #expect(value == .number(0) && value?.text == "0")
        guard case .number(let number)? = value else { return }
        #expect(number.sign == .plus)
    }

    @Test("Numbers other than zero keep their sign")
    func sign() {
        #expect(ParameterValue("-1.5", as: .number)?.text == "-1.5")
        #expect(ParameterValue("-0", as: .integer)?.text == "0")
        #expect(ParameterValue("-0", as: .text)?.text == "-0")
    }
}
