import RefreshProtocol
import Testing
import Workbench

@testable import ScenarioKit

/// Gestures for which a local client must load and show the same as a stream client.
@Suite("Single gestures under the control law", .ownThread)
struct LawDriverTests {
    @Test("A finger that stands still does not load more because of its earlier speed")
    func standing() throws {
        let driver = LawDriver("appcoda", content: 2034)
        driver.move(0, .began, at: 0)
        driver.move(296, .dragging, at: 16)
        driver.move(302, .dragging, at: 32)
        driver.move(315, .dragging, at: 64)
        driver.move(315, .ended, at: 80)
        driver.move(315, .idle, at: 96)
        try driver.expectAgreement()
        #expect(driver.local.log.isEmpty)
    }

    @Test("A list that returns from beyond its start does not load more, even without samples")
    func wayBack() throws {
        let driver = LawDriver("default", content: 2000, [.init("top", .null)])
        driver.move(0, .began, at: 0)
        driver.move(312, .dragging, at: 16)
        driver.move(100, .dragging, at: 32)
        driver.move(-160, .ended, at: 96)
        driver.move(640, .decelerating, at: 128)
        #expect(driver.local.log.isEmpty)
        driver.move(900, .decelerating, at: 144)
        driver.move(900, .idle, at: 160)
        try driver.expectAgreement()
        #expect(driver.local.log == ["load 1.1 more"])
    }

    @Test("After a finger was cancelled, the speed is measured from its last position")
    func cancelled() throws {
        let bottom: JSONValue = .object([
            .init("preload", .number(0)), .init("onCancel", .string("release")),
        ])
        let driver = LawDriver("default", content: 2000, offset: 400, [.init("bottom", bottom)])
        driver.move(400, .began, at: 0)
        driver.move(410, .dragging, at: 16)
        driver.move(450, .cancelled, at: 448)
        driver.move(1150, .decelerating, at: 464)
        driver.move(1150, .idle, at: 480)
        try driver.expectAgreement()
        #expect(driver.local.log == ["load 1.1 more"])
    }

    @Test("The omitted samples of a resting finger count as if a stream client had sent them")
    func resting() throws {
        let driver = LawDriver("default", content: 2000, offset: 400)
        driver.move(400, .began, at: 0)
        driver.move(410, .dragging, at: 16)
        driver.move(410, .ended, at: 2020, restingSince: 2016)
        driver.move(760, .decelerating, at: 2032)
        driver.move(760, .idle, at: 2048)
        try driver.expectAgreement()
        #expect(driver.local.log == ["load 1.1 more"])
    }

    @Test("With attention `movement`, effects of a new size during a touch are not predicted")
    func sizes() throws {
        let driver = LawDriver("mrefresh", content: 2000, isReversed: true)
        driver.move(1200, .began, at: 0)
        driver.move(1240, .dragging, at: 16)
        driver.send(content: 1900)
        driver.move(1173.5, .dragging, at: 32)
        #expect(driver.local.picture.edges["bottom"]?.state == .pulling)
        driver.move(1300, .dragging, at: 48)
        driver.move(1300, .ended, at: 64)
        try driver.expectAgreement()
        #expect(driver.local.log == ["load 1.1 refresh"])
    }

    @Test("A pull that begins while a room is open keeps the earlier progress of the other edge")
    func hold() throws {
        let driver = LawDriver(
            "uikit", content: 300, [.init("attention", .string("movement"))])
        driver.move(0, .began, at: 0)
        driver.move(0, .dragging, at: 16)
        driver.move(-30, .dragging, at: 32)
        driver.move(-85, .dragging, at: 48)
        driver.move(-85, .ended, at: 64)
        driver.move(0, .decelerating, at: 80)
        driver.move(0, .idle, at: 96)
        driver.move(0, .began, at: 112)
        driver.sendCommand("end")
        driver.move(-0.75, .dragging, at: 128)
        driver.move(-97.75, .dragging, at: 144)
        #expect(driver.local.picture.edges["bottom"]?.progress == 59.25 / 60)
        driver.move(-97.75, .ended, at: 160)
        try driver.expectAgreement()
    }

