import RefreshProtocol
import ScenarioBench
import ScenarioKit
import Testing

/// Parses a pattern in the syntax of scenario files.
func pattern(_ text: String) throws -> Pattern {
    guard
        case .expect(.next(let whole, _)) = try scenario("expect next {it: \(text)}")
            .phases[0].steps[0].action, let inner = whole["it"]
    else { throw StepFailure(expected: "a pattern", came: text) }
    return inner
}

@Suite("Patterns")
struct MessageComparisonTests {
    @Test(
        "A value matches a pattern",
        arguments: [
            ("{}", "{\"a\":1}"), ("{a: 1}", "{\"a\":1,\"b\":2}"),
            ("{a: {b: x}}", "{\"a\":{\"b\":\"x\",\"c\":0}}"),
            ("{a: absent}", "{\"b\":2}"), ("{a: *}", "{\"a\":null}"), ("[1, 2]", "[1,2.0]"),
            ("[1, ...]", "[1]"), ("[1, ...]", "[1,2,3]"), ("length 0", "[]"), ("length 2", "[0,0]"),
            ("~0.5", "0.5009"), ("1 ~ 0.5", "1.5"), (">0", "0.1"), ("<=5", "5"), ("-0", "0"),
            ("like \"a*c*e\"", "\"abcde\""), ("like \"*\"", "\"\""), ("like \"abc\"", "\"abc\""),
            ("like \"a*a\"", "\"aa\""), ("$known", "[1,{\"a\":null}]"), ("null", "null"),
            ("{a: absent | 0}", "{}"), ("{a: absent | 0}", "{\"a\":0}"), ("<1 | >2 | x", "\"x\""),
            ("{a: [1] | [2, ...]}", "{\"a\":[2,3]}"), ("{a: x | ?b, c: $b}", "{\"a\":1,\"c\":1}"),
        ])
    func matches(form: String, json: String) throws {
        var comparison = MessageComparison(
            variables: ["known": try JSONValue(parsing: "[1,{\"a\":null}]")])
        comparison.compare(try JSONValue(parsing: json), with: try pattern(form))
        #expect(comparison.mismatches.isEmpty)
    }

    @Test(
        "A mismatch has the path, the expected text and the actual value",
        arguments: [
            ("{a: 1}", "{\"a\":2}", ["a: expected 1, found 2"]),
            ("{a: 1}", "{}", ["a: expected 1, found nothing"]),
            ("{a: *}", "{}", ["a: expected *, found nothing"]),
            ("{a: absent}", "{\"a\":null}", ["a: expected absent, found null"]),
            (
                "{a: {b: [x, y]}}", "{\"a\":{\"b\":[\"x\",\"z\"]}}",
                ["a.b[1]: expected \"y\", found \"z\""]
            ),
            ("[1]", "[1,2]", ["the message: expected 1 elements, found [1,2]"]),
            ("[1, ...]", "[]", ["the message: expected at least 1 elements, found []"]),
            ("length 2", "[1]", ["the message: expected length 2, found [1]"]),
            ("~0.5", "0.502", ["the message: expected 0.5 ~ 0.001, found 0.502"]),
            ("<5", "5", ["the message: expected <5, found 5"]),
            ("\"1\"", "1", ["the message: expected \"1\", found 1"]),
            ("1", "true", ["the message: expected 1, found true"]),
            ("like \"a*b\"", "\"ab c\"", ["the message: expected like \"a*b\", found \"ab c\""]),
            ("like \"a*a\"", "\"a\"", ["the message: expected like \"a*a\", found \"a\""]),
            ("{a: absent | 0}", "{\"a\":1}", ["a: expected absent | 0, found 1"]),
            ("{a: <1 | >2}", "{}", ["a: expected <1 | >2, found nothing"]),
            ("$other", "1", ["the message: expected $other, which has no value yet, found 1"]),
            (
                "{a: 1, b: 2}", "{\"a\":2,\"b\":1}",
                ["a: expected 1, found 2", "b: expected 2, found 1"]
            ),
        ])
    func differs(form: String, json: String, mismatches: [String]) throws {
        var comparison = MessageComparison()
        comparison.compare(try JSONValue(parsing: json), with: try pattern(form))
        #expect(comparison.mismatches.map(\.description) == mismatches)
    }

    @Test("A captured value can be used in later patterns")
    func capture() throws {
        var comparison = MessageComparison()
        comparison.compare(
            try JSONValue(parsing: "{\"a\":\"1.2\",\"b\":\"1.2\"}"),
            with: try pattern("{a: ?id, b: $id}"))
        #expect(comparison.isMatch)
        #expect(comparison.captured == ["id": .string("1.2")])
    }

    @Test(
        "JSON is parsed strictly",
        arguments: [
            "", "{", "{\"a\"}", "{\"a\":1,}", "[1,]", "01", "1.", "+1", "nul", "\"\n\"", "{a:1}",
            "1 2",
            "\"\\ud800\"", "NaN", "{\"a\":1,\"a\":1}", "1e999", "'a'",
        ])
    func strictJSON(text: String) {
        #expect(throws: FaultCode.self) { try JSONValue(parsing: text) }
    }

    @Test("Parsed JSON keeps the order of its fields and all texts")
    func roundTrip() throws {
        let text = "{\"b\":[1,-0.5,1e+20,true,null],\"a\":\"\u{301}\\\"\\\\\\n\\u0001é\",\"c\":{}}"
        #expect(try JSONValue(parsing: text).text == text)
    }

    @Test("A member of a JSON object can be replaced, appended and removed by its name")
    func members() throws {
        var value = try JSONValue(parsing: "{\"b\":1,\"a\":2}")
        value["b"] = .bool(true)
        value["c"] = .null
        #expect(value.text == "{\"b\":true,\"a\":2,\"c\":null}")
        value["a"] = nil
        value["d"] = nil
        #expect(value.text == "{\"b\":true,\"c\":null}")
        value = .number(1)
        value["a"] = .null
        #expect(value == .number(1))
    }
}
