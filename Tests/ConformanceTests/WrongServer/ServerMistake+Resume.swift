import Conformance
import RefreshProtocol
import ScenarioKit

/// Mistakes in how a server resumes sessions.
extension ServerMistake {
    /// Mistakes that are visible in the WebSocket connection but not in any message.
    static let below: [ServerMistake] = [
        // The server announces a timeout of one second, but it applies a timeout of one hour.
        changed(
            "never disconnects a silent client", in: .handshake, by: "handshake-28",
            types: "welcome"
        ) {
            $0[at: "limits.idleTimeoutMs"] = .number(1000)
        }
    ]

    static let resuming: [ServerMistake] = [
        ServerMistake(
            "does not replace resume tokens", in: .resume, by: "resume-19",
            sentChange: { message, _ in
                guard message.isA("welcome"), let session = message["session"]?.string,
                    let token = message["token"]?.string
                else { return [message] }
                let first = TokenHistory.shared.first(of: session, now: token)
                return [message.with { $0["token"] = .string(first) }]
            },
            receivedChange: { message, _ in
                guard let session = message[at: "resume.session"]?.string,
                    let token = message[at: "resume.token"]?.string,
                    let latest = TokenHistory.shared.latest(of: session, for: token)
                else { return [message] }
                return [message.with { $0[at: "resume.token"] = .string(latest) }]
            }),
        ServerMistake(
            "does not close the old connection when a session is resumed", in: .resume,
            by: "resume-03",
            sentChange: { message, _ in
                message["code"]?.string == "sessionTaken" ? [] : [message]
            }
        ).with { $0.forgetsCloses = true },
        ServerMistake(
            "resumes no session", in: .resume, by: "resume-01",
            receivedChange: { message, _ in [message.with { $0["resume"] = nil }] }),
        ServerMistake(
            "changes the generation when a session is resumed", in: .resume, by: "resume-01",
            sentChange: { message, memory in
                if message.isA("welcome"), message["resumed"] == .bool(true) { memory.count = 1 }
                let extra = memory.count
                return [
                    message.with {
                        $0["generation"] = $0["generation"]?.number.map { .number($0 + extra) }
                    }
                ]
            }),
        changed(
            "does not state why a session cannot be resumed", in: .resume, by: "resume-09",
            types: "welcome"
        ) {
            $0["reason"] = nil
        },
        changed(
            "does not state which messages it has handled", in: .resume, by: "resume-01",
            types: "welcome"
        ) {
            if $0["ack"] != nil { $0["ack"] = .number(0) }
        },
        ServerMistake(
            "sends snapshots to clients that did not request them", in: .resume, by: "resume-16",
            receivedChange: { message, _ in
                [message.with { if $0.isA("hello") { $0["snapshots"] = .bool(true) } }]
            }),
        ServerMistake("sends snapshots in separate frames", in: .resume, by: "resume-14").with {
            $0.framing = .apart
        },
        ServerMistake(
            "keeps views that the client does not name when it resumes", in: .resume,
            by: "resume-08",
            receivedChange: { message, _ in
                [message.with { if $0["resume"] != nil { $0["views"] = nil } }]
            }),
        ServerMistake(
            "states that it resumed a session whose items were lost", in: .resume, by: "resume-13",
            sentChange: { message, memory in
                [
                    message.with {
                        if $0["reason"]?.string == "resultsLost" { $0["resumed"] = .bool(true) }
                    }
                ]
            }),
    ]
}
