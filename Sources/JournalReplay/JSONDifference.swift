package import RefreshProtocol

/// The first place where two JSON values differ.
package struct JSONDifference: Hashable, Sendable {
    /// The path of the place. `$` is the whole value. A member is written as `.name`, and an
    /// element as `[n]`. A name with characters other than ASCII letters, digits, `_` and `-` is
    /// written as `["name"]`.
    package var path: String
    /// The expected value; nil if none was expected.
    package var expected: JSONValue?
    /// The actual value; nil if there is none.
    package var got: JSONValue?

    package init(path: String, expected: JSONValue?, got: JSONValue?) {
        self.path = path
        self.expected = expected
        self.got = got
    }

    /// Returns the first difference between two values; nil if they are equal. Members are compared
    /// in the order of the expected object.
    ///
    /// Two objects are equal even if their members are in a different order. Numbers are equal if
    /// they differ by at most `tolerance`.
    static func first(
        _ expected: JSONValue?, _ got: JSONValue?, at path: String = "$", within tolerance: Double
    ) -> JSONDifference? {
        switch (expected, got) {
        case (nil, nil): return nil
        case (.number(let recorded)?, .number(let came)?) where abs(recorded - came) <= tolerance:
            return nil
        case (.object(let recorded)?, .object(let came)?):
            let names = recorded.map(\.name) + came.map(\.name).filter { expected?[$0] == nil }
            return names.lazy.compactMap { name in
                first(expected?[name], got?[name], at: path + pathStep(to: name), within: tolerance)
            }.first
        case (.array(let recorded)?, .array(let came)?):
            return (0..<max(recorded.count, came.count)).lazy.compactMap { index in
                first(
                    index < recorded.count ? recorded[index] : nil,
                    index < came.count ? came[index] : nil,
                    at: "\(path)[\(index)]", within: tolerance)
            }.first
        default:
            guard expected != got else { return nil }
            return JSONDifference(path: path, expected: expected, got: got)
        }
    }

    /// Returns the part of a path that leads to the member of this name: `.name` or `["name"]`.
    static func pathStep(to name: String) -> String {
        let isPlain =
            !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D: true
                default: false
                }
            }
        return isPlain ? ".\(name)" : "[\(JSONValue.string(name).text)]"
    }

    /// A JSON object with `path`, `expected` and `got`.
    var json: JSONValue {
        var value = JSONValue.object([.init("path", .string(path))])
        value["expected"] = expected
        value["got"] = got
        return value
    }
}
