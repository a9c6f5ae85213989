/// What a session asks the broker for.
package struct LoadWish: Hashable, Sendable {
    package var request: LoadRequest
    /// The same whenever this load of this session is asked for, also after the daemon was restarted;
    /// at most 128 ASCII characters. The backend sees that of the session which began its call.
    package var idempotencyKey: String
    /// A refresh that somebody asked for: it wants a new answer, not a kept one.
    package var isExplicit: Bool

    package init(_ request: LoadRequest, idempotencyKey: String, isExplicit: Bool = false) {
        self.request = request
        self.idempotencyKey = idempotencyKey
        self.isExplicit = isExplicit
    }
}
