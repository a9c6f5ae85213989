import RefreshProtocol
import Testing

/// A message on the wire, and its meaning.
struct Fixture: Sendable, CustomTestStringConvertible {
    let name: String
    let wire: String
    let message: ClientMessage

    init(_ name: String, _ wire: String, _ message: ClientMessage) {
        self.name = name
        self.wire = wire
        self.message = message
    }

    var testDescription: String { name }

    /// A value with some of its fields set.
    static func with<Value>(_ value: Value, _ set: (inout Value) -> Void) -> Value {
        var value = value
        set(&value)
        return value
    }
}
