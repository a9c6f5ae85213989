/// For how long an answer may be given again, as HTTP says it. Source: RFC 9111, 4.2.1 and 5.2.2.
enum CacheControl {
    private static let lifetimeMsMax = 86_400_000

    /// Milliseconds that are left, at most a day; 0: not at all; nil: nothing is said. `age` is how
    /// many seconds the answer was on its way.
    static func lifetimeMs(_ values: [String], age: Int = 0) -> Int? {
        let directives = values.flatMap { HeaderText.split($0, at: UInt8(ascii: ",")) }
        var lifetime: Int?
        for directive in directives {
            let (name, value) = HeaderText.parameter(directive)
            if name == "no-store" || name == "no-cache" { return 0 }
            guard name == "max-age", let value, isDigits(value) else { continue }
            // Too many digits for a number are more than a day in any case.
            let seconds = Int(value) ?? lifetimeMsMax
            lifetime = min(lifetime ?? .max, seconds)
        }
        return lifetime.map { min(max(0, $0 - max(0, age)), lifetimeMsMax / 1000) * 1000 }
    }

    private static func isDigits(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
}
