import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshBackends

@Suite("Item lists")
struct ItemListTests {
    private func text(_ item: ArraySlice<UInt8>) -> String { String(decoding: item, as: UTF8.self) }

    @Test(
        "A list stores the position of at most one item per KiB, even if its items are small",
        arguments: [1, 3, 700])
    func small(size: Int) throws {
        let count = 2_000_000 / (size + 1)
        let item =
            [UInt8](repeating: UInt8(ascii: "1"), count: min(size, 300))
            + [UInt8](repeating: 0x20, count: max(0, size - 300))
        let bytes =
            Array(("[" + text(item[...])).utf8)
            + (1..<count).flatMap { _ in [UInt8(ascii: ",")] + item } + [UInt8(ascii: "]")]
        let items = try JSONItems.items(in: bytes)
        #expect(items.count == count)
        #expect(items.markCount <= bytes.count / 1024 + 1)
    }

    @Test("Each item is found by its index, whatever the sizes of the items and the whitespace")
    func places() throws {
        var generator = SeededGenerator(seed: 11)
        for round in 0..<20 {
            let texts = (0..<500).map { number in
                let length = Int.random(in: 0...3, using: &generator) == 0 ? 900 : 3
                let count = Int.random(in: 0...length, using: &generator)
                return #"{"n":\#(number),"x,\"":["\#(String(repeating: "]", count: count))"]}"#
            }
            let gaps = [",", " ,", ",\n\t", "\r\n,  "]
            let json = texts.reduce("[ ") {
                $0 + ($0 == "[ " ? "" : gaps.randomElement(using: &generator) ?? ",") + $1
            }
            let lists = [
                try JSONItems.items(in: Array((json + "]").utf8)),
                try JSONItems.items(in: Array((#"{"total":"x","items":"# + json + "]}").utf8)),
                try JSONLines.items(in: Array(texts.joined(separator: " \r\n\n ").utf8)),
            ]
            for items in lists {
                #expect(items.count == 500, "round \(round)")
                #expect(items.indices.map { text(items[$0]) } == texts, "round \(round)")
                #expect(items[500].isEmpty)
                let page = try items.page(from: 123, size: 45, bytesMax: 1_000_000)
                let expected = texts[123..<168].joined(separator: ",")
                #expect(text(page.items[...]) == "[\(expected)]", "round \(round)")
            }
        }
    }

    @Test(
        "In every format, reading ends soon after its cancellation",
        arguments: FileFormat.allCases)
    func cancelled(format: FileFormat) throws {
        let line = #"{"n":1}"#
        let text =
            switch format {
            case .json: "[" + String(repeating: line + ",", count: 9999) + line + "]"
            case .jsonl: String(repeating: line + "\n", count: 10_000)
            case .csv: "n\n" + String(repeating: "1\n", count: 10_000)
            }
        // Reading ends before the error at the end of the second text.
        for bytes in [Array(text.utf8), Array((text + "\"\n,").utf8)] {
            let flag = CancellationFlag()
            flag.cancel()
            #expect(throws: LoadFailure(.backendFailed, "The call was cancelled.")) {
                try format.items(in: bytes, itemBytesMax: .max, for: flag)
            }
        }
        let items = try format.items(
            in: Array(text.utf8), itemBytesMax: .max, for: CancellationFlag())
        #expect(items.count == 10_000)
    }

    @Test("Only the member `items` of an object is checked, and other members are ignored")
    func object() throws {
        for text in [
            #"{"items":[1],"total":"x"}"#, #"{"more":7,"more":{},"next":[],"items":[1]}"#,
            #"{"\u0069tems":[1],"maxAgeMs":-1}"#,
        ] {
            #expect(try JSONItems.items(in: Array(text.utf8)).count == 1)
        }
        for text in [
            #"{"items":1}"#, #"{"items":null}"#, #"{"items":[],"items":[]}"#, #"{"item":[]}"#, "{}",
            #"{"items":[1]"#, #"{"items":[1],}"#, #"{"items":[1]} 2"#, "1", "",
        ] {
            #expect(throws: AnswerFault.self) { try JSONItems.items(in: Array(text.utf8)) }
        }
    }
}

extension ItemList {
    fileprivate var indices: Range<Int> { 0..<count }
}
