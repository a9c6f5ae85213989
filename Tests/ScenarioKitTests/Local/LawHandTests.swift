import RefreshProtocol
import Testing
import Workbench

@testable import ScenarioKit

/// Gestures for which a local client must load and show the same as a stream client.
@Suite("Single gestures under the control law", .ownThread)
struct LawHandTests {
    @Test("A finger that stands still does not load more by its earlier speed")
    func standing() throws {
        let hand = LawHand("appcoda", content: 2034)
        hand.move(0, .began, at: 0)
        hand.move(296, .dragging, at: 16)
        hand.move(302, .dragging, at: 32)
        hand.move(315, .dragging, at: 64)
        hand.move(315, .ended, at: 80)
        hand.move(315, .idle, at: 96)
        try hand.expectAgreement()
        #expect(hand.local.log.isEmpty)
    }

    @Test("A list that returns from beyond its start does not load more, even if it left unseen")
    func wayBack() throws {
        let hand = LawHand("default", content: 2000, [.init("top", .null)])
        hand.move(0, .began, at: 0)
        hand.move(312, .dragging, at: 16)
        hand.move(100, .dragging, at: 32)
        hand.move(-160, .ended, at: 96)
        hand.move(640, .decelerating, at: 128)
        #expect(hand.local.log.isEmpty)
        hand.move(900, .decelerating, at: 144)
        hand.move(900, .idle, at: 160)
        try hand.expectAgreement()
        #expect(hand.local.log == ["load 1.1 more"])
    }

    @Test("A cancelled finger has moved the list, and the speed counts from its last position")
    func cancelled() throws {
        let bottom: JSONValue = .object([
            .init("preload", .number(0)), .init("onCancel", .string("release")),
        ])
        let hand = LawHand("default", content: 2000, offset: 400, [.init("bottom", bottom)])
        hand.move(400, .began, at: 0)
        hand.move(410, .dragging, at: 16)
        hand.move(450, .cancelled, at: 448)
        hand.move(1150, .decelerating, at: 464)
        hand.move(1150, .idle, at: 480)
        try hand.expectAgreement()
        #expect(hand.local.log == ["load 1.1 more"])
    }

    @Test("An unreported resting finger counts as repeated, as by a stream client")
    func resting() throws {
        let hand = LawHand("default", content: 2000, offset: 400)
        hand.move(400, .began, at: 0)
        hand.move(410, .dragging, at: 16)
        hand.move(410, .ended, at: 2020, restingSince: 2016)
        hand.move(760, .decelerating, at: 2032)
        hand.move(760, .idle, at: 2048)
        try hand.expectAgreement()
        #expect(hand.local.log == ["load 1.1 more"])
    }

    @Test("If only movement is evaluated, changed sizes under a finger are not predicted")
    func sizes() throws {
        let hand = LawHand("mrefresh", content: 2000, isReversed: true)
        hand.move(1200, .began, at: 0)
        hand.move(1240, .dragging, at: 16)
        hand.say(content: 1900)
        hand.move(1173.5, .dragging, at: 32)
        #expect(hand.local.picture.edges["bottom"]?.state == .pulling)
        hand.move(1300, .dragging, at: 48)
        hand.move(1300, .ended, at: 64)
        try hand.expectAgreement()
        #expect(hand.local.log == ["load 1.1 refresh"])
    }

    @Test("A pull out of a hold keeps the earlier progress of the other edge")
    func hold() throws {
        let hand = LawHand(
            "uikit", content: 300, [.init("attention", .string("movement"))])
        hand.move(0, .began, at: 0)
        hand.move(0, .dragging, at: 16)
        hand.move(-30, .dragging, at: 32)
        hand.move(-85, .dragging, at: 48)
        hand.move(-85, .ended, at: 64)
        hand.move(0, .decelerating, at: 80)
        hand.move(0, .idle, at: 96)
        hand.move(0, .began, at: 112)
        hand.ask("end")
        hand.move(-0.75, .dragging, at: 128)
        hand.move(-97.75, .dragging, at: 144)
        #expect(hand.local.picture.edges["bottom"]?.progress == 59.25 / 60)
        hand.move(-97.75, .ended, at: 160)
        try hand.expectAgreement()
    }

