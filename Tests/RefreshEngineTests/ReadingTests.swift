import RefreshEngine
import RefreshProtocol
import Testing

/// Lists that are read from their physical end, and content that stays in place when items are
/// inserted.
@Suite("Reading direction")
struct ReadingTests {
    /// A chat: the newest message and the refresh edge are at the bottom, offset 1200. Older
    /// messages are above.
    private static func chat(offset: Double? = nil) -> EngineTester {
        EngineTester(
            .iq { options in
                options.layout.isReversed = true
                options.isClientBacked = true
            }, .sizes(), offset: offset)
    }

    @Test("A reversed list rests at its physical end, and is pulled beyond this end")
    func reversed() {
        var tester = Self.chat()
        #expect(tester.engine.physicalOffset == 1200)
        tester.scroll(.began, 1200)
        tester.skip()
        tester.scroll(.dragging, 1230)
        tester.expect("top pulling 0.5")
        tester.scroll(.dragging, 1270)
        tester.skip()
        tester.scroll(.ended, 1270)
        tester.expect(
            "impact", "top refreshing by finger", "inset top 60 in 100",
            "load 1.1 refresh refreshControl by finger, page 1 offset 0 size 10")
        tester.scroll(.idle, 1260)
        tester.finish(1, .success, count: 10)
        tester.expect(
            "inset top 0 in 100", "offset 1200 in 100", "top idle after success",
            "end 1.1 refresh success", "list 10 and more")
    }

    @Test("A reversed list requests the next page at its physical beginning")
    func reversedEnd() {
        var tester = Self.chat()
        tester.scroll(.began, 1200)
        tester.scroll(.dragging, 30)
        tester.expect("bottom approaching 0.5")
        tester.scroll(.dragging, 0)
        tester.expect(
            "impact", "bottom loading by finger",
            "load 1.1 more reachAtEnd by finger, page 1 offset 0 size 10")
        tester.finish(1, .cancelled)
        tester.skip()
    }

    @Test("A page inserted before the visible content does not move it", arguments: [true, false])
    func landing(isFingerDown: Bool) {
        var tester = Self.chat(offset: 100)
        if isFingerDown { tester.scroll(.began, 100) }
        tester.send(.loadMoreRequested(cause: .code))
        tester.skip()
        tester.finish(1, .success, count: 10)
        tester.skip()
        tester.change(content: 2600)
        tester.expect("offset 700")
        tester.change(content: 2700)
        tester.expectNothing()
        if isFingerDown { tester.scroll(.cancelled, 700) }
    }

    @Test("If the platform itself keeps the visible content in place, no command is sent")
    func compensated() {
        var tester = Self.chat(offset: 100)
        tester.send(.loadMoreRequested(cause: .code))
        tester.skip()
        tester.finish(1, .success, count: 10)
        tester.skip()
        var change = GeometryChange()
        change.content = SizeChange(width: 390, height: 2600)
        change.offset = 704
        tester.send(.geometryChanged(change))
        tester.expectNothing()
        #expect(tester.engine.physicalOffset == 704)
    }

    @Test(
        "A chat at its newest message follows a new message. At another place it does not move"
    )
    func sticking() {
        var tester = Self.chat()
        tester.change(content: 2100)
        tester.expect("offset 1300")
        tester.change(bottom: 34)
        tester.expect("offset 1334")
        tester.scroll(.idle, 500)
        tester.change(content: 2200)
        tester.expectNothing()
        #expect(tester.engine.physicalOffset == 500)
    }

    @Test("If the client reports a new offset with new sizes, the list is not moved back")
    func restored() {
        var tester = Self.chat()
        var change = GeometryChange()
        change.content = SizeChange(width: 390, height: 5000)
        change.offset = 3000
        tester.send(.geometryChanged(change))
        tester.expectNothing()
        #expect(tester.engine.physicalOffset == 3000)
    }

    /// Returns a geometry change with the position of item `a`.
    private static func anchor(
        _ position: Double, content: Double? = nil, offset: Double? = nil
    ) -> Event {
        var change = GeometryChange()
        change.content = content.map { SizeChange(width: 390, height: $0) }
        change.anchor = Anchor("a", at: position)
        change.offset = offset
        return .geometryChanged(change)
    }