    @Test("A list that is released while a room opens rests exactly where the daemon moves it")
    func room() throws {
        let pan: JSONValue = .object([.init("damping", .string("swipeRefreshLayout"))])
        let driver = LawDriver(
            "appcoda", content: 2000,
            [.init("pan", pan), .init("top", .object([.init("hold", .bool(true))]))])
        driver.pan(0, .began, at: 0)
        driver.pan(148.375, .dragging, at: 16)
        driver.pan(103.1875, .dragging, at: 32)
        driver.pan(103.1875, .cancelled, at: 48)
        #expect(driver.local.picture.offset < -50)
        #expect(driver.local.picture.offset == driver.stream.picture.offset)
        try driver.expectAgreement()
    }

    @Test("If a refresh fails during a drag, the list loads more if released at enough speed")
    func speedAtLift() throws {
        let bottom: JSONValue = .object([.init("whileRefreshing", .string("reject"))])
        let driver = LawDriver("default", content: 2000, offset: 400, [.init("bottom", bottom)])
        driver.move(400, .began, at: 0)
        driver.move(500, .dragging, at: 16)
        driver.sendCommand("refresh")
        driver.move(700, .dragging, at: 32)
        #expect(driver.local.log == ["load 1.1 refresh"])
        driver.answer("1.1", "failed", at: 40)
        driver.move(700, .ended, at: 48)
        try driver.expectAgreement()
        #expect(driver.local.log.last == "load 1.2 more")
    }

    @Test("For a wheel, the speed counts from the moment when the list came to rest")
    func wheel() throws {
        let driver = LawDriver("default", content: 2000)
        driver.move(0, .began, at: 0)
        driver.move(150, .dragging, at: 16)
        driver.move(150, .ended, at: 32)
        driver.move(420, .idle, at: 150)
        #expect(driver.local.log.isEmpty)
        driver.move(900, .decelerating, at: 198, cause: .wheel)
        try driver.expectAgreement()
        #expect(driver.local.log == ["load 1.1 more"])
    }

    @Test("A list that reached its end without a sample does not load more when it rests")
    func end() throws {
        let top: JSONValue = .object([
            .init("trigger", .string("release")), .init("failureHold", .number(0)),
            .init("minVisible", .number(0)), .init("closing", .string("atOnce")),
        ])
        let bottom: JSONValue = .object([.init("anyDirection", .bool(true))])
        let driver = LawDriver(
            "uikit", content: 830,
            [.init("feed", .string("songs")), .init("top", top), .init("bottom", bottom)])
        driver.move(0, .began, at: 0)
        driver.move(-70, .dragging, at: 16)
        driver.move(-70, .ended, at: 128)
        driver.move(-15, .decelerating, at: 144)
        driver.move(30, .decelerating, at: 160)
        driver.answer("1.1", "failed", at: 168)
        driver.move(30, .idle, at: 176)
        try driver.expectAgreement()
        #expect(driver.local.log.last == "failed 1.1")
    }

    @Test("If sizes change after a release, before the list moves, the progress uses the new sizes")
    func coasting() throws {
        let driver = LawDriver("iqpulltorefresh", content: 2000, offset: 1100)
        driver.sendCommand("refresh")
        driver.answer("1.1", "failed", at: 16)
        driver.move(1100, .began, at: 32)
        driver.move(1170, .dragging, at: 48)
        driver.move(1190, .ended, at: 64)
        driver.send(content: 2015)
        driver.move(1190, .decelerating, at: 80)
        driver.move(1190, .idle, at: 96)
        try driver.expectAgreement()
    }

    @Test("If a cool-down ends during a drag without a new law, the release is not predicted")
    func coolDown() throws {
        let pan: JSONValue = .object([.init("damping", .string("none"))])
        let top: JSONValue = .object([.init("coolDown", .number(1000))])
        let driver = LawDriver(
            "iqpulltorefresh", content: 2000, [.init("pan", pan), .init("top", top)])
        driver.sendCommand("refresh")
        driver.answer("1.1", "success", at: 16)
        driver.pan(0, .began, at: 400)
        driver.pan(45, .dragging, at: 416)
        driver.pan(90, .dragging, at: 432)
        driver.pan(90, .ended, at: 1500)
        try driver.expectAgreement()
        #expect(driver.local.log.last == "load 1.2 refresh")
    }

