import RefreshProtocol

/// From `hello` to an open session.
///
///     handleHello ─▶ (authentication) ─▶ applyVerdict ─▶ (the session to resume) ─▶ open
///
/// While the authentication or the search for the session is pending, the stage is `greeting`. In
/// this stage, frames of the client are held: stored without being handled. After `hello` is
/// answered, the held frames are handled in order.
extension Conversation {
    mutating func handleHello(_ hello: Hello, at now: Instant) {
        guard hello.version == ProtocolVersion.current else {
            return report(Fault(.unsupportedProtocol, field: .protocol), at: now)
        }
        guard case .silent(let until) = phase.stage else { return }
        let authenticationRequest = AuthenticationRequest(
            token: hello.token, client: hello.client, session: name,
            resumes: hello.resume?.session,
            arrival: channel.consumeArrival() ?? AuthenticationRequest.Arrival())
        let verdict: AdmissionVerdict? =
            if let locator = services.sessionLocator {
                locator.authenticate(authenticationRequest, for: key)
            } else {
                .admitted(.anonymous)
            }
        var hello = hello
        hello.token = nil
        if case .admitted(let identity) = verdict, hello.resume == nil {
            principal = Principal(identity)
            return open(hello, at: now)
        }
        phase.greeting = Greeting(hello)
        guard let verdict else {
            let due = now.advanced(byMilliseconds: Double(services.limits.authDeadlineMs))
            enter(.greeting(until: due))
            return
        }
        enter(.greeting(until: until))
        applyVerdict(verdict, at: now)
    }

    /// Applies the result of authenticating the client. There are three cases. In the first, the
    /// client waits for the result after its `hello`. In the second, the client is about to resume
    /// this session, which is detached. In the third, the session is open, and the expiry of the
    /// client's token has changed. After this call, the caller must call `finishGreeting`.
    mutating func applyVerdict(_ verdict: AdmissionVerdict, at now: Instant) {
        switch (phase.stage, verdict) {
        case (.detached, .admitted(let identity)): principal = Principal(identity)
        // The wall clock was changed, so the token expires at another time of the daemon's clock.
        case (.open, .admitted(let identity)):
            principal.expires = identity.expires ?? .never
            phase.timeoutCheckDue = earliestTimeout
        default: break
        }
        guard case .greeting(let until) = phase.stage, let greeting = phase.greeting,
            !greeting.isAuthenticated
        else { return }
        switch verdict {
        case .admitted(let identity):
            principal = Principal(identity)
            phase.greeting?.isAuthenticated = true
            let due = now.advanced(byMilliseconds: Double(services.limits.helloTimeoutMs))
            enter(.greeting(until: max(until, due)))
            resumeOrOpen(greeting.hello, at: now)
        case .refused: report(Fault(.unauthorized), at: now)
        case .unavailable(.full): report(Fault(.tooManySessions), at: now)
        case .unavailable(.short): report(Fault(.outOfMemory), at: now)
        case .unavailable: report(Fault(.authUnavailable), at: now)
        }
    }

    /// Ends the wait for a decision that did not arrive in time.
    mutating func handleGreetingTimeout(at now: Instant) {
        if phase.greeting?.isAuthenticated == true {
            rejectResume(.unknownSession, at: now)
        } else {
            applyVerdict(.unavailable(.late), at: now)
        }
    }

    /// Requests the session that the client wants to resume. If the client does not want to resume
    /// a session, opens a new session.
    private mutating func resumeOrOpen(_ hello: Hello, at now: Instant) {
        guard let request = hello.resume else { return open(hello, at: now) }
        guard services.limits.resumeWindowMs > 0 else {
            return rejectResume(.switchedOff, at: now)
        }
        guard let locator = services.sessionLocator else {
            return rejectResume(.unknownSession, at: now)
        }
        locator.resume(
            ResumeAttempt(
                request: request, shown: hello.namedViews?.map(\.view), subject: principal.subject,
                feeds: principal.permittedFeeds, requester: key,
                connectedAt: credentials.connectedAt))
    }

    /// Opens a new session because the requested session cannot be resumed. The caller must then
    /// call `finishGreeting`.
    mutating func rejectResume(_ refusal: ResumeRefusal, at now: Instant) {
        guard case .greeting = phase.stage, let hello = phase.greeting?.hello else { return }
        services.metrics.recordResumeAttempt(refusal)
        open(hello, refusal: refusal, at: now)
    }

