import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// Admits every client. The token that a client sends is its subject.
private struct NameAuthenticator: Authenticator {
    var mode: AuthMode { .token }

    func authenticate(
        _ authenticationRequest: AuthenticationRequest, by deadline: Instant,
        _ later: @escaping @Sendable (AdmissionVerdict) -> Void
    ) -> AdmissionVerdict? {
        .admitted(Identity(subject: authenticationRequest.token))
    }
}

/// Clients that resume their sessions. Source: docs/protocol.md, "Coming back".
@Suite("A client that resumes")
struct ResumeTests {
    @Test(
        "A resumed session sends its full state, whatever the client has acknowledged",
        arguments: [0, 1, 2, 99])
    func seen(ack: Int) {
        func resumeAnswer(_ ack: Int) -> [JSONValue] {
            let fixture = HostFixture()
            let first = fixture.connect()
            let welcome = first.open()
            first.send(#"{"type":"refresh","view":"list","seq":2}"#)
            first.hangUp()
            let second = fixture.connect(to: 1)
            return second.send(
                #"[{"type":"hello","protocol":1,\#(HostClient.resumeMember(welcome, ack: ack))},"#
                    + #"{"type":"begin","view":"list","seq":2},"#
                    + #"{"type":"ping","t":1}]"#)
        }
        let answer = resumeAnswer(ack)
        #expect(answer[0]["resumed"]?.bool == true)
        #expect(answer[0]["ack"]?.number == 2)
        #expect(answer.types == ["welcome", "attached", "update", "loading", "pong"])
        // Both fixtures draw the same tokens, so the messages are equal.
        #expect(answer == resumeAnswer(2))
    }

    @Test(
        "On any loop, a session resumes with the same name and views, and with another token",
        arguments: [0, 1])
    func anyLoop(_ loop: Int) throws {
        let fixture = HostFixture()
        let first = fixture.connect(to: 0)
        let welcome = first.open()
        #expect(welcome["resumed"] == nil && welcome["ack"] == nil)
        first.send(#"{"type":"begin","view":"list","seq":7}"#)
        first.hangUp()
        #expect(fixture.total.detached == 1 && fixture.total.sessions == 0)

        let second = fixture.connect(to: loop)
        let received = second.resume(welcome)
        #expect(received.types == ["welcome", "attached", "update"])
        #expect(received[0]["resumed"]?.bool == true)
        #expect(received[0]["session"] == welcome["session"])
        #expect(received[0]["token"]?.string != welcome["token"]?.string)
        #expect(received[0]["ack"]?.number == 7)
        #expect(received[1]["generation"]?.number == 1)
        #expect(received[1]["top"]?["state"]?.string == "refreshing")
        #expect(received[2]["top"]?["state"]?.string == "refreshing")
        #expect(received[2]["top"]?["cause"]?.string == "visual")
        #expect(
            received[2]["inset"]?["top"]?.number == 60
                && received[2]["inset"]?["bottom"]?.number == 0)
        #expect(fixture.total.detached == 0 && fixture.total.views == 1)
        #expect(fixture.total.count(of: nil) == 1)
        // The session continues.
        let ended = second.send(#"{"type":"end","view":"list","seq":8}"#)
        #expect(ended.first("update")?["inset"]?["top"]?.number == 0)
    }

    @Test("A resumed session reports running loads and receives answers", arguments: [0, 1])
    func runningLoads(_ loop: Int) throws {
        let fixture = HostFixture()
        let first = fixture.connect(to: 0)
        let welcome = first.open()
        first.send(#"{"type":"refresh","view":"list","seq":2}"#)
        first.hangUp()
        let second = fixture.connect(to: loop)
        let received = second.resume(welcome)
        #expect(received.types == ["welcome", "attached", "update", "loading"])
        #expect(received[3]["phase"]?.string == "began" && received[3]["load"]?.string == "1.1")
        #expect(received[3]["attempt"]?.number == 1 && received[3]["cause"]?.string == "code")
        #expect(fixture.dispatcher.started.count == 1 && fixture.dispatcher.cancelled.isEmpty)
        fixture.answerLast()
        let items = second.receive().first("items")
        #expect(items?["load"]?.string == "1.1" && items?["count"]?.number == 3)
        #expect(fixture.total.lateAnswersWithoutSession == 0)
        // The broker identifies the load by its original ticket.
        second.send(#"{"type":"loadMore","view":"list","seq":3}"#)
        second.send(#"{"type":"cancel","view":"list","seq":4}"#)
        #expect(fixture.dispatcher.cancelled == [fixture.dispatcher.started.last?.0])
    }

    @Test("The results of loads that ended in the meantime are delivered once")
    func waitingItems() {
        let fixture = HostFixture()
        let first = fixture.connect()
        let welcome = first.open()
        first.send(#"{"type":"refresh","view":"list","seq":2}"#)
        first.hangUp()
        fixture.report(.progressed(0.5), of: fixture.dispatcher.started[0].0)
        fixture.answerLast(3)
        let second = fixture.connect(to: 1)
        let received = second.resume(welcome)
        #expect(received.types == ["welcome", "attached", "update", "items"])
        #expect(received[2]["list"]?["count"]?.number == 3 && received[2]["lastUpdated"] != nil)
        #expect(received[2]["top"]?["state"]?.string == "idle")
        #expect(second.receive().isEmpty)
        second.hangUp()
        // The items now count as sent.
        let third = fixture.connect()
        #expect(
            third.resume(received[0], received: ["1.1"]).types == ["welcome", "attached", "update"])
    }

    @Test("A wrong token is refused, and the session is kept for a client with the right one")
    func wrongToken() {
        let fixture = HostFixture()
        let first = fixture.connect()
        let welcome = first.open()
        first.hangUp()
        let token = welcome["token"]?.string ?? ""
        for wrong in ["", "x", String(token.dropLast()) + "!", token + "A"] {
            let thief = fixture.connect()
            let received = thief.send(
                #"{"type":"hello","protocol":1,"resume":{"session":"\#(first.session.name)","token":"\#(wrong)"},"views":[\#(HostClient.view())]}"#
            )
            #expect(received.types == ["welcome", "attached"])
            #expect(
                received[0]["resumed"]?.bool == false
                    && received[0]["reason"]?.string == "wrongToken")
            #expect(received[0]["session"] != welcome["session"] && received[0]["ack"]?.number == 0)
        }
        #expect(fixture.total.count(of: .wrongToken) == 4)
        #expect(fixture.connect().resume(welcome)[0]["resumed"]?.bool == true)
    }

    @Test("If the client sends a message 10 s after the `welcome`, its previous token becomes void")
    func rotation() {
        let fixture = HostFixture()
        let first = fixture.connect()
        let welcome = first.open()
        first.hangUp()
        let second = fixture.connect(to: 1)
        let again = second.resume(welcome)[0]
        // The `welcome` may have been lost with its connection.
        second.hangUp()
        let third = fixture.connect()
        let last = third.resume(welcome)[0]
        #expect(last["resumed"]?.bool == true)
        fixture.pass(milliseconds: 10_000)
        #expect(third.send(#"{"type":"ping","t":1}"#).types == ["pong"])
        third.hangUp()
        for void in [welcome, again] {
            let received = fixture.connect().resume(void)
            #expect(received.first?["reason"]?.string == "wrongToken")
        }
        #expect(fixture.connect().resume(last)[0]["resumed"]?.bool == true)
    }

    @Test("If a client resumes with its previous token, newer tokens become void")
    func newerTokensVoid() {
        let fixture = HostFixture()
        let first = fixture.connect()
        let old = first.open()
        first.hangUp()
        let second = fixture.connect(to: 1)
        let received = second.resume(old)[0]
        #expect(received["resumed"]?.bool == true)
        second.hangUp()
        // This resume with the old token is a mistake, because the client has received the newer
        // token. The client does not receive the answer to this resume.
        let third = fixture.connect()
        let unreceived = third.resume(old)[0]
        #expect(unreceived["resumed"]?.bool == true && unreceived["token"] != received["token"])
        third.hangUp()
        let refused = fixture.connect(to: 1).resume(received)
        #expect(refused[0]["resumed"]?.bool == false)
        #expect(refused[0]["reason"]?.string == "wrongToken")
        // The session is kept for a client with one of the two valid tokens.
        let again = fixture.connect(to: 1).resume(old)[0]
        #expect(again["resumed"]?.bool == true)
        #expect(fixture.connect().resume(unreceived)[0]["reason"]?.string == "wrongToken")
        #expect(fixture.connect().resume(again)[0]["resumed"]?.bool == true)
    }

    @Test(
        "Any message proves that the client has received its token",
        arguments: ["plain", "stream", "local"])
    func proof(_ frames: String) {
        let fixture = HostFixture()
        let first = fixture.connect()
        let welcome = first.open(frames: frames)
        first.hangUp()
        let second = fixture.connect()
        _ = second.resume(welcome, frames: frames)
        fixture.pass(milliseconds: 10_000)
        second.send(#"{"type":"scroll","view":"list","seq":9,"offset":-30,"phase":"began"}"#)
        second.hangUp()
        #expect(fixture.connect().resume(welcome)[0]["reason"]?.string == "wrongToken")
    }

    @Test(
        "After a lost `welcome`, a message within 10 s does not make the previous token void",
        arguments: ["plain", "stream", "local"])
    func lostWelcome(_ frames: String) {
        let fixture = HostFixture()
        let first = fixture.connect()
        let welcome = first.open(frames: frames)
        first.hangUp()
        let second = fixture.connect()
        _ = second.resume(welcome, frames: frames)
        fixture.pass(milliseconds: 9_000)
        second.send(#"{"type":"scroll","view":"list","seq":9,"offset":-30,"phase":"began"}"#)
        second.hangUp()
        let received = fixture.connect().resume(welcome, frames: frames)
        #expect(received[0]["resumed"]?.bool == true && received[0]["ack"]?.number == 9)
    }

    @Test("The session of another subject is not resumed")
    func otherSubject() {
        let fixture = HostFixture(
            authenticationService: AuthenticationService(
                NameAuthenticator(), deadlineMs: 5000, log: .silent)
        )
        let first = fixture.connect()
        let welcome = first.open(extra: #","token":"ann""#)
        first.hangUp()
        for other in ["bob", "ánn", "ann "] {
            let received = fixture.connect(to: 1).resume(welcome, extra: #","token":"\#(other)""#)
            #expect(received.first("welcome")?["reason"]?.string == "otherSubject")
        }
        let received = fixture.connect(to: 1).resume(welcome, extra: #","token":"ann""#)
        #expect(received.first("welcome")?["resumed"]?.bool == true)
    }

    @Test("resumeWindowMs: after this time, the session and its loads have ended")
    func window() {
        let fixture = HostFixture()
        let first = fixture.connect()
        let welcome = first.open()
        first.send(#"{"type":"refresh","view":"list","seq":2}"#)
        first.hangUp()
        fixture.pass(milliseconds: 29_000)
        #expect(fixture.total.detached == 1)
        first.send("")
        fixture.pass(milliseconds: 31_000)
        #expect(fixture.total.detached == 0 && fixture.total.views == 0)
        let received = fixture.connect().resume(welcome)
        #expect(received.types == ["welcome"] && received[0]["reason"]?.string == "unknownSession")
        #expect(fixture.dispatcher.cancelled.count == 1)
    }

    @Test("If the resume window is 0, no token is issued, and a resume is refused as switchedOff")
    func switchedOff() {
        var limits = Limits()
        limits.resumeWindowMs = 0
        let fixture = HostFixture(limits: limits)
        let first = fixture.connect()
        let welcome = first.open()
        #expect(welcome["token"] == nil)
        first.hangUp()
        #expect(fixture.total.detached == 0)
        let received = fixture.connect().resume(welcome)
        #expect(received[0]["reason"]?.string == "switchedOff")
    }

    @Test(
        "A session does not resume after `bye`, after a close for the client's fault, or without views",
        arguments: [
            #"{"type":"bye"}"#, #"{"type":"detach","view":"list","seq":9}"#,
            "[\(Array(repeating: "1", count: 60).joined(separator: ","))]",
        ])
    func notKept(_ last: String) {
        var limits = Limits()
        limits.faultBudgetMax = 50
        let fixture = HostFixture(limits: limits)
        let first = fixture.connect()
        let welcome = first.open()
        first.send(last)
        #expect(first.channel.closed != .slow)
        first.hangUp()
        #expect(fixture.total.detached == 0 && fixture.total.views == 0)
        #expect(fixture.connect().resume(welcome)[0]["reason"]?.string == "unknownSession")
    }

    @Test(
        "A session can be resumed if the daemon closed it with a code of 4100 or higher",
        arguments: [
            FaultCode.idleClient, .tokenExpired, .tooManyFrames,
        ])
    func keptCodes(_ code: FaultCode) {
        let fixture = HostFixture()
        let first = fixture.connect()
        let welcome = first.open()
        fixture.hosts[0].end(first.session, because: code, at: fixture.now)
        #expect(first.channel.closed == code.closeCode)
        // The connection is not completely closed yet.
        let received = fixture.connect(to: 1).resume(welcome)
        #expect(received.types == ["welcome", "attached", "update"])
        first.hangUp()
        #expect(fixture.total.detached == 0 && fixture.total.views == 1)
    }

    @Test("A resume takes the session from an open connection, whose later messages are ignored")
    func fencing() {
        let fixture = HostFixture()
        let first = fixture.connect()
        let welcome = first.open()
        let second = fixture.connect(to: 1)
        let received = second.resume(welcome)
        #expect(received.types == ["welcome", "attached", "update"])
        let last = first.receive()
        #expect(last.types == ["error"] && last[0]["code"]?.string == "sessionTaken")
        #expect(first.channel.closed == .sessionTaken)
        #expect(first.send(#"{"type":"refresh","view":"list","seq":5}"#).isEmpty)
        #expect(fixture.dispatcher.started.isEmpty && fixture.total.voidFrames == 1)
        first.hangUp()
        #expect(fixture.total.sessions == 1 && fixture.total.views == 1)
        #expect(second.send(#"{"type":"refresh","view":"list","seq":5}"#).first("loading") != nil)
    }

    @Test("detachedSessionsMax: above it, the oldest session of the holder with most sessions ends")
    func detachedMax() {
        var limits = Limits()
        limits.detachedSessionsMax = 2
        let fixture = HostFixture(limits: limits)
        var welcomes: [JSONValue] = []
        for loop in [0, 1, 0] {
            let client = fixture.connect(to: loop)
            welcomes.append(client.open())
            client.hangUp()
            fixture.pass(milliseconds: 1)
        }
        #expect(fixture.total.detached == 2)
        let reasons = welcomes.map { fixture.connect(to: 1).resume($0)[0]["reason"]?.string }
        #expect(reasons == ["unknownSession", nil, nil])
    }
}
