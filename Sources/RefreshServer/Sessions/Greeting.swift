import RefreshProtocol

/// A `hello` that is not decided on yet, and what the client has sent behind it.
final class Greeting {
    /// Without its token, which is not kept.
    let hello: Hello
    /// Whether it is known who the client is.
    var isIdentified = false
    /// The message, as it came.
    private(set) var text: [UInt8] = []
    /// Frames that wait, in order.
    private(set) var held: [[UInt8]] = []
    private var heldBytes = 0

    init(_ hello: Hello) { self.hello = hello }

    /// Takes up the message as it came and the rest of its frame: an array of messages, perhaps of
    /// none.
    func note(_ text: [UInt8], rest: [UInt8]) {
        self.text = text
        hold(rest)
    }

    /// A frame waits; false if more than `most` bytes would.
    @discardableResult
    func hold(_ frame: [UInt8], most: Int = .max) -> Bool {
        heldBytes += frame.count
        guard heldBytes <= most else { return false }
        held.append(frame)
        return true
    }

    /// What a client comes back with.
    var arrival: Homecoming { Homecoming(hello, text: text, held: held) }
}
