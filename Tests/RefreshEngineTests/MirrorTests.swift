import RefreshEngine
import RefreshProtocol
import Testing
import Workbench

/// Tests that the engine behaves alike for both axes, both directions and both ends.
@Suite("Mirrored views", .ownThread)
struct MirrorTests {
    /// The layouts, and whether the reading direction is opposite to the axis.
    private static let layouts: [(layout: ViewLayout, direction: LayoutDirection, Bool)] = [
        (ViewLayout(axis: .vertical, isReversed: true), .leftToRight, true),
        (ViewLayout(axis: .horizontal, isReversed: false), .leftToRight, false),
        (ViewLayout(axis: .horizontal, isReversed: false), .rightToLeft, true),
        (ViewLayout(axis: .horizontal, isReversed: true), .leftToRight, true),
        (ViewLayout(axis: .horizontal, isReversed: true), .rightToLeft, false),
    ]

    @Test(
        "The same session in a mirrored view gives mirrored effects", arguments: Profile.allCases)
    func mirrored(profile: Profile) {
        var count = 0
        for seed in UInt64(1)...40 {
            // The offset of a list beyond its edge depends on the rubber band and is not a multiple
            // of 1/16. The mirrored offset is then not exact. Therefore all events that may contain
            // an offset are removed from a session with `pan` samples.
            let isPanned = seed % 4 == 0
            // In some sessions, geometry changes need not contain an offset. If the size of the
            // viewport or of the content changes without an offset, a mirrored list is at another
            // place than an upright one. Therefore such changes are removed from these sessions.
            let isLeft = seed % 4 == 1
            var events = RandomEvents(
                seed: seed, profile: profile, pans: isPanned ? 100 : 0,
                tellsOffsets: !isLeft, isUpright: true)
            var session = Session(&events, seed: seed, count: 300)
            if isPanned { session.steps.removeAll { $0.event.tellsOffset } }
            if isLeft { session.steps.removeAll { $0.event.movesPlaces } }
            for (layout, direction, isMirrored) in Self.layouts {
                let mirror = Mirror(
                    layout: layout, direction: direction, isMirrored: isMirrored)
                let difference = mirror.difference(in: session)
                #expect(difference == nil, "seed \(seed), \(layout) \(direction)")
                count += session.steps.count
            }
        }
        print("mirrored: \(count) events, seed 1, profile \(profile)")
    }

    @Test("A view keeps its place when its direction changes to right-to-left and back")
    func turned() {
        for first in [LayoutDirection.leftToRight, .rightToLeft] {
            let second: LayoutDirection =
                first == .leftToRight ? .rightToLeft : .leftToRight
            var options = ViewOptions.uikit()
            options.layout.axis = .horizontal
            var sizes = GeometryChange()
            sizes.viewport = SizeChange(width: 800, height: 390)
            sizes.content = SizeChange(width: 2000, height: 390)
            sizes.direction = first
            var tester = EngineTester(options, sizes)
            var turn = GeometryChange()
            turn.direction = second
            tester.send(.geometryChanged(turn))
            tester.expect(second == .rightToLeft ? "offset 1200" : "offset 0")
            #expect(tester.engine.offset == 0)
            tester.scroll(.began, tester.engine.geometry.mirrored(0))
            tester.scroll(.dragging, tester.engine.geometry.mirrored(300))
            turn.direction = first
            tester.send(.geometryChanged(turn))
            tester.expect(first == .rightToLeft ? "offset 900" : "offset 300")
            #expect(tester.engine.offset == 300)
        }
    }
}

/// Repeats a session with another layout, and compares the effects.
private struct Mirror {
    let layout: ViewLayout
    let direction: LayoutDirection
    /// Whether the reading direction is opposite to the axis.
    let isMirrored: Bool