    /// Opens a new session.
    private mutating func open(
        _ hello: Hello, refusal: ResumeRefusal? = nil, at now: Instant
    ) {
        enter(.open)
        applySettings(of: hello, at: now)
        // If the decision was immediate, no frame was held.
        if phase.greeting?.text.isEmpty == true { phase.greeting = nil }
        phase.hasOpened = true
        services.sessionLocator?.registerSession(name, at: key)
        observer?.report(
            .greeted(client: hello.client, frames: hello.frames.mode, subject: principal.subject))
        outbox.append(
            .passing(
                ServerText.welcome(
                    session: name, token: credentials.token, resuming: refusal.map { .failure($0) },
                    feeds: principal.permittedFeeds, hasFeatures: inbound.features != nil,
                    services: services, now: now)))
        for attach in hello.views { self.attach(attach, seq: nil, at: now) }
    }

    /// Applies the settings in `hello`.
    mutating func applySettings(of hello: Hello, at now: Instant) {
        renderMode.settings = hello.frames
        headers = hello.headers
        if !headers.isEmpty { services.onGrowth?(headers.heldBytes, key, now) }
        snapshotPolicy.isEnabled = hello.wantsSnapshots && canSeal
        inbound.wantsDiagnostics = hello.wantsDiagnostics
        inbound.movements = nil
        inbound.features = hello.features
        updateFastPath()
    }

    /// Handles a frame, or the rest of a frame, while `phase.isListening` is false. If the client
    /// waits for the answer to its `hello`, these bytes are held. If not, they are dropped.
    @inline(never)
    mutating func holdOrDrop(
        _ frame: Span<UInt8>, from position: FramePosition, using scratch: inout FrameScratch,
        at now: Instant
    ) {
        guard case .greeting = phase.stage, phase.greeting != nil else {
            if position.isAtStart { services.metrics.recordVoidFrame() }
            return
        }
        guard position.isAtStart else {
            phase.greeting?.record(
                scratch.decoder.lastObject(in: frame),
                rest: scratch.decoder.remainingMessages(of: frame, at: position)
            )
            return
        }
        let bytes = unsafe frame.withUnsafeBufferPointer { unsafe Array($0) }
        services.onGrowth?(bytes.count, key, now)
        if phase.greeting?.hold(bytes, most: 2 * services.limits.frameBytesMax) == false {
            report(Fault(.tooManyBytes), at: now)
        }
    }

    /// Handles the held frames after `hello` was answered.
    mutating func finishGreeting(using scratch: inout FrameScratch, at now: Instant) {
        guard let greeting = phase.greeting, !phase.isGreeting else { return }
        phase.greeting = nil
        reportSkippedHelloFields(greeting.text, at: now)
        handleHeldFrames(greeting.held, using: &scratch, at: now)
    }

    /// Handles held frames. The first one is the rest of the frame that contained `hello`.
    ///
    /// `known` is the last sequence number that the session handled before this connection. In the
    /// first frame, messages up to this number are dropped. The client has repeated these messages
    /// because it did not know that the session had handled them. `resumed` is the `hello` of a
    /// session that resumes. The queries in this `hello` are applied after the first frame.
    mutating func handleHeldFrames(
        _ frames: [[UInt8]], known: UInt64 = 0, resumed: Hello? = nil,
        using scratch: inout FrameScratch, at now: Instant
    ) {
        scratch.decoder.features = inbound.features
        defer { scratch.decoder.features = nil }
        for (index, frame) in frames.enumerated() {
            let known = index == 0 ? known : 0
            var position = FramePosition()
            while phase.isListening, !position.isAtEnd {
                // The first message of a frame was counted when the frame arrived. The messages
                // that follow `hello` in the same frame were not counted.
                if index == 0 || !position.isAtStart, !countFurtherMessage(at: now) { return }
                let decoded = scratch.decoder.next(in: frame.span, at: &position)
                handleHeldMessage(decoded, in: frame.span, known: known, using: &scratch, at: now)
            }
            if index == 0, let resumed { applyQueries(of: resumed, at: now) }
        }
    }

    private mutating func handleHeldMessage(
        _ decoded: DecodedMessage, in frame: Span<UInt8>, known: UInt64,
        using scratch: inout FrameScratch,
        at now: Instant
    ) {
        switch decoded {
        case .end: break
        case .fault(let fault):
            if let seq = fault.seq, seq <= known { return services.metrics.recordRepeatedMessage() }
            report(fault, at: now)
            reportMistake(in: fault, at: now)
        case .message(let message):
            if let seq = message.header?.seq, seq <= known {
                return services.metrics.recordRepeatedMessage()
            }
            receive(message, in: frame, using: &scratch, at: now)
        }
    }
}
