import RefreshProtocol
import RefreshScenario

/// A reader of client messages that takes no field that the page does not name.
enum StrictReader {
    private static let strict = MessageCheck(SchemaStyle(isClosed: true))
    private static let lenient = MessageCheck(SchemaStyle(isClosed: false))

    /// Whether the message is right but for fields that are not known.
    static func refuses(_ message: JSONValue) -> Bool {
        strict.finding(in: message, from: .client) != nil
            && lenient.finding(in: message, from: .client) == nil
    }
}
