package import RefreshProtocol

/// The reason why a load returned no page.
package struct LoadFailure: Error, Hashable, Sendable {
    /// One of the `backend…` codes of the registry.
    package var code: FaultCode
    /// A description for the log and the client's developer, without secrets.
    @Bytewise package var message: String
    /// The time in milliseconds after which a retry makes sense, if the backend specified one.
    package var retryAfterMs: Int?

    package init(_ code: FaultCode, _ message: String, retryAfterMs: Int? = nil) {
        self.code = code
        self.message = message
        self.retryAfterMs = retryAfterMs
    }

    /// Whether the same request may succeed later.
    package var isTemporary: Bool { code.isTemporary }
}