    @Test("A list that is released into an opening room rests exactly where the daemon has it")
    func room() throws {
        let pan: JSONValue = .object([.init("damping", .string("swipeRefreshLayout"))])
        let hand = LawHand(
            "appcoda", content: 2000,
            [.init("pan", pan), .init("top", .object([.init("hold", .bool(true))]))])
        hand.pan(0, .began, at: 0)
        hand.pan(148.375, .dragging, at: 16)
        hand.pan(103.1875, .dragging, at: 32)
        hand.pan(103.1875, .cancelled, at: 48)
        #expect(hand.local.picture.offset < -50)
        #expect(hand.local.picture.offset == hand.stream.picture.offset)
        try hand.expectAgreement()
    }

    @Test("If a refresh fails during a drag, the speed at the lift loads more")
    func speedAtLift() throws {
        let bottom: JSONValue = .object([.init("whileRefreshing", .string("reject"))])
        let hand = LawHand("default", content: 2000, offset: 400, [.init("bottom", bottom)])
        hand.move(400, .began, at: 0)
        hand.move(500, .dragging, at: 16)
        hand.ask("refresh")
        hand.move(700, .dragging, at: 32)
        #expect(hand.local.log == ["load 1.1 refresh"])
        hand.answer("1.1", "failed", at: 40)
        hand.move(700, .ended, at: 48)
        try hand.expectAgreement()
        #expect(hand.local.log.last == "load 1.2 more")
    }

    @Test("For a wheel, the speed counts from the moment when the list came to rest")
    func wheel() throws {
        let hand = LawHand("default", content: 2000)
        hand.move(0, .began, at: 0)
        hand.move(150, .dragging, at: 16)
        hand.move(150, .ended, at: 32)
        hand.move(420, .idle, at: 150)
        #expect(hand.local.log.isEmpty)
        hand.move(900, .decelerating, at: 198, cause: .wheel)
        try hand.expectAgreement()
        #expect(hand.local.log == ["load 1.1 more"])
    }

    @Test("A list that reached its end unseen does not load more when it rests")
    func end() throws {
        let top: JSONValue = .object([
            .init("trigger", .string("release")), .init("failureHold", .number(0)),
            .init("minVisible", .number(0)), .init("closing", .string("atOnce")),
        ])
        let bottom: JSONValue = .object([.init("anyDirection", .bool(true))])
        let hand = LawHand(
            "uikit", content: 830,
            [.init("feed", .string("songs")), .init("top", top), .init("bottom", bottom)])
        hand.move(0, .began, at: 0)
        hand.move(-70, .dragging, at: 16)
        hand.move(-70, .ended, at: 128)
        hand.move(-15, .decelerating, at: 144)
        hand.move(30, .decelerating, at: 160)
        hand.answer("1.1", "failed", at: 168)
        hand.move(30, .idle, at: 176)
        try hand.expectAgreement()
        #expect(hand.local.log.last == "failed 1.1")
    }

    @Test("A coasting list that stands still has the progress that belongs to new sizes")
    func coasting() throws {
        let hand = LawHand("iqpulltorefresh", content: 2000, offset: 1100)
        hand.ask("refresh")
        hand.answer("1.1", "failed", at: 16)
        hand.move(1100, .began, at: 32)
        hand.move(1170, .dragging, at: 48)
        hand.move(1190, .ended, at: 64)
        hand.say(content: 2015)
        hand.move(1190, .decelerating, at: 80)
        hand.move(1190, .idle, at: 96)
        try hand.expectAgreement()
    }

    @Test("While the law does not include the end of a cool-down, a release is not predicted")
    func coolDown() throws {
        let pan: JSONValue = .object([.init("damping", .string("none"))])
        let top: JSONValue = .object([.init("coolDown", .number(1000))])
        let hand = LawHand(
            "iqpulltorefresh", content: 2000, [.init("pan", pan), .init("top", top)])
        hand.ask("refresh")
        hand.answer("1.1", "success", at: 16)
        hand.pan(0, .began, at: 400)
        hand.pan(45, .dragging, at: 416)
        hand.pan(90, .dragging, at: 432)
        hand.pan(90, .ended, at: 1500)
        try hand.expectAgreement()
        #expect(hand.local.log.last == "load 1.2 refresh")
    }

