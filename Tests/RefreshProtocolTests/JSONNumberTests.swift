import Foundation
import RefreshProtocol
import Testing

@Suite struct JSONNumberTests {
    @Test("200,000 random doubles are written in their shortest form and read back exactly")
    func roundTrip() {
        var random = SeededGenerator("JSON number round trip", seed: 20_260_101)
        var out = ByteBuffer()
        for turn in 0..<200_000 {
            let value = Self.double(turn, &random)
            out.removeAll()
            out.append(value)
            let bytes = out.bytes
            let back = try? JSONNumber.read(bytes.span, at: 0)
            guard back?.value.bitPattern == value.bitPattern, back?.end == bytes.count else {
                Issue.record(
                    "\(value) was written \(Self.text(bytes)), read \(String(describing: back))")
                return
            }
            guard bytes.count <= 24, Self.isShortest(bytes, value) else {
                Issue.record("\(value) was written \(Self.text(bytes))")
                return
            }
        }
    }

    @Test("50,000 random decimal texts are read as `Double` reads them")
    func readsExactly() {
        var random = SeededGenerator("JSON number texts", seed: 20_260_102)
        for _ in 0..<50_000 {
            let text = JSONSamples.number(&random)
            let bytes = Array(text.utf8)
            let wanted = Double(text) ?? .nan
            do throws(FaultCode) {
                let (value, end) = try JSONNumber.read(bytes.span, at: 0)
                guard value.bitPattern == wanted.bitPattern, end == bytes.count else {
                    Issue.record("\(text) was read as \(value)")
                    return
                }
            } catch {
                let isUnderflow = wanted == 0 && text.contains { ("1"..."9").contains($0) }
                guard error == .numberOutOfRange, wanted.isInfinite || isUnderflow else {
                    Issue.record("\(text) was refused: \(error)")
                    return
                }
            }
        }
    }

    @Test(
        "Texts at the limits of a double are read exactly",
        arguments: [
            "0", "-0", "-0.0", "0.0", "0e999", "-0e-999", "0.000000000000001", "999999999999999",
            "9007199254740992", "9007199254740993", "9007199254740991.5", "0.1", "1e22", "1e23",
            "8.5e-318", "2.2250738585072011e-308", "2.2250738585072014e-308", "5e-324",
            "2.4703282292062328e-324", "1.7976931348623157e308", "1.7976931348623158e308",
            "179769313486231570814e288", "18446744073709551615", "18446744073709551616",
            "123456789012345678901234567890", "1E5", "1e+5", "1E-05", "1e0000000001",
            "0.30000000000000004", "7.2057594037927933e16", "9.007199254740993e15",
        ])
    func edges(_ text: String) throws {
        let bytes = Array(text.utf8)
        let (value, end) = try JSONNumber.read(bytes.span, at: 0)
        #expect(value.bitPattern == Double(text)?.bitPattern)
        #expect(end == bytes.count)
    }

    @Test(
        "A text that is not a JSON number is refused as malformed",
        arguments: [
            "", "-", "+1", "01", "-01", "00", "00.5", "1.", "-1.", ".5", "-.5", "1.e5", "1e", "1e+",
            "1e-", "1.5e", "NaN", "nan", "-NaN", "Infinity", "-Infinity", "inf", "0x10", "0x1p4",
            "1_000", "1,5", "1 2", "--1", "1e5.5", "1ee5", "e5", "٣", "1f", "1d", "0b1",
        ])
    func refusals(_ text: String) {
        #expect(throws: FaultCode.malformedJSON) { try JSONValue(parsing: text) }
        #expect(throws: FaultCode.malformedJSON) { try JSONValue(parsing: "[0,\(text):0]") }
    }

    @Test(
        "A number that a double cannot represent is out of range",
        arguments: [
            "1e400", "-1e400", "1e309", "1.7976931348623159e308", "1e-400", "-1e-400", "2e-324",
            "1e99999999999999999999", "1e-99999999999999999999",
            "1" + String(repeating: "0", count: 400),
        ])
    func outOfRange(_ text: String) {
        #expect(throws: FaultCode.numberOutOfRange) { try JSONValue(parsing: text) }
    }

