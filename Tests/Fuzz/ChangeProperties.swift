import RefreshProtocol

@testable import RefreshBackends
@testable import RefreshBroker

/// The properties of every stream of changes. The first byte of the input is the size of the pieces
/// in which the stream arrives.
enum ChangeProperties {
    private static let reader = ChangeReader(
        feeds: [
            "feed": .init(
                itemKey: JSONPointer("/id"), parameters: ["q", FeedParameter("n", .integer)])
        ], hashedBy: SipHash(key: 1, 2))

    static func check(_ input: [UInt8]) {
        guard let first = input.first else { return }
        let bytes = Array(input.dropFirst())
        let whole = parsed([bytes])
        require(
            parsed(pieces(of: bytes, size: Int(first) + 1)) == whole,
            "a stream has the same events however it is divided")
        require(
            whole.parser.lastID.count <= EventStreamParser.idBytesMax
                && whole.parser.lastID.allSatisfy { $0 >= 0x20 && $0 != 0x7F },
            "a header can contain the identity of an event")
        require(
            whole.parser.retryMs.map(EventStreamParser.retryRange.contains) ?? true,
            "the time before a new connection is in its range")
        for event in whole.events {
            require(event.count <= EventStreamParser.bytesMax, "the data of an event is bounded")
            checkReport(event)
        }
        checkReport(bytes)
    }

    /// What has been read so far, and whether there was too much.
    private struct Outcome: Hashable {
        var events: [[UInt8]] = []
        var parser = EventStreamParser()
        var isTooLarge = false
    }

    private static func parsed(_ pieces: [[UInt8]]) -> Outcome {
        var outcome = Outcome()
        do throws(EventStreamParser.Overflow) {
            for piece in pieces { try outcome.parser.read(piece.span, into: &outcome.events) }
        } catch {
            outcome.isTooLarge = true
        }
        return outcome
    }

    private static func pieces(of bytes: [UInt8], size: Int) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: size).map {
            Array(bytes[$0..<min($0 + size, bytes.count)])
        }
    }

    private static func checkReport(_ report: [UInt8]) {
        do throws(ChangeReportFault) {
            let change = try reader.change(of: "feed", in: report.span)
            guard let items = change.items else { return }
            let count = items.reduce(0) { $0 + $1.operations.count }
            require(
                (1...ItemChange.operationsMax).contains(count),
                "the number of operations is in its range")
            let text = ItemChange.json(of: items)
            require(
                reader.items(of: "feed", in: text.span) == items,
                "another node reads the same operations")
            var twice = change
            twice.add(change)
            require(
                twice.items.map { $0.first?.operations.count == 2 * count } ?? true,
                "merged changes have all operations or none")
        } catch {
            require(!error.message.isEmpty, "a fault has a message")
        }
    }
}
