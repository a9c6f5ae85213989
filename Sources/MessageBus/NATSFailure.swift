internal import CNATS

/// An error of libnats.
struct NATSFailure: Error {
    let reason: String
    /// Whether the server refused the credentials.
    let isUnauthorized: Bool

    init(_ reason: String) {
        self.reason = reason
        isUnauthorized = false
    }

    /// The errors of several servers.
    init(_ failures: [NATSFailure]) {
        reason = failures.map(\.reason).joined(separator: " ")
        isUnauthorized = failures.contains { $0.isUnauthorized }
    }

    /// The error of a call that has just failed on this thread. `subject` begins the reason.
    init(_ subject: String, _ status: natsStatus) {
        let text = unsafe nats_GetLastError(nil).map { unsafe String(cString: $0) } ?? ""
        reason = "\(subject): \(Self.text(status, text))."
        isUnauthorized = status == NATS_CONNECTION_AUTH_FAILED
    }

    /// Throws unless the call that returned `status` succeeded.
    static func check(_ subject: String, _ status: natsStatus) throws(NATSFailure) {
        if status != NATS_OK { throw NATSFailure(subject, status) }
    }

    /// Returns libnats's texts for an error: the general text of its status, and the specific one.
    static func text(_ status: natsStatus, _ text: String) -> String {
        let general = unsafe natsStatus_GetText(status).map { unsafe String(cString: $0) } ?? ""
        return text.isEmpty || text == general ? general : "\(general): \(text)"
    }
}
