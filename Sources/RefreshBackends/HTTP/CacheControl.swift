/// The cache lifetime of an answer according to its HTTP headers. Source: RFC 9111, 4.2.1 and
/// 5.2.2.
enum CacheControl {
    private static let lifetimeMsMax = 86_400_000

    /// Returns the remaining lifetime in milliseconds, at most one day. Returns 0 if caching is
    /// forbidden, and nil if the lifetime is unspecified. `age` is the time in seconds that the
    /// answer has already spent in caches.
    static func lifetimeMs(_ values: [String], age: Int = 0) -> Int? {
        let directives = values.flatMap { HeaderText.split($0, at: UInt8(ascii: ",")) }
        var lifetime: Int?
        for directive in directives {
            let (name, value) = HeaderText.parameter(directive)
            if name == "no-store" || name == "no-cache" { return 0 }
            guard name == "max-age", let value, isDigits(value) else { continue }
            // A number that overflows exceeds one day in any case.
            let seconds = Int(value) ?? lifetimeMsMax
            lifetime = min(lifetime ?? .max, seconds)
        }
        return lifetime.map { min(max(0, $0 - max(0, age)), lifetimeMsMax / 1000) * 1000 }
    }

    private static func isDigits(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
}