    @Test("Older items that are inserted at the top do not move the anchored item")
    func prepended() {
        var tester = EngineTester(.iq(), .sizes(), offset: 100)
        tester.send(Self.anchor(150))
        tester.expectNothing()
        tester.send(Self.anchor(1150, content: 3000))
        tester.expect("offset 1100")
        tester.send(Self.anchor(1150, content: 4000))
        tester.expectNothing()
        tester.send(Self.anchor(1250, offset: 1200))
        tester.expectNothing()
        tester.send(Self.anchor(1450, offset: 1210))
        tester.expect("offset 1400")
    }

    @Test("An anchor without an earlier position does not move the list")
    func unknownAnchor() {
        var tester = EngineTester(.iq(), .sizes(), offset: 100)
        tester.send(Self.anchor(150))
        var change = GeometryChange()
        change.content = SizeChange(width: 390, height: 3000)
        change.anchor = Anchor("b", at: 1150)
        tester.send(.geometryChanged(change))
        tester.expectNothing()
        #expect(tester.engine.offset == 100)
    }

    @Test("Under a finger the anchored item stays in place, and the finger moves it on from there")
    func prependedUnderAFinger() {
        var tester = EngineTester(.iq(), .sizes(), offset: 100)
        tester.send(Self.anchor(150))
        tester.scroll(.began, 100)
        tester.scroll(.dragging, 90)
        tester.send(Self.anchor(1150, content: 3000))
        tester.expect("offset 1090")
        tester.scroll(.dragging, 1080)
        tester.scroll(.ended, 1080)
        tester.expectNothing()
    }

    @Test("During a pan the anchored item stays in place, and the finger moves it on from there")
    func prependedUnderAPan() {
        var tester = EngineTester(.iq(), .sizes(), offset: 100)
        tester.send(Self.anchor(150))
        tester.pan(.began, 0)
        tester.pan(.dragging, 10)
        tester.expect("offset 90")
        tester.send(Self.anchor(1150, content: 3000))
        tester.expect("offset 1090")
        tester.pan(.dragging, 15)
        tester.expect("offset 1085")
        tester.pan(.cancelled, 15)
        tester.skip()
    }

    @Test("If the client has features, an anchored list stays at its end when content shrinks")
    func tooShort() {
        var tester = EngineTester(.iq(), .sizes(), offset: 1100)
        tester.keepPlace()
        tester.send(Self.anchor(1150))
        tester.send(Self.anchor(550, content: 1000))
        tester.skip()
        #expect(tester.engine.physicalOffset == 200)
        var other = EngineTester(.iq(), .sizes(), offset: 1100)
        other.send(Self.anchor(1150))
        other.send(Self.anchor(550, content: 1000))
        other.skip()
        #expect(other.engine.physicalOffset == 500)
    }

    @Test("If the client has features, a list that the platform has moved to its end stays there")
    func movedToItsEnd() {
        var tester = EngineTester(.iq(), .sizes(), offset: 1100)
        tester.keepPlace()
        tester.send(Self.anchor(150))
        tester.send(Self.anchor(150, content: 1300, offset: 500))
        tester.skip()
        #expect(tester.engine.physicalOffset == 500)
    }

    @Test("If the client has features, a list beyond its end keeps its distance to the new end")
    func beyondItsEnd() {
        var tester = EngineTester(.iq(), .sizes(), offset: 1100)
        tester.keepPlace()
        tester.scroll(.began, 1200)
        tester.skip()
        tester.scroll(.dragging, 1230)
        tester.skip()
        tester.send(Self.anchor(1150))
        tester.skip()
        tester.send(Self.anchor(150, content: 1500))
        tester.skip()
        #expect(tester.engine.physicalOffset == 230)
        tester.send(Self.anchor(1150, content: 1500))
        tester.skip()
        #expect(tester.engine.physicalOffset == 700)
    }

    @Test("A keyboard below a chat raises the anchored item with the bottom of the viewport")
    func keyboard() {
        var tester = Self.chat(offset: 700)
        tester.send(Self.anchor(800))
        var change = GeometryChange()
        change.viewport = SizeChange(width: 390, height: 500)
        change.anchor = Anchor("a", at: 800)
        tester.send(.geometryChanged(change))
        // The item was 700 points above the bottom of the viewport and still is.
        tester.expect("offset 1000")
    }
}