    @Test("A pan that is cancelled at an unreported offset neither fires nor loads there")
    func cancelledPan() throws {
        let pan: JSONValue = .object([.init("damping", .string("none"))])
        let top: JSONValue = .object([.init("trigger", .string("reach"))])
        let bottom: JSONValue = .object([
            .init("leadTime", .number(200)), .init("anyDirection", .bool(true)),
        ])
        for isReported in [false, true] {
            let driver = LawDriver(
                "default", content: 4000, offset: 400,
                [.init("pan", pan), .init("top", top), .init("bottom", bottom)])
            driver.pan(0, .began, at: 0)
            driver.pan(-100, .dragging, at: 16)
            if isReported { driver.pan(420, .dragging, at: 32) }
            driver.pan(isReported ? 650 : -2200, .cancelled, at: 48)
            driver.wait(until: 3000)
            try driver.expectAgreement()
            #expect(driver.local.log.isEmpty)
        }
    }

    @Test("If a cancelled finger sent no sample, a list that then coasts neither fires nor loads")
    func cancelledUnseen() throws {
        let top: JSONValue = .object([.init("trigger", .string("reach"))])
        let bottom: JSONValue = .object([
            .init("preload", .number(0)), .init("leadTime", .null),
        ])
        let pull = LawDriver("default", content: 2000, [.init("top", top)])
        pull.move(0, .began, at: 0)
        pull.move(-100, .cancelled, at: 16)
        pull.move(-80, .decelerating, at: 32)
        pull.move(0, .idle, at: 48)
        try pull.expectAgreement()
        #expect(pull.local.log.isEmpty)
        let end = LawDriver("default", content: 2000, offset: 900, [.init("bottom", bottom)])
        end.move(900, .began, at: 0)
        end.move(1250, .cancelled, at: 16)
        end.move(1180, .decelerating, at: 32)
        end.move(1180, .idle, at: 48)
        try end.expectAgreement()
        #expect(end.local.log == end.stream.log)
    }

    @Test("If a program moves a resting list, the client sends one sample")
    func program() throws {
        let driver = LawDriver("default", content: 2000)
        driver.move(1100, .idle, at: 16, cause: .code)
        // These are `hello` and the sample.
        #expect(driver.local.messagesSent == 2 && driver.stream.messagesSent == 2)
        driver.move(1150, .idle, at: 1000, cause: .code)
        try driver.expectAgreement()
    }

    @Test("If a pull is answered late, the other edge keeps its earlier progress")
    func lateAnswer() throws {
        let driver = LawDriver(
            "uikit", content: 300, latency: 100, [.init("attention", .string("movement"))])
        driver.wait(until: 400)
        driver.move(0, .began, at: 400)
        driver.move(0, .dragging, at: 416)
        driver.move(-30, .dragging, at: 432)
        driver.move(-85, .dragging, at: 448)
        driver.move(-85, .ended, at: 464)
        driver.move(0, .decelerating, at: 480)
        driver.move(0, .idle, at: 496)
        driver.wait(until: 800)
        driver.move(0, .began, at: 912)
        driver.sendCommand("end")
        driver.wait(until: 1120)
        driver.move(-0.75, .dragging, at: 1128)
        driver.move(-40, .dragging, at: 1144)
        driver.move(-97.75, .dragging, at: 1160)
        driver.wait(until: 1500)
        #expect(driver.local.picture.edges["bottom"] == driver.stream.picture.edges["bottom"])
        try driver.expectWebClientAgrees()
    }

    @Test("If a list moves long after its release, the path starts where the list rests")
    func laterPath() throws {
        let pan: JSONValue = .object([.init("damping", .string("none"))])
        let driver = LawDriver("default", content: 2000, [.init("pan", pan)])
        driver.pan(0, .began, at: 0)
        driver.pan(-1300, .dragging, at: 16)
        driver.pan(-1300, .ended, at: 32)
        driver.wait(until: 1500)
        driver.pan(0, .began, at: 1500)
        driver.pan(10, .dragging, at: 1516)
        driver.pan(10, .ended, at: 1532)
        driver.wait(until: 2400)
        driver.answer("1.1", "failed", at: 2400)
        driver.wait(until: 2450)
        #expect(driver.local.isAnimating)
        driver.wait(until: 3000)
        try driver.expectAgreement()
        #expect(driver.local.log == ["load 1.1 more", "answer 1.1 failed"])
    }
}
