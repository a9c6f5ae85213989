import RefreshProtocol

/// The phase of a session's connection, from its first frame to its end.
struct ConnectionPhase {
    enum Stage {
        /// No `hello` was received yet. It must arrive before this instant.
        case silent(until: Instant)
        /// `hello` was received, and a decision of another component is pending: the
        /// authentication, or the search for the session to resume. The decision must arrive before
        /// this instant. Frames that the client sends meanwhile are stored, and handled after the
        /// decision.
        case greeting(until: Instant)
        case open
        /// The connection closes after all queued messages have been sent.
        case closing(CloseCode)
        /// Nothing is received or sent. `keeps` states whether the client may resume the session.
        case closed(keeps: Bool)
        /// The connection is gone. The client may resume the session before this instant.
        case detached(until: Instant)
    }

    /// Only `Conversation.enter` changes the stage, because it also updates `timeoutCheckDue`.
    var stage: Stage
    /// A `hello` that waits for a decision.
    var greeting: Greeting?
    /// Whether `hello` was answered, on this connection or on an earlier one.
    var hasOpened = false
    /// Whether the connection was closed because the client has ended the session by `bye`.
    var isEndedByClient = false
    /// When the time-outs must be checked next (`Conversation.handleClientTimeouts`). The time can
    /// be too early, but never too late.
    var timeoutCheckDue: Instant

    init(helloDue: Instant) {
        stage = .silent(until: helloDue)
        timeoutCheckDue = helloDue
    }

    var isOpen: Bool {
        @inline(__always) get {
            if case .open = stage { true } else { false }
        }
    }

    /// Whether messages of the client are handled.
    var isListening: Bool {
        @inline(__always) get {
            switch stage {
            case .silent, .open: true
            case .greeting, .closing, .closed, .detached: false
            }
        }
    }

    /// Whether the session still answers its client. It does so until its connection is about to
    /// close.
    var isAnswering: Bool {
        switch stage {
        case .silent, .greeting, .open: true
        case .closing, .closed, .detached: false
        }
    }

    /// Whether messages can reach the client.
    var isConnected: Bool {
        switch stage {
        case .silent, .greeting, .open, .closing: true
        case .closed, .detached: false
        }
    }

    /// Whether `hello` was received and is not answered yet.
    var isGreeting: Bool {
        if case .greeting = stage { true } else { false }
    }

    /// When the session stops waiting for its client; nil while it has a connection.
    var resumeDeadline: Instant? {
        if case .detached(let until) = stage { until } else { nil }
    }

    /// Whether the session has ended and cannot be resumed. The connection may not be closed yet.
    var hasEnded: Bool {
        switch stage {
        case .closing(let code): !code.keepsSession
        case .closed(let keeps): !keeps
        case .silent, .greeting, .open, .detached: false
        }
    }

    /// Whether the session can be kept when its connection ends at this stage.
    var keepsSession: Bool {
        switch stage {
        case .open, .detached: true
        case .closing(let code): code.keepsSession
        case .closed(let keeps): keeps
        case .silent, .greeting: false
        }
    }
}

// MARK: Saved state
extension ConnectionPhase {
    /// The phase of a connection while no decision is pending.
    struct SavedState: Sendable, Codable {
        /// The stages at which a journal can begin.
        enum Stage: Sendable, Codable {
            case silent(until: Instant)
            case open
            case detached(until: Instant)
        }

        var stage: Stage
        var hasOpened: Bool
        var timeoutCheckDue: Instant

        private enum CodingKeys: String, CodingKey {
            case stage, hasOpened
            case timeoutCheckDue = "patienceEnds"
        }
    }

    /// The saved state. Nil while a decision is pending or the connection is closing.
    var savedState: SavedState? {
        guard greeting == nil else { return nil }
        let saved: SavedState.Stage
        switch stage {
        case .silent(let until): saved = .silent(until: until)
        case .open: saved = .open
        case .detached(let until): saved = .detached(until: until)
        case .greeting, .closing, .closed: return nil
        }
        return SavedState(stage: saved, hasOpened: hasOpened, timeoutCheckDue: timeoutCheckDue)
    }

    init(_ saved: SavedState) {
        stage =
            switch saved.stage {
            case .silent(let until): .silent(until: until)
            case .open: .open
            case .detached(let until): .detached(until: until)
            }
        hasOpened = saved.hasOpened
        timeoutCheckDue = saved.timeoutCheckDue
    }
}
