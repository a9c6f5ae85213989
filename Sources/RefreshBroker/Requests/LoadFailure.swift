package import RefreshProtocol

/// Why a load gave no page.
package struct LoadFailure: Error, Hashable, Sendable {
    /// One of the `backend…` codes of the registry.
    package var code: FaultCode
    /// For the log and the client's developer: what happened, without secrets.
    @Bytewise package var message: String
    /// Milliseconds after which trying again makes sense, where the backend said so.
    package var retryAfterMs: Int?

    package init(_ code: FaultCode, _ message: String, retryAfterMs: Int? = nil) {
        self.code = code
        self.message = message
        self.retryAfterMs = retryAfterMs
    }

    /// Whether the same request may succeed later.
    package var isTemporary: Bool { code.isTemporary }
}