    @Test("A finger of pan that is cancelled at another offset neither fires nor loads there")
    func cancelledPan() throws {
        let pan: JSONValue = .object([.init("damping", .string("none"))])
        let top: JSONValue = .object([.init("trigger", .string("reach"))])
        let bottom: JSONValue = .object([
            .init("leadTime", .number(200)), .init("anyDirection", .bool(true)),
        ])
        for isReported in [false, true] {
            let hand = LawHand(
                "default", content: 4000, offset: 400,
                [.init("pan", pan), .init("top", top), .init("bottom", bottom)])
            hand.pan(0, .began, at: 0)
            hand.pan(-100, .dragging, at: 16)
            if isReported { hand.pan(420, .dragging, at: 32) }
            hand.pan(isReported ? 650 : -2200, .cancelled, at: 48)
            hand.wait(until: 3000)
            try hand.expectAgreement()
            #expect(hand.local.log.isEmpty)
        }
    }

    @Test("A finger that is cancelled unseen neither fires nor loads when the list coasts on")
    func cancelledUnseen() throws {
        let top: JSONValue = .object([.init("trigger", .string("reach"))])
        let bottom: JSONValue = .object([
            .init("preload", .number(0)), .init("leadTime", .null),
        ])
        let pull = LawHand("default", content: 2000, [.init("top", top)])
        pull.move(0, .began, at: 0)
        pull.move(-100, .cancelled, at: 16)
        pull.move(-80, .decelerating, at: 32)
        pull.move(0, .idle, at: 48)
        try pull.expectAgreement()
        #expect(pull.local.log.isEmpty)
        let end = LawHand("default", content: 2000, offset: 900, [.init("bottom", bottom)])
        end.move(900, .began, at: 0)
        end.move(1250, .cancelled, at: 16)
        end.move(1180, .decelerating, at: 32)
        end.move(1180, .idle, at: 48)
        try end.expectAgreement()
        #expect(end.local.log == end.stream.log)
    }

    @Test("A program that moves a resting list sends one sample")
    func program() throws {
        let hand = LawHand("default", content: 2000)
        hand.move(1100, .idle, at: 16, cause: .code)
        // These are `hello` and the sample.
        #expect(hand.local.messagesSent == 2 && hand.stream.messagesSent == 2)
        hand.move(1150, .idle, at: 1000, cause: .code)
        try hand.expectAgreement()
    }

    @Test("If a pull is answered late, the other edge keeps its earlier progress")
    func lateAnswer() throws {
        let hand = LawHand(
            "uikit", content: 300, latency: 100, [.init("attention", .string("movement"))])
        hand.wait(until: 400)
        hand.move(0, .began, at: 400)
        hand.move(0, .dragging, at: 416)
        hand.move(-30, .dragging, at: 432)
        hand.move(-85, .dragging, at: 448)
        hand.move(-85, .ended, at: 464)
        hand.move(0, .decelerating, at: 480)
        hand.move(0, .idle, at: 496)
        hand.wait(until: 800)
        hand.move(0, .began, at: 912)
        hand.ask("end")
        hand.wait(until: 1120)
        hand.move(-0.75, .dragging, at: 1128)
        hand.move(-40, .dragging, at: 1144)
        hand.move(-97.75, .dragging, at: 1160)
        hand.wait(until: 1500)
        #expect(hand.local.picture.edges["bottom"] == hand.stream.picture.edges["bottom"])
        try hand.expectWebClientAgrees()
    }

    @Test("If a list moves long after its release, the path starts where the list rests")
    func laterPath() throws {
        let pan: JSONValue = .object([.init("damping", .string("none"))])
        let hand = LawHand("default", content: 2000, [.init("pan", pan)])
        hand.pan(0, .began, at: 0)
        hand.pan(-1300, .dragging, at: 16)
        hand.pan(-1300, .ended, at: 32)
        hand.wait(until: 1500)
        hand.pan(0, .began, at: 1500)
        hand.pan(10, .dragging, at: 1516)
        hand.pan(10, .ended, at: 1532)
        hand.wait(until: 2400)
        hand.answer("1.1", "failed", at: 2400)
        hand.wait(until: 2450)
        #expect(hand.local.isAnimating)
        hand.wait(until: 3000)
        try hand.expectAgreement()
        #expect(hand.local.log == ["load 1.1 more", "answer 1.1 failed"])
    }
}
