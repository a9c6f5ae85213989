import Foundation
import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshBackends

@Suite("CSV")
struct CSVTableTests {
    private func objects(_ text: String) throws -> [[String: String]] {
        let items = try CSVTable.items(in: Array(text.utf8))
        return try (0..<items.count).map { index in
            let value = try JSONSerialization.jsonObject(with: Data(items[index]))
            return try #require(value as? [String: String])
        }
    }

    private func failure(_ text: String) -> String? { failure(Array(text.utf8)) }

    private func failure(_ bytes: [UInt8]) -> String? {
        do throws(LoadFailure) {
            _ = try CSVTable.items(in: bytes)
            return nil
        } catch {
            #expect(error.code == .backendAnswerMalformed)
            return error.message
        }
    }

    @Test("Rows become objects with string values, with the names and the order of the header")
    func rows() throws {
        let items = try CSVTable.items(in: Array("b,a\n1,x y\n2,\n".utf8))
        #expect(String(decoding: items[0], as: UTF8.self) == #"{"b":"1","a":"x y"}"#)
        #expect(String(decoding: items[1], as: UTF8.self) == #"{"b":"2","a":""}"#)
        #expect(items.count == 2)
    }

    @Test("Column names with different bytes are different, even if they look the same")
    func composedNames() throws {
        let items = try CSVTable.items(in: Array("\u{e9},e\u{301}\n1,2\n".utf8))
        #expect(Array(items[0]) == Array("{\"\u{e9}\":\"1\",\"e\u{301}\":\"2\"}".utf8))
        #expect(failure("e\u{301},e\u{301}\n1,2\n") != nil)
    }

    @Test(
        "A table can have CRLF or LF, quoted fields, empty lines and a byte order mark",
        arguments: [
            ("a,b\r\n1,2\r\n", [["a": "1", "b": "2"]]),
            ("a,b\n1,2", [["a": "1", "b": "2"]]),
            ("a,b\r\n1,2\r", [["a": "1", "b": "2"]]),
            ("\u{feff}a,b\n1,2\n", [["a": "1", "b": "2"]]),
            ("a,b\n\n1,2\n\n", [["a": "1", "b": "2"]]),
            ("a\n\n1\n", [["a": ""], ["a": "1"]]),
            ("\"a\",\"b,c\"\n\"1\",\"say \"\"hi\"\"\"\n", [["a": "1", "b,c": "say \"hi\""]]),
            ("a,b\n\"x\ny\r\nz\",\"\"\n", [["a": "x\ny\r\nz", "b": ""]]),
            ("a,b\n1,x\ry\n", [["a": "1", "b": "x\ry"]]),
            ("a,b\n,\n", [["a": "", "b": ""]]),
            ("a,b\n é ,😀\n", [["a": " é ", "b": "😀"]]),
            ("a,b\n", []), ("a,b", []), ("", []), ("\u{feff}", []),
        ] as [(String, [[String: String]])])
    func grammar(text: String, expected: [[String: String]]) throws {
        #expect(try objects(text) == expected)
    }

    @Test(
        "An error message contains the line number",
        arguments: [
            ("a,b\n1\n", "Line 2 of the file: its number of fields is 1, but the header's is 2."),
            (
                "a,b\n1,2\n1,2,3\n",
                "Line 3 of the file: its number of fields is 3, but the header's is 2."
            ),
            (
                "a,b\n\"x\n\n\",1\n1,2,3\n",
                "Line 5 of the file: its number of fields is 3, but the header's is 2."
            ),
            ("a,b\n1,\"2\n", "Line 2 of the file: a quote that is never closed."),
            ("a,b\n1,2\"3\n", "Line 2 of the file: a quote inside a field that is not quoted."),
            ("a,b\n\"1\"2,3\n", "Line 2 of the file: text after a quoted field."),
            (
                "a,a\n1,2\n",
                "Line 1 of the file: a column name in the header is empty or occurs twice."
            ),
            (
                "a,\n1,2\n",
                "Line 1 of the file: a column name in the header is empty or occurs twice."
            ),
            ("\n1\n", "Line 1 of the file: a column name in the header is empty or occurs twice."),
        ])
    func mistakes(text: String, message: String) {
        #expect(failure(text) == message)
    }

    @Test("A table that is not UTF-8 is refused")
    func notUTF8() {
        #expect(failure([0x61, 0x0A, 0xFF, 0x0A]) == "Line 2 of the file: not UTF-8.")
        #expect(failure([0x61, 0x0A, 0x22, 0xC3, 0x22]) == "Line 2 of the file: not UTF-8.")
    }

    @Test("5,000 random tables with quoted fields are read back")
    func roundTrip() async throws {
        var generator = SeededGenerator(seed: 3)
        let pieces = ["a", ",", "\"", "\n", "\r\n", "\r", " ", "é", "\\", "\t", "\u{1}"]
        for number in 0..<5_000 {
            if number % 200 == 0 { await Task.yield() }
            let columns = Int.random(in: 1...4, using: &generator)
            let rows = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                (0..<columns).map { _ in
                    (0..<Int.random(in: 0...4, using: &generator))
                        .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
                }
            }
            let header = (0..<columns).map { "c\($0)" }
            let lines = ([header] + rows).map { row in
                row.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: ",")
            }
            let expected = rows.map { Dictionary(uniqueKeysWithValues: zip(header, $0)) }
            #expect(try objects(lines.joined(separator: "\r\n")) == expected, "number \(number)")
        }
    }

    @Test("A table is refused if its items are too large together, or a line has over 4,096 fields")
    func bounds() throws {
        let name = String(repeating: "n", count: 100)
        let table = Array((name + "\n" + String(repeating: "1\n", count: 100)).utf8)
        #expect(try CSVTable.items(in: table, itemBytesMax: 10_800).count == 100)
        #expect {
            try CSVTable.items(in: table, itemBytesMax: 10_799)
        } throws: { error in
            (error as? LoadFailure)?.code == .backendAnswerTooLarge
        }
        let header = (1...4096).map { "c\($0)" }.joined(separator: ",")
        #expect(try objects(header + "\n").isEmpty)
        #expect(failure(header + ",c") == "Line 1 of the file: more than 4096 fields.")
        #expect(
            failure("a\n" + String(repeating: ",", count: 4096))
                == "Line 2 of the file: more than 4096 fields.")
    }

    @Test("If a mutated table is accepted, each of its items is valid JSON (100,000 tables)")
    func mutated() async throws {
        var generator = SeededGenerator(seed: 4)
        let original = Array("a,b\n\"x,\"\"\n\",2\r\n3,\"4\"\n".utf8)
        var read = 0
        for number in 0..<100_000 {
            if number % 500 == 0 { await Task.yield() }
            var bytes = original
            for _ in 0..<3 {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[index] =
                    [0x22, 0x2C, 0x0A, 0x0D, 0x61, 0xC3, 0x00].randomElement(using: &generator) ?? 0
            }
            guard let items = try? CSVTable.items(in: bytes) else { continue }
            read += 1
            let page = try items.page(from: 0, size: 100, bytesMax: 10_000)
            let answer = try PageReader.read(page.items)
            #expect(answer.count == items.count, "number \(number)")
        }
        #expect(read > 1000)
    }
}