    @Test(
        "A skipped number may be too small for a double, but not too large",
        arguments: [
            ("0", true), ("-0.0", true), ("10", true), ("1.7976931348623157e308", true),
            ("1e-400", true), ("-1e-400", true), ("2e-324", true), ("0e99999999999999999999", true),
            ("1e-99999999999999999999", true),
            ("0." + String(repeating: "0", count: 400) + "1", true),
            ("1e309", false), ("-1e400", false), ("1.7976931348623159e308", false),
            ("1e99999999999999999999", false), ("1" + String(repeating: "0", count: 400), false),
        ])
    func passedOver(_ text: String, isTaken: Bool) throws {
        let bytes = Array("[\(text) ]".utf8)
        var scanner = JSONScanner(bytes.span, limits: .generous)
        do throws(FaultCode) {
            #expect(
                try scanner.skipValue(depth: 0, allowingUnderflow: true) == bytes.indices)
            #expect(isTaken)
        } catch {
            #expect(!isTaken)
            #expect(error == .numberOutOfRange)
        }
    }

    @Test("In 100,000 texts of number characters, skipping and reading end at the same byte")
    func passedOverAsRead() {
        var generator = SeededGenerator("JSON number skip", seed: 20_260_103)
        let alphabet = Array("0123456789..eE+-".utf8)
        var taken = 0
        for _ in 0..<100_000 {
            let bytes = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
            }
            let skipped: Result<Int, FaultCode> = Self.result { () throws(FaultCode) in
                try JSONNumber.skip(bytes.span, at: 0)
            }
            let read: Result<Int, FaultCode> = Self.result { () throws(FaultCode) in
                try JSONNumber.read(bytes.span, at: 0).end
            }
            if case .success = read { taken += 1 }
            if skipped == read { continue }
            // The only permitted difference is an underflow, which only reading refuses.
            guard case .success(let end) = skipped, read == .failure(.numberOutOfRange),
                Double(Self.text(Array(bytes[..<end])))?.isZero == true
            else {
                Issue.record("\(Self.text(bytes)): \(skipped) instead of \(read)")
                return
            }
        }
        #expect(taken > 20_000)
    }

    private static func result(
        _ body: () throws(FaultCode) -> Int
    ) -> Result<Int, FaultCode> {
        do throws(FaultCode) { return .success(try body()) } catch { return .failure(error) }
    }

    @Test("Whole numbers are written with all their digits")
    func wholeNumbers() {
        var out = ByteBuffer()
        for value in [0, 9, 10, 99, 100, 999_999, 10_000_000_000, UInt64(Int64.max), .max] {
            out.removeAll()
            out.append(value)
            #expect(Self.text(out.bytes) == String(value))
        }
        for value in [0, -1, Int.min, Int.max, -10] {
            out.removeAll()
            out.append(value)
            #expect(Self.text(out.bytes) == String(value))
        }
    }

    /// Returns doubles of several kinds in turn. Each kind has its own code path.
    private static func double(_ turn: Int, _ random: inout SeededGenerator) -> Double {
        let bits = random.next()
        switch turn % 8 {
        case 0, 1:
            let value = Double(bitPattern: bits)
            return value.isFinite ? value : Double(bitPattern: bits & ~(1 << 62))
        case 2: return decimal(bits % 1_000_000_000, places: random.below(9), bits)
        case 3: return decimal(bits % 1_000_000_000_000_000_000, places: random.below(19), bits)
        case 4: return Double(bitPattern: bits & 0x800F_FFFF_FFFF_FFFF)
        case 5: return Double(sign: .plus, exponent: random.below(2098) - 1074, significand: 1)
        case 6: return Double(Int64(truncatingIfNeeded: bits) >> Int64(random.below(63))) / 2
        default: return (Double(Int64(bits >> 40)) / 1_000_000).nextUp
        }
    }

    private static func decimal(_ digits: UInt64, places: Int, _ bits: UInt64) -> Double {
        let magnitude = Double("\(digits)e-\(places)") ?? 0
        return bits >> 63 == 0 ? magnitude : -magnitude
    }

    /// Whether the text is as short as possible: it has no more significant digits than Swift's
    /// shortest form, or no more characters. A large whole number may be written in full.
    private static func isShortest(_ bytes: [UInt8], _ value: Double) -> Bool {
        let swift = Array(value.description.utf8)
        return digits(bytes) <= digits(swift) || bytes.count <= swift.count
    }

    /// The number of digits of the significand, without the zeros at both ends.
    private static func digits(_ text: [UInt8]) -> Int {
        let significand = text.prefix { $0 != 0x65 }.filter { (0x30...0x39).contains($0) }
        let trimmed = significand.drop { $0 == 0x30 }
        return trimmed.count - trimmed.reversed().prefix { $0 == 0x30 }.count
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("Ten-thousandths are written as the shortest text of their double value")
    func tenThousandths() {
        var values: [Int32] = [.min, .min + 1, .max, .max - 1, 99_990_000, -100_000_001]
        values += (-20_100...20_100).map { Int32($0) }
        var random = SeededGenerator("JSON number ten-thousandths", seed: 20_260_104)
        for _ in 0..<20_000 { values.append(Int32.random(in: .min ... .max, using: &random)) }
        for value in values {
            var out = ByteBuffer()
            out.append(tenThousandths: value)
            var expected = ByteBuffer()
            expected.append(Double(value) / 10_000)
            guard out.bytes != expected.bytes else { continue }
            Issue.record("\(value): \(String(decoding: out.bytes, as: UTF8.self))")
        }
    }
}
