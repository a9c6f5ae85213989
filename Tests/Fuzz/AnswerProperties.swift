import Foundation
import RefreshProtocol

@testable import RefreshBackends
@testable import RefreshBroker

/// The properties of every answer of an HTTP server. The first byte of the input selects the
/// options. The header lines, an empty line and the body follow.
enum AnswerProperties {
    /// A page, and whether the body of the answer specifies the page's lifetime.
    private struct Reading: Hashable {
        var page: Page
        var saysLifetime: Bool
    }

    static func check(_ input: [UInt8]) {
        guard let first = input.first else { return }
        let result = reading(of: Array(input.dropFirst()), options(first))
        require(
            reading(of: Array(input.dropFirst()), options(first)) == result,
            "the same answer is read equally twice")
        switch result {
        case .success(let reading): check(reading)
        case .failure(let error):
            require(
                error.code.rawValue.hasPrefix("backend"), "the code of a failure is a backend code")
            require(!error.message.isEmpty, "a failure has a message")
            require(
                (0...86_400_000).contains(error.retryAfterMs ?? 0), "a retry waits at most a day")
        }
    }

    private static func reading(
        of text: [UInt8], _ options: HTTPOptions
    ) -> Result<Reading, LoadFailure> {
        do throws(LoadFailure) {
            let (page, says) = try HTTPPageReader(options).page(of: try answer(text))
            return .success(Reading(page: page, saysLifetime: says))
        } catch {
            return .failure(error)
        }
    }

    /// Returns the answer that an HTTP transfer of the broker derives from these header lines and
    /// this body.
    private static func answer(_ text: [UInt8]) throws(LoadFailure) -> HTTPAnswer {
        var fields = ResponseFields()
        var rest = text[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
            let line = Array(rest[..<end])
            rest = rest[end...]
            try fields.handleLine(line)
            if line.allSatisfy({ $0 <= 0x20 }) { break }
        }
        require(fields.age >= 0, "an age is not negative")
        var answer = HTTPAnswer(status: fields.status, fields: fields)
        answer.retryAfterSeconds = fields.age
        if answer.isSuccess { answer.body = Array(rest) }
        return answer
    }

    private static func options(_ choice: UInt8) -> HTTPOptions {
        var options = HTTPOptions()
        if choice & 1 != 0 {
            options.items = JSONPointer("/data/0/rows")
            options.total = JSONPointer("/meta/n")
            options.more = JSONPointer("/meta/has~1more")
        }
        if choice & 2 != 0 { options.next = .link }
        if choice & 4 != 0 { options.nextParameter = "page" }
        if choice & 8 != 0, let pointer = JSONPointer("/meta/0") {
            options.next = .pointer(pointer)
        }
        return options
    }

    private static func check(_ reading: Reading) {
        let page = reading.page
        require(
            (page.cursor?.utf8.count ?? 0) <= PageReader.cursorBytesMax,
            "a cursor has at most `cursorBytesMax` bytes")
        require(page.cursor != "", "no cursor is empty")
        require(page.total ?? 0 >= 0, "a total is not negative")
        // A lifetime from a header is at most a day. A lifetime from the body may be longer,
        // because only the cache limits such a lifetime.
        let lifetimeMsMax = reading.saysLifetime ? (1 << 53) - 1 : 86_400_000
        require((0...lifetimeMsMax).contains(page.lifetimeMs ?? 0), "a lifetime is in its range")
        require(page.items.first == 0x5B && page.items.last == 0x5D, "items are an array")
        // The items are counted only if Foundation can parse them. Foundation has limits of its
        // own, and rejects unpaired surrogates.
        if let items = try? JSONSerialization.jsonObject(with: Data(page.items)) {
            require(
                (items as? [Any])?.count == page.count,
                "the number of items equals the count of the page")
        }
        guard let pointer = JSONPointer("/id") else { return }
        let keys = ItemKeys(of: page, at: pointer, hashedBy: SipHash(key: 1, 2))
        require(keys != nil, "items that are an array have keys")
        require(keys?.elements.count == page.count, "each item has a position in the array")
        for element in keys?.elements ?? [] {
            require(
                element.lowerBound > 0 && element.upperBound < page.items.count,
                "an item lies within the array")
        }
    }
}
