import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// Accepts the name that a client gives as its subject.
private struct NameDoor: Authenticator {
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
        func told(_ ack: Int) -> [JSONValue] {
            let world = HostWorld()
            let first = world.connect()
            let welcome = first.open()
            first.say(#"{"type":"refresh","view":"list","seq":2}"#)
            first.hangUp()
            let second = world.connect(to: 1)
            return second.say(
                #"[{"type":"hello","protocol":1,\#(HostClient.resume(welcome, ack: ack))},"#
                    + #"{"type":"begin","view":"list","seq":2},"#
                    + #"{"type":"ping","t":1}]"#)
        }
        let answer = told(ack)
        #expect(answer[0]["resumed"]?.bool == true)
        #expect(answer[0]["ack"]?.number == 2)
        #expect(answer.types == ["welcome", "attached", "update", "loading", "pong"])
        // Both worlds draw the same tokens, so the messages are equal.
        #expect(answer == told(2))
    }

    @Test(
        "A session resumes on any loop with the same name and views, and with another token",
        arguments: [0, 1])
    func anyLoop(_ loop: Int) throws {
        let world = HostWorld()
        let first = world.connect(to: 0)
        let welcome = first.open()
        #expect(welcome["resumed"] == nil && welcome["ack"] == nil)
        first.say(#"{"type":"begin","view":"list","seq":7}"#)
        first.hangUp()
        #expect(world.total.detached == 1 && world.total.sessions == 0)

        let second = world.connect(to: loop)
        let told = second.comeBack(welcome)
        #expect(told.types == ["welcome", "attached", "update"])
        #expect(told[0]["resumed"]?.bool == true)
        #expect(told[0]["session"] == welcome["session"])
        #expect(told[0]["token"]?.string != welcome["token"]?.string)
        #expect(told[0]["ack"]?.number == 7)
        #expect(told[1]["generation"]?.number == 1)
        #expect(told[1]["top"]?["state"]?.string == "refreshing")
        #expect(told[2]["top"]?["state"]?.string == "refreshing")
        #expect(told[2]["top"]?["cause"]?.string == "visual")
        #expect(told[2]["inset"]?["top"]?.number == 60 && told[2]["inset"]?["bottom"]?.number == 0)
        #expect(world.total.detached == 0 && world.total.views == 1)
        #expect(world.total.count(of: nil) == 1)
        // The session continues.
        let ended = second.say(#"{"type":"end","view":"list","seq":8}"#)
        #expect(ended.first("update")?["inset"]?["top"]?.number == 0)
    }

    @Test("A resumed session reports running loads and receives answers", arguments: [0, 1])
    func runningLoads(_ loop: Int) throws {
        let world = HostWorld()
        let first = world.connect(to: 0)
        let welcome = first.open()
        first.say(#"{"type":"refresh","view":"list","seq":2}"#)
        first.hangUp()
        let second = world.connect(to: loop)
        let told = second.comeBack(welcome)
        #expect(told.types == ["welcome", "attached", "update", "loading"])
        #expect(told[3]["phase"]?.string == "began" && told[3]["load"]?.string == "1.1")
        #expect(told[3]["attempt"]?.number == 1 && told[3]["cause"]?.string == "code")
        #expect(world.dispatcher.started.count == 1 && world.dispatcher.cancelled.isEmpty)
        world.answerLast()
        let items = second.take().first("items")
        #expect(items?["load"]?.string == "1.1" && items?["count"]?.number == 3)
        #expect(world.total.orphanedLoads == 0)
        // The broker identifies the load by its original ticket.
        second.say(#"{"type":"loadMore","view":"list","seq":3}"#)
        second.say(#"{"type":"cancel","view":"list","seq":4}"#)
        #expect(world.dispatcher.cancelled == [world.dispatcher.started.last?.0])
    }

    @Test("The results of loads that ended in the meantime are delivered once")
    func waitingItems() {
        let world = HostWorld()
        let first = world.connect()
        let welcome = first.open()
        first.say(#"{"type":"refresh","view":"list","seq":2}"#)
        first.hangUp()
        world.tell(.progressed(0.5), of: world.dispatcher.started[0].0)
        world.answerLast(3)
        let second = world.connect(to: 1)
        let told = second.comeBack(welcome)
        #expect(told.types == ["welcome", "attached", "update", "items"])
        #expect(told[2]["list"]?["count"]?.number == 3 && told[2]["lastUpdated"] != nil)
        #expect(told[2]["top"]?["state"]?.string == "idle")
        #expect(second.take().isEmpty)
        second.hangUp()
        // The items count as sent now.
        let third = world.connect()
        #expect(
            third.comeBack(told[0], received: ["1.1"]).types == ["welcome", "attached", "update"])
    }

    @Test("A wrong token is refused, and the session is kept for a client with the right one")
    func wrongToken() {
        let world = HostWorld()
        let first = world.connect()
        let welcome = first.open()
        first.hangUp()
        let token = welcome["token"]?.string ?? ""
        for wrong in ["", "x", String(token.dropLast()) + "!", token + "A"] {
            let thief = world.connect()
            let told = thief.say(
                #"{"type":"hello","protocol":1,"resume":{"session":"\#(first.session.name)","token":"\#(wrong)"},"views":[\#(HostClient.view())]}"#
            )
            #expect(told.types == ["welcome", "attached"])
            #expect(told[0]["resumed"]?.bool == false && told[0]["reason"]?.string == "wrongToken")
            #expect(told[0]["session"] != welcome["session"] && told[0]["ack"]?.number == 0)
        }
        #expect(world.total.count(of: .wrongToken) == 4)
        #expect(world.connect().comeBack(welcome)[0]["resumed"]?.bool == true)
    }

    @Test("A message of the client 10 s after the `welcome` makes its previous token void")
    func rotation() {
        let world = HostWorld()
        let first = world.connect()
        let welcome = first.open()
        first.hangUp()
        let second = world.connect(to: 1)
        let again = second.comeBack(welcome)[0]
        // The `welcome` may have been lost with its connection.
        second.hangUp()
        let third = world.connect()
        let last = third.comeBack(welcome)[0]
        #expect(last["resumed"]?.bool == true)
        world.pass(milliseconds: 10_000)
        #expect(third.say(#"{"type":"ping","t":1}"#).types == ["pong"])
        third.hangUp()
        for void in [welcome, again] {
            let told = world.connect().comeBack(void)
            #expect(told.first?["reason"]?.string == "wrongToken")
        }
        #expect(world.connect().comeBack(last)[0]["resumed"]?.bool == true)
    }

    @Test("If a client resumes with its previous token, newer tokens become void")
    func newerTokensVoid() {
        let world = HostWorld()
        let first = world.connect()
        let old = first.open()
        first.hangUp()
        let second = world.connect(to: 1)
        let heard = second.comeBack(old)[0]
        #expect(heard["resumed"]?.bool == true)
        second.hangUp()
        // This is a mistake, because the client has received the newer token. It does not receive
        // the answer.
        let third = world.connect()
        let unheard = third.comeBack(old)[0]
        #expect(unheard["resumed"]?.bool == true && unheard["token"] != heard["token"])
        third.hangUp()
        let refused = world.connect(to: 1).comeBack(heard)
        #expect(refused[0]["resumed"]?.bool == false)
        #expect(refused[0]["reason"]?.string == "wrongToken")
        // The session is kept for a client with one of the two valid tokens.
        let again = world.connect(to: 1).comeBack(old)[0]
        #expect(again["resumed"]?.bool == true)
        #expect(world.connect().comeBack(unheard)[0]["reason"]?.string == "wrongToken")
        #expect(world.connect().comeBack(again)[0]["resumed"]?.bool == true)
    }

    @Test(
        "Any message proves that the client has received its token",
        arguments: ["plain", "stream", "local"])
    func proof(_ frames: String) {
        let world = HostWorld()
        let first = world.connect()
        let welcome = first.open(frames: frames)
        first.hangUp()
        let second = world.connect()
        _ = second.comeBack(welcome, frames: frames)
        world.pass(milliseconds: 10_000)
        second.say(#"{"type":"scroll","view":"list","seq":9,"offset":-30,"phase":"began"}"#)
        second.hangUp()
        #expect(world.connect().comeBack(welcome)[0]["reason"]?.string == "wrongToken")
    }

    @Test(
        "If a client has sent messages before it could receive a lost `welcome`, its session still resumes",
        arguments: ["plain", "stream", "local"])
    func lostWelcome(_ frames: String) {
        let world = HostWorld()
        let first = world.connect()
        let welcome = first.open(frames: frames)
        first.hangUp()
        let second = world.connect()
        _ = second.comeBack(welcome, frames: frames)
        world.pass(milliseconds: 9_000)
        second.say(#"{"type":"scroll","view":"list","seq":9,"offset":-30,"phase":"began"}"#)
        second.hangUp()
        let told = world.connect().comeBack(welcome, frames: frames)
        #expect(told[0]["resumed"]?.bool == true && told[0]["ack"]?.number == 9)
    }

    @Test("The session of another subject is not resumed")
    func otherSubject() {
        let world = HostWorld(
            authenticationService: AuthenticationService(NameDoor(), deadlineMs: 5000, log: .silent)
        )
        let first = world.connect()
        let welcome = first.open(extra: #","token":"ann""#)
        first.hangUp()
        for other in ["bob", "ánn", "ann "] {
            let told = world.connect(to: 1).comeBack(welcome, extra: #","token":"\#(other)""#)
            #expect(told.first("welcome")?["reason"]?.string == "otherSubject")
        }
        let told = world.connect(to: 1).comeBack(welcome, extra: #","token":"ann""#)
        #expect(told.first("welcome")?["resumed"]?.bool == true)
    }

    @Test("resumeWindowMs: after this time, the session and its loads have ended")
    func window() {
        let world = HostWorld()
        let first = world.connect()
        let welcome = first.open()
        first.say(#"{"type":"refresh","view":"list","seq":2}"#)
        first.hangUp()
        world.pass(milliseconds: 29_000)
        #expect(world.total.detached == 1)
        first.say("")
        world.pass(milliseconds: 31_000)
        #expect(world.total.detached == 0 && world.total.views == 0)
        let told = world.connect().comeBack(welcome)
        #expect(told.types == ["welcome"] && told[0]["reason"]?.string == "unknownSession")
        #expect(world.dispatcher.cancelled.count == 1)
    }

    @Test("If the resume window is 0, no token is issued, and a resume is refused as switchedOff")
    func switchedOff() {
        var limits = Limits()
        limits.resumeWindowMs = 0
        let world = HostWorld(limits: limits)
        let first = world.connect()
        let welcome = first.open()
        #expect(welcome["token"] == nil)
        first.hangUp()
        #expect(world.total.detached == 0)
        let told = world.connect().comeBack(welcome)
        #expect(told[0]["reason"]?.string == "switchedOff")
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
        let world = HostWorld(limits: limits)
        let first = world.connect()
        let welcome = first.open()
        first.say(last)
        #expect(first.channel.closed != .slow)
        first.hangUp()
        #expect(world.total.detached == 0 && world.total.views == 0)
        #expect(world.connect().comeBack(welcome)[0]["reason"]?.string == "unknownSession")
    }

    @Test(
        "A session that the daemon closed with a code from 4100 on resumes",
        arguments: [
            FaultCode.idleClient, .tokenExpired, .tooManyFrames,
        ])
    func keptCodes(_ code: FaultCode) {
        let world = HostWorld()
        let first = world.connect()
        let welcome = first.open()
        world.hosts[0].end(first.session, because: code, at: world.now)
        #expect(first.channel.closed == code.closeCode)
        // The connection is not completely closed yet.
        let told = world.connect(to: 1).comeBack(welcome)
        #expect(told.types == ["welcome", "attached", "update"])
        first.hangUp()
        #expect(world.total.detached == 0 && world.total.views == 1)
    }

    @Test("A resume takes the session from an open connection, whose later messages are ignored")
    func fencing() {
        let world = HostWorld()
        let first = world.connect()
        let welcome = first.open()
        let second = world.connect(to: 1)
        let told = second.comeBack(welcome)
        #expect(told.types == ["welcome", "attached", "update"])
        let last = first.take()
        #expect(last.types == ["error"] && last[0]["code"]?.string == "sessionTaken")
        #expect(first.channel.closed == .sessionTaken)
        #expect(first.say(#"{"type":"refresh","view":"list","seq":5}"#).isEmpty)
        #expect(world.dispatcher.started.isEmpty && world.total.voidFrames == 1)
        first.hangUp()
        #expect(world.total.sessions == 1 && world.total.views == 1)
        #expect(second.say(#"{"type":"refresh","view":"list","seq":5}"#).first("loading") != nil)
    }

    @Test("detachedSessionsMax: above the limit, the oldest session of the largest holder ends")
    func detachedMax() {
        var limits = Limits()
        limits.detachedSessionsMax = 2
        let world = HostWorld(limits: limits)
        var welcomes: [JSONValue] = []
        for loop in [0, 1, 0] {
            let client = world.connect(to: loop)
            welcomes.append(client.open())
            client.hangUp()
            world.pass(milliseconds: 1)
        }
        #expect(world.total.detached == 2)
        let reasons = welcomes.map { world.connect(to: 1).comeBack($0)[0]["reason"]?.string }
        #expect(reasons == ["unknownSession", nil, nil])
    }
}
