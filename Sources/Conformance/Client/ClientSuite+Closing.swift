internal import RefreshProtocol

/// Cases about the close of connections, and whether and when a client reconnects.
extension ClientSuite {
    static let closing = numberedCases(
        .closing,
        [
            Draft(
                "draining-goes-on", "`draining` requires no action before the close.",
                expects: "The client stays connected, and sends what its host requests.",
                at: "draining", needs: [.requests]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.send(#"{"type":"draining","closes":2500}"#)
                try trial.expectNoConnection(forMs: 150)
                try trial.performHostRequest("refresh")
            },
            Draft(
                "drained-comes-back",
                "After the close with 4100 a client reconnects with back-off.",
                expects: "Another connection, after at least 0.1 s.", at: "draining"
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.send(#"{"type":"draining","closes":100}"#)
                try trial.wait(ms: 60)
                try trial.expectReconnect(after: trial.close(4100), notWithinMs: 90)
            },
            Draft(
                "lost-comes-back",
                "After a connection breaks, the client reconnects with back-off.",
                expects: "Another connection, after at least 0.1 s.", at: "coming-back"
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.expectReconnect(after: trial.cut(), notWithinMs: 90)
            },
        ] + [1001, 4101, 4102, 4103, 4104, 4105].map(reconnectCase)
            + [
                Draft(
                    "dropped-comes-back",
                    "A connection that the network ends is lost; the client has not left.",
                    expects: "Another connection.", at: "coming-back"
                ) { trial throws(TrialEnd) in
                    try trial.open()
                    try trial.order("drop")
                    try trial.awaitDisconnect()
                    try trial.awaitConnection(withinMs: trial.patienceMs + 2000)
                },
                Draft(
                    "back-off-grows", "Each further attempt may wait twice as long.",
                    expects:
                        "The second attempt after at least 0.1 s, the third after at least 0.2 s.",
                    at: "coming-back"
                ) { trial throws(TrialEnd) in
                    try trial.open()
                    trial.server.refuseUpgrades(2)
                    let first = try trial.expectReconnect(after: trial.cut(), notWithinMs: 90)
                    let second = try trial.expectReconnect(after: first, notWithinMs: 180)
                    try trial.expectReconnect(after: second, notWithinMs: 360)
                },
                Draft(
                    "expired-at-once", "4200: reconnect at once with a new token.",
                    expects: "Another connection within a second; not at once after a second 4200.",
                    at: "close-codes", level: .should
                ) { trial throws(TrialEnd) in
                    try trial.open()
                    let closed = trial.close(4200)
                    let asked = try trial.awaitConnection()
                    try trial.require(
                        asked - closed < 1000, "a connection at once",
                        came: "one after \(asked - closed) ms")
                    try trial.answerHello(
                        try trial.expect("hello"), ServerMessages.welcome(token: "T2"))
                    try trial.expectReconnect(after: trial.close(4200), notWithinMs: 90)
                },
            ] + [1007, 1009, 4001, 4002, 4004, 4005, 4099].map(staysAwayCase)
            + [
                Draft(
                    "bye", "A client that ends its session sends `bye`.",
                    expects: "`bye`, the end of the connection, and no other connection.",
                    at: "ping-bye"
                ) { trial throws(TrialEnd) in
                    try trial.open()
                    trial.expectsDisconnect = true
                    try trial.order("bye")
                    try trial.expect("bye")
                    if !trial.endedConnections.contains(trial.connection) {
                        try trial.send(#"{"type":"bye"}"#)
                        trial.close(1000)
                    }
                    try trial.awaitDisconnect()
                    try trial.expectNoConnection(forMs: 1300)
                }
            ])

    /// Returns the section with the reaction to a code. The codes that the daemon sends have their
    /// own rows; the others are covered by ranges.
    private static func section(of code: UInt16) -> String {
        CloseCode(rawValue: code) == nil ? "coming-back" : "close-codes"
    }

    private static func reconnectCase(_ code: UInt16) -> Draft {
        Draft(
            "comes-back-\(code)", "\(code): reconnect with back-off.",
            expects: "Another connection, after at least 0.1 s.", at: section(of: code)
        ) { trial throws(TrialEnd) in
            try trial.open()
            try trial.expectReconnect(after: trial.close(code), notWithinMs: 90)
        }
    }

    private static func staysAwayCase(_ code: UInt16) -> Draft {
        let what =
            code == 4005
            ? "leave the session to the other connection" : "do not come back unchanged"
        return Draft(
            "stays-away-\(code)", "\(code): \(what).",
            expects:
                "No other connection within the longest first wait; the client reports the "
                + "refusal.",
            at: section(of: code)
        ) { trial throws(TrialEnd) in
            try trial.open()
            trial.expectsDisconnect = true
            trial.close(code)
            try trial.awaitDisconnect()
            try trial.expectNoConnection(forMs: 1300)
            try trial.expectStatus("refused")
        }
    }

    static let liveness = numberedCases(
        .liveness,
        [
            Draft(
                "heartbeat", "A client that has been silent for `heartbeat` ms should `ping`.",
                expects: "`ping` with its clock within 3 s, for a heartbeat of 500 ms.",
                at: "welcome", level: .should
            ) { trial throws(TrialEnd) in
                try trial.open(welcome: ServerMessages.welcome(heartbeat: 500))
                try trial.wait(ms: 100)
                _ = trial.removeReceived(["ping"])
                try trial.expect("ping", "{t: *}", withinMs: 3000)
            },
            Draft(
                "pong-is-taken", "`pong` answers `ping`, with the clocks of both sides.",
                expects: "The client accepts it, and sends `ping` again after another silence.",
                at: "ping-bye", level: .should
            ) { trial throws(TrialEnd) in
                try trial.open(welcome: ServerMessages.welcome(heartbeat: 300))
                let first = try trial.expect("ping", "{t: *}", withinMs: 3000)
                let second = try trial.expect("ping", "{t: *}", withinMs: 4000)
                let (t1, t2) = (first.value["t"]?.number ?? 0, second.value["t"]?.number ?? 0)
                try trial.require(t2 > t1, "a clock that advances", came: "\(t1), then \(t2)")
            },
            Draft(
                "unanswered-ping",
                "A client whose `ping` is not answered treats its connection as lost.",
                expects: "Another connection within 15 s, with `hello`, and a resumed session.",
                at: "ping-bye", level: .should
            ) { trial throws(TrialEnd) in
                try trial.open(welcome: ServerMessages.welcome(heartbeat: 300))
                trial.server.setAnswersPings(false)
                try trial.awaitConnection(withinMs: 15_000)
                trial.server.setAnswersPings(true)
                try trial.answerHello(
                    try trial.expect("hello"), ServerMessages.welcome(token: "T2"))
                try trial.expectStatus("open")
            },
        ])
}

extension ClientTrial {
    /// Waits for the client to reconnect, and checks that it waits at least `least` ms. Returns
    /// when it connected.
    @discardableResult
    fileprivate func expectReconnect(
        after goneMs: Double, notWithinMs least: Double
    ) throws(TrialEnd) -> Double {
        let asked = try awaitConnection(withinMs: patienceMs + 5000)
        guard asked - goneMs >= least else {
            let wait = JSONValue.number((asked - goneMs).rounded()).text
            throw .failed(
                expected: "a wait of \(JSONValue.number(least).text) ms or more",
                came: "a connection after \(wait) ms")
        }
        return asked
    }
}
