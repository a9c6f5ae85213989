import Foundation
import RefreshProtocol
import Testing

@testable import RefreshEngine

/// The objects of a geometry are merged member by member.
@Suite("Partial geometry changes")
struct GeometryMergeTests {
    private static func geometry(_ layout: ViewLayout = ViewLayout()) -> Geometry {
        var geometry = Geometry(layout)
        var change = GeometryChange()
        change.viewport = SizeChange(width: 390, height: 800)
        change.content = SizeChange(width: 2000, height: 3000)
        change.insets = EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
        change.safeArea = EdgeInsets(top: 10, left: 20, bottom: 30, right: 40)
        geometry.apply(change)
        return geometry
    }

    private static func bars(_ set: (inout Bars) -> Void) -> GeometryChange {
        var (change, bars) = (GeometryChange(), Bars())
        set(&bars)
        change.bars = bars
        return change
    }

    @Test("An omitted member keeps its value")
    func members() {
        var geometry = Self.geometry()
        var change = GeometryChange()
        change.viewport = SizeChange(width: 400)
        change.content = SizeChange(width: 2500)
        change.insets = EdgeInsets(bottom: 300)
        change.safeArea = EdgeInsets(top: 0)
        geometry.apply(change)
        #expect(geometry.viewportLength == 800 && geometry.contentLength == 3000)
        #expect(geometry.startInset == 1 && geometry.endInset == 330)
        var across = Self.geometry(ViewLayout(axis: .horizontal))
        across.apply(change)
        #expect(across.viewportLength == 400 && across.contentLength == 2500)
        #expect(across.startInset == 22 && across.endInset == 44)
    }

    @Test("Bars can be added and removed separately")
    func bars() {
        var geometry = Self.geometry()
        geometry.apply(Self.bars { $0.status = 20 })
        #expect(geometry.startInset == 21)
        geometry.apply(Self.bars { $0.navigationHeight = 44 })
        #expect(geometry.startInset == 45)
        geometry.apply(Self.bars { $0.navigationY = 20 })
        #expect(geometry.startInset == 65)
        geometry.apply(Self.bars { $0.searchHeight = 52 })
        #expect(geometry.startInset == 65, "a new search bar is active")
        geometry.apply(Self.bars { $0.isSearchActive = true })
        #expect(geometry.startInset == 117)
        geometry.apply(Self.bars { $0.status = 80 })
        #expect(geometry.startInset == 133)
        geometry.apply(Self.bars { $0.isSearchActive = false })
        #expect(geometry.startInset == 81)
        var none = GeometryChange()
        none.bars = Bars.none
        geometry.apply(none)
        #expect(geometry.startInset == 11)
    }

    @Test("Bars can be encoded and decoded, and older engines can read the bars that they know")
    func writtenDown() throws {
        var geometry = Self.geometry()
        let changes = [
            Self.bars { $0.navigationHeight = 64 }, Self.bars { $0.searchHeight = 52 },
            Self.bars { $0.isSearchActive = true }, Self.bars { $0.status = 20 },
            Self.bars { $0.searchHeight = 0 },
        ]
        for change in changes {
            geometry.apply(change)
            let text = try JSONEncoder().encode(geometry)
            #expect(try JSONDecoder().decode(Geometry.self, from: text) == geometry)
        }
        // Old engines encoded only the covered height and the room of the search bar.
        var old = Self.geometry()
        old.apply(Self.bars { $0.navigationHeight = 64 })
        old.apply(
            Self.bars {
                $0.searchHeight = 52
                $0.isSearchActive = true
            })
        let text = String(decoding: try JSONEncoder().encode(old), as: UTF8.self)
        #expect(text.contains(#""cover":64"#) && text.contains(#""search":52"#))
    }

    @Test("Members unknown to older engines are encoded only if they differ from their defaults")
    func usual() throws {
        var engine = Engine(
            generation: 1, options: .of(.uikit), geometry: .sizes(), offset: nil)
        let text = String(decoding: try JSONEncoder().encode(engine), as: UTF8.self)
        for name in ["restShift", "stalls", "asksAgain"] { #expect(!text.contains(name)) }
        var options = engine.options
        options.loadMore?.asksAgain = true
        var effects: [Effect] = []
        engine.handle(
            .edgesConfigured(refresh: options.refresh, loadMore: options.loadMore),
            at: Instant(milliseconds: 1), into: &effects)
        let other = try JSONEncoder().encode(engine)
        #expect(String(decoding: other, as: UTF8.self).contains(#""asksAgain":true"#))
        #expect(try JSONDecoder().decode(Engine.self, from: other) == engine)
    }
}
