import RefreshProtocol
import RefreshServer

/// Handles the messages that the client receives. A message that the daemon must not send is a
/// failure.
extension ReturnWorld {
    /// The faults that a correct client can receive because of a race.
    private static let harmless: Set = ["sessionTaken", "helloTimeout", "unknownLoad"]

    func receive(_ frame: [UInt8], on line: ReturnLine) {
        guard client.line == line.number else { return missed(frame) }
        guard let value = try? JSONValue(parsing: frame) else {
            return fail("the daemon sent invalid JSON: \(String(decoding: frame, as: UTF8.self))")
        }
        for message in value.array ?? [value] {
            handle(message, on: line)
            if let ack = message["ack"]?.number {
                if Int(ack) > client.seq {
                    fail("ack \(ack) was received, but only \(client.seq) was sent")
                }
                client.handled(upTo: Int(ack))
            }
        }
    }

    /// Handles a frame on a connection that the client has given up. If items are lost and the
    /// client has no snapshot, the client cannot resume its session.
    private func missed(_ frame: [UInt8]) {
        guard client.claim?.snapshot == nil else { return }
        if String(decoding: frame, as: UTF8.self).contains(#""type":"items""#) {
            client.mayLose = true
        }
    }

    private func handle(_ message: JSONValue, on line: ReturnLine) {
        let load = message["load"]?.string ?? "?"
        switch message["type"]?.string {
        case "welcome": welcome(message, on: line)
        case "snapshot":
            client.claim?.snapshot = message["sealed"]?.string
            client.snapshotAck = Int(message["ack"]?.number ?? 0)
        case "items": client.accept(itemsOf: load).map(fail)
        case "loading":
            switch message["phase"]?.string {
            case "began": client.begin(load).map(fail)
            case "cancelled": client.end(load).map(fail)
            default: fail("load \(load) has an unknown phase: \(message.text)")
            }
        case "error":
            guard let code = message["code"]?.string, Self.harmless.contains(code) else {
                return fail("the client received a fault: \(message.text)")
            }
        case "attached", "update": break
        default: fail("the message type is unknown: \(message.text)")
        }
    }

    private func welcome(_ message: JSONValue, on line: ReturnLine) {
        if client.isWelcomed {
            fail("the client received two `welcome` messages on one connection")
        }
        guard let name = message["session"]?.string, let token = message["token"]?.string else {
            return fail("`welcome` has no token: \(message.text)")
        }
        let isResumed = message["resumed"]?.bool ?? false
        if isResumed {
            if name != client.requestedSession { fail("the client resumed \(name)") }
            client.handled(upTo: Int(message["ack"]?.number ?? 0))
        } else {
            if client.requestedSession != nil, !mayBeRefused(on: line) {
                fail("refused as \(message["reason"]?.string ?? "nothing")")
            }
            client.oldClaim = nil
            client.claim = nil
            client.startAfresh()
        }
        if client.claim != nil { client.oldClaim = client.claim }
        var claim =
            client.claim ?? ReturnClaim(session: name, token: token, ack: 0)
        claim.token = token
        // A sealed snapshot is valid only with the token that it was sent with.
        claim.snapshot = nil
        client.claim = claim
        client.isWelcomed = true
        client.isResumed = isResumed
        client.welcomedAt = passed
    }

    /// Whether the daemon may refuse to resume the client's session. The daemon may refuse after an
    /// event that allows the loss, or if the clock has advanced since the daemon read `hello`. If
    /// the client has no snapshot, the daemon may also refuse if another daemon can have the
    /// session, or if the resume window can be over.
    private func mayBeRefused(on line: ReturnLine) -> Bool {
        if client.mayLose || line.helloReadAt != passed { return true }
        if client.claim?.snapshot != nil { return false }
        return rules.isSplit || passed - client.welcomedAt >= 2
    }

    /// The daemon has closed a connection.
    func lineClosed(_ line: ReturnLine, _ code: CloseCode) {
        guard client.line == line.number else { return }
        if code == .sessionTaken, !client.mayLose {
            fail("the client lost its session to its own abandoned connection")
        }
        client.lose()
    }
}
