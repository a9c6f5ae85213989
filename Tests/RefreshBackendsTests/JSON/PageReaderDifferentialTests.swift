import Foundation
import Testing
import Workbench

@testable import RefreshBackends

/// Compares the page reader with Foundation: `JSONSerialization` must accept every answer that the
/// page reader accepts, and find the same number of items.
@Suite("The page reader compared with JSONSerialization")
struct PageReaderDifferentialTests {
    @Test("Both parsers accept 20,000 generated answers and find the same number of items")
    func generated() async throws {
        var generator = SeededGenerator(seed: 1)
        for number in 0..<20_000 {
            if number % 500 == 0 { await Task.yield() }
            let bytes = answer(&generator)
            let read = try PageReader.read(bytes)
            check(read.count, bytes, number)
        }
    }

    @Test("Of 100,000 mutated answers, the page reader accepts none that Foundation refuses")
    func mutated() async {
        var generator = SeededGenerator(seed: 2)
        var accepted = 0
        for number in 0..<100_000 {
            if number % 500 == 0 { await Task.yield() }
            var bytes = answer(&generator)
            for _ in 0..<Int.random(in: 1...3, using: &generator) { mutate(&bytes, &generator) }
            guard let read = try? PageReader.read(bytes) else { continue }
            accepted += 1
            check(read.count, bytes, number)
        }
        // Some mutated answers must be accepted and some refused, or the test proves nothing.
        #expect(accepted > 5_000)
        #expect(accepted < 80_000)
    }

    private func check(_ count: Int, _ bytes: [UInt8], _ number: Int) {
        guard foundationCount(bytes) != count else { return }
        Issue.record(
            "number \(number): \(count) items in \(String(decoding: bytes, as: UTF8.self))")
    }

    private func foundationCount(_ bytes: [UInt8]) -> Int? {
        let value = try? JSONSerialization.jsonObject(
            with: Data(bytes), options: [.fragmentsAllowed])
        if let array = value as? [Any] { return array.count }
        if let object = value as? [String: Any] { return (object["items"] as? [Any])?.count }
        return nil
    }

    private func mutate(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        let grammar = Array("[]{},:\"\\0123456789.eE+-truefalsn \n\t\0".utf8)
        let index = Int.random(in: 0..<max(1, bytes.count), using: &generator)
        let byte =
            Bool.random(using: &generator)
            ? grammar[Int.random(in: 0..<grammar.count, using: &generator)]
            : UInt8.random(in: 0...255, using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0 where !bytes.isEmpty: bytes.remove(at: index)
        case 1: bytes.insert(byte, at: min(index, bytes.count))
        case 2: bytes.removeLast(min(bytes.count, Int.random(in: 0...4, using: &generator)))
        case 3 where bytes.count > 1:
            bytes.swapAt(index, Int.random(in: 0..<bytes.count, using: &generator))
        default: if !bytes.isEmpty { bytes[index] = byte }
        }
    }

    private func answer(_ generator: inout SeededGenerator) -> [UInt8] {
        var text = ""
        let items = array(depth: 0, &generator)
        guard Bool.random(using: &generator) else { return Array((text + items).utf8) }
        text += "{\(space(&generator))\"items\":\(space(&generator))\(items)"
        if Bool.random(using: &generator) { text += ",\"more\":\(Bool.random(using: &generator))" }
        if Bool.random(using: &generator) { text += ",\"next\":\(string(&generator))" }
        if Bool.random(using: &generator) { text += ",\"total\":12" }
        if Bool.random(using: &generator) { text += ",\"x\":\(value(depth: 1, &generator))" }
        return Array((text + space(&generator) + "}\n").utf8)
    }

    private func array(depth: Int, _ generator: inout SeededGenerator) -> String {
        let values = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
            space(&generator) + value(depth: depth + 1, &generator) + space(&generator)
        }
        return "[" + values.joined(separator: ",") + "]"
    }

    private func value(depth: Int, _ generator: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<(depth > 4 ? 5 : 7), using: &generator) {
        case 0: return "null"
        case 1: return Bool.random(using: &generator) ? "true" : "false"
        case 2: return String(Int.random(in: -1000...1000, using: &generator))
        case 3:
            return ["1.5e3", "-0", "0.25E-2", "1e+2", "-12.75"].randomElement(using: &generator)
                ?? "0"
        case 4: return string(&generator)
        case 5: return array(depth: depth, &generator)
        default:
            let members = (0..<Int.random(in: 0...3, using: &generator)).map { number in
                "\"k\(number)\"" + space(&generator) + ":" + value(depth: depth + 1, &generator)
            }
            return "{" + members.joined(separator: ",") + "}"
        }
    }

    private func string(_ generator: inout SeededGenerator) -> String {
        let pieces = [
            "a", "é", "😀", "\\n", "\\u00e9", "\\ud83d\\ude00", "\\\"", "\\\\", " ", "/", "\u{7f}",
        ]
        let text = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
            pieces.randomElement(using: &generator) ?? ""
        }
        return "\"" + text.joined() + "\""
    }

    private func space(_ generator: inout SeededGenerator) -> String {
        ["", "", " ", "\n", "\t\r\n"].randomElement(using: &generator) ?? ""
    }
}
