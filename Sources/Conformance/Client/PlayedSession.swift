internal import RefreshProtocol
internal import ScenarioKit

/// The state of the session as sent to the client.
struct PlayedSession {
    private(set) var batchMessagesMax = 64
    private(set) var frameBytesMax = 65_536
    private(set) var generations: [String: Int] = [:]
    /// The features in the last `welcome`. Nil if the last `welcome` has no `features`, or if no
    /// `welcome` was sent yet.
    private(set) var features: Set<String>?
    /// The largest `ack` that was sent.
    private(set) var ack = 0

    /// Updates the state from a message of the server.
    mutating func update(from message: JSONValue) {
        let sentAck = message["ack"]?.wholeNumber
        switch message["type"]?.string {
        case "welcome":
            ack = sentAck ?? 0
            features = message["features"]?.array.map { Set($0.compactMap(\.string)) }
            let limits = message["limits"]
            batchMessagesMax =
                limits?["batchMessagesMax"]?.wholeNumber ?? batchMessagesMax
            frameBytesMax = limits?["frameBytesMax"]?.wholeNumber ?? frameBytesMax
            if message["resumed"]?.bool != true { generations = [:] }
        case "attached":
            if let view = message["view"]?.string, let number = message["generation"]?.wholeNumber {
                generations[view] = number
            }
        default: break
        }
        ack = max(ack, sentAck ?? 0)
    }
}
