internal import RefreshProtocol

/// The driver of a client under test: gives it orders, and hears what is shown. Source:
/// docs/conformance.md, "The driver".
final class ClientDriver {
    /// How it calls itself.
    let name: String
    /// What it offers.
    let abilities: Set<String>
    private let socket: RawSocket
    private var count = 0
    /// Whether it has hung up, or did not answer: nothing more can be asked of it.
    private(set) var isGone = false

    /// What an order came to.
    enum Answer {
        case shown(JSONValue)
        case cannot(String)
        case failed(String)
        /// It did not answer in time, or with what is no answer.
        case none(String)
    }

    /// Hears how the driver introduces itself.
    /// - Throws: when it does not.
    init(_ socket: RawSocket, withinMs: Int) throws(StepFailure) {
        self.socket = socket
        let line = socket.readLine(withinMs: withinMs)
        guard let line, let hello = try? JSONValue(parsing: line), hello["driver"]?.number == 1
        else {
            throw StepFailure(
                expected: #"a driver's first line, {"driver":1,…}"#, came: line ?? "nothing")
        }
        name = hello["client"]?.string ?? "a client"
        abilities = Set(hello["can"]?.array?.compactMap(\.string) ?? [])
    }

    /// Gives an order, and waits for the answer.
    func order(_ deed: String, _ members: [JSONValue.Member], withinMs: Double) -> Answer {
        count += 1
        let head = [
            JSONValue.Member("order", .number(Double(count))),
            JSONValue.Member("do", .string(deed)),
        ]
        let line = JSONValue.object(head + members).text + "\n"
        guard !isGone, socket.send(Array(line.utf8), withinMs: Int(withinMs)),
            let text = socket.readLine(withinMs: Int(withinMs))
        else {
            isGone = true
            return .none("the driver does not answer")
        }
        guard let answer = try? JSONValue(parsing: text),
            answer["order"]?.number == Double(count)
        else {
            isGone = true
            return .none("the driver answers \(text)")
        }
        if let shown = answer["shown"] { return .shown(shown) }
        if let reason = answer["cannot"]?.string { return .cannot(reason) }
        return .failed(answer["error"]?.string ?? text)
    }
}
