import RefreshIndicator
import RefreshProtocol

/// A programme in one language, prepared to be sent and to be played.
final class PreparedIndicator: Sendable {
    let choreography: Choreography
    var rate: Int { choreography.programme.rate }
    /// The JSON text for the client.
    let wire: [UInt8]

    init(_ programme: Programme, language: String) {
        choreography = Choreography(programme.localized(to: language))
        wire = Array(programme.json(language: language).text.utf8)
    }
}