    /// The first difference between the effects of the upright view and the mirrored view.
    func difference(in session: Session) -> String? {
        var upright = session.start.engine
        let geometry = upright.geometry
        var start = session.start
        start.options.layout = layout
        start.geometry = image(of: start.geometry, geometry)
        start.geometry.direction = direction
        start.offset = start.offset.map { image(of: $0, geometry) }
        var mirrored = start.engine
        for (index, step) in session.steps.enumerated() {
            var (effects, images): ([Effect], [Effect]) = ([], [])
            let before = upright.geometry
            upright.handle(step.event, at: step.at, into: &effects)
            mirrored.handle(
                image(of: step.event, before, upright.geometry), at: step.at, into: &images)
            // When insets change, a platform moves only a list that rests at the physical start. If
            // the mirrored list rests at the physical end, a command moves the list to its new end.
            // The upright view has no such command, so the command is not compared.
            if isMirrored, step.event.leavesOffset {
                images.removeAll { $0.isMove && !effects.contains(where: \.isMove) }
            }
            let isSame = images == effects.map { image(of: $0, upright.geometry) }
            if !isSame || upright.offset != mirrored.offset {
                return """
                    step \(index): \(step.event)
                    \(effects.map { $0.text(at: step.at) }) at \(upright.offset)
                    \(images.map { $0.text(at: step.at) }) at \(mirrored.offset)
                    """
            }
        }
        return nil
    }

    private func image(of effect: Effect, _ geometry: Geometry) -> Effect {
        guard case .moveContent(let command) = effect else { return effect }
        switch command.movement {
        case .glide(let target, let timeline):
            return .moveContent(
                OffsetCommand(target: image(of: target, geometry), timeline: timeline))
        case .flight(let flight):
            let sum = geometry.contentLength - geometry.viewportLength
            return .moveContent(
                OffsetCommand(isMirrored ? flight.mirrored(about: sum) : flight))
        }
    }

    private func image(of offset: Double, _ geometry: Geometry) -> Double {
        isMirrored ? geometry.contentLength - geometry.viewportLength - offset : offset
    }

    private func image(way: Double) -> Double { isMirrored ? 0 - way : way }

    private func image(of event: Event, _ before: Geometry, _ after: Geometry) -> Event {
        switch event {
        case .scrolled(var sample):
            sample.offset = image(of: sample.offset, before)
            sample.velocity = image(way: sample.velocity)
            return .scrolled(sample)
        case .panned(var sample):
            sample.translation = image(way: sample.translation)
            sample.velocity = image(way: sample.velocity)
            sample.offset = sample.offset.map { image(of: $0, before) }
            return .panned(sample)
        case .geometryChanged(let change):
            return .geometryChanged(image(of: change, after))
        default: return event
        }
    }

    /// Mirrors `change`, a change of an upright view without bars.
    private func image(of change: GeometryChange, _ geometry: Geometry) -> GeometryChange {
        var image = change
        let isHorizontal = layout.axis == .horizontal
        image.viewport = change.viewport.map { isHorizontal ? $0.turned : $0 }
        image.content = change.content.map { isHorizontal ? $0.turned : $0 }
        image.insets = change.insets.map { insets in
            let near = isMirrored ? insets.bottom : insets.top
            let far = isMirrored ? insets.top : insets.bottom
            return isHorizontal
                ? EdgeInsets(left: near, right: far) : EdgeInsets(top: near, bottom: far)
        }
        image.offset = change.offset.map { self.image(of: $0, geometry) }
        image.anchor = change.anchor.map { anchor in
            isMirrored
                ? Anchor(name: anchor.name, position: geometry.contentLength - anchor.position)
                : anchor
        }
        return image
    }
}

extension SizeChange {
    fileprivate var turned: SizeChange { SizeChange(width: height, height: width) }
}

extension Effect {
    fileprivate var isMove: Bool {
        if case .moveContent = self { true } else { false }
    }
}

extension Event {
    fileprivate var leavesOffset: Bool {
        if case .geometryChanged(let change) = self { change.offset == nil } else { false }
    }

    /// Whether sizes along the axis change without a reported offset. The same offset is then the
    /// same place in an upright view, but another place in a mirrored view.
    fileprivate var movesPlaces: Bool {
        guard case .geometryChanged(let change) = self, change.offset == nil else { return false }
        return change.viewport != nil || change.content != nil
    }

    fileprivate var tellsOffset: Bool {
        switch self {
        case .scrolled, .geometryChanged: true
        default: false
        }
    }
}
