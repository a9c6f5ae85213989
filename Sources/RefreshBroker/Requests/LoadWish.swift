/// What a session asks the broker for.
package struct LoadWish: Hashable, Sendable {
    package var request: LoadRequest
    /// The same whenever this load of this session is asked for, also after the daemon was
    /// restarted; at most 128 ASCII characters. The backend sees that of the session which began
    /// its call.
    package var idempotencyKey: String
    /// What serves in place of a new answer.
    package var keptPages: KeptPages

    package init(
        _ request: LoadRequest, idempotencyKey: String, keptPages: KeptPages = .any
    ) {
        self.request = request
        self.idempotencyKey = idempotencyKey
        self.keptPages = keptPages
    }
}
