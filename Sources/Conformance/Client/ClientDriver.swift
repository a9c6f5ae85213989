internal import RefreshProtocol
internal import ScenarioKit

/// The connection to the driver, the program that operates the client under test. A driver executes
/// orders (commands from the grader) and reports what the client shows. Source:
/// docs/conformance.md, "The driver".
final class ClientDriver {
    /// The name that the client gives itself, for the report.
    let name: String
    /// The features that the client offers.
    let abilities: Set<String>
    private let socket: RawSocket
    private var count = 0
    /// The reason why the driver is unusable: the driver has closed its connection, did not answer,
    /// or sent an invalid answer.
    private(set) var unusableReason: String?

    /// The answer to an order.
    enum Answer {
        case shown(JSONValue)
        case cannot(String)
        case failed(String)
        /// There was no answer in time, or the answer was invalid.
        case none(String)
    }

    /// Reads the first line of the driver, which contains the name and the features of the client.
    ///
    /// - Throws: if the first line does not arrive in time or is invalid.
    init(_ socket: RawSocket, withinMs: Int) throws(StepFailure) {
        self.socket = socket
        let line = socket.readLine(withinMs: withinMs)
        guard let line, let hello = try? JSONValue(parsing: line), hello["driver"]?.number == 1
        else {
            throw StepFailure(
                expected: #"a driver's first line, {"driver":1,…}"#,
                came: line.map(Self.shown) ?? "nothing")
        }
        name = hello["client"]?.string ?? "a client"
        abilities = Set(hello["can"]?.array?.compactMap(\.string) ?? [])
    }

    /// Sends an order and waits for the answer.
    func order(_ name: String, _ members: [JSONValue.Member], withinMs: Double) -> Answer {
        count += 1
        let head = [
            JSONValue.Member("order", .number(Double(count))),
            JSONValue.Member("do", .string(name)),
        ]
        let line = JSONValue.object(head + members).text + "\n"
        if let unusableReason { return .none(unusableReason) }
        guard socket.send(Array(line.utf8), withinMs: Int(withinMs)),
            let text = socket.readLine(withinMs: Int(withinMs))
        else {
            return markUnusable(
                socket.isClosedByPeer || socket.rejectsWrites
                    ? "the driver closed its connection after the order \(name)"
                    : "the driver did not answer the order \(name) within \(Int(withinMs)) ms")
        }
        guard let answer = try? JSONValue(parsing: text),
            answer["order"]?.number == Double(count)
        else {
            return markUnusable(
                "the driver answered order \(count), \(name), with \(Self.shown(text)), "
                    + "which does not have its number")
        }
        if let shown = answer["shown"] { return .shown(shown) }
        if let reason = answer["cannot"]?.string { return .cannot(reason) }
        return .failed(answer["error"]?.string ?? Self.shown(text))
    }

    private func markUnusable(_ why: String) -> Answer {
        unusableReason = why
        return .none(why)
    }

    /// Returns a line from the driver in the form in which the report shows it.
    private static func shown(_ line: String) -> String {
        String(line.split(whereSeparator: \.isNewline).joined(separator: " ").prefix(200))
    }
}
