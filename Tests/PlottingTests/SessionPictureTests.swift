import Foundation
import FoundationXML
import RefreshProtocol
import Testing
import Workbench

@testable import JournalReplay
@testable import LoadTesting
@testable import Plotting

/// The pictures that `refresh-probe plot session` draws.
@Suite("Pictures of sessions", .ownThread)
struct SessionPictureTests {
    private static let folder = ProjectFolder.root.appending(path: "docs/images/sessions")

    /// The traces that the documentation shows.
    private static let shown = ["slow-pull.stream", "fling-to-the-end.stream", "impatient.stream"]

    private static func recording(_ name: String) throws -> SessionRecording {
        let trace = try #require(TouchTrace.all.first { $0.name == name })
        return try SessionRecording(trace.bytes)
    }

    @Test(
        "The pictures in docs match the current drawings of the traces in both themes",
        arguments: shown, PlotTheme.allCases)
    func pictures(_ name: String, theme: PlotTheme) throws {
        let file = Self.folder.appending(path: name + (theme == .dark ? ".dark.svg" : ".svg"))
        let svg = SessionPicture(of: try Self.recording(name), theme: theme).svg
        if ProcessInfo.processInfo.environment["REGENERATE_DOCS"] == "1" {
            try FileManager.default.createDirectory(
                at: Self.folder, withIntermediateDirectories: true)
            try svg.write(to: file, atomically: true, encoding: .utf8)
        } else {
            let committed = try String(contentsOf: file, encoding: .utf8)
            #expect(
                committed == svg, "run REGENERATE_DOCS=1 swift test --filter SessionPictureTests")
        }
        let page = Self.folder.deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "refresh-probe.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        #expect(text.contains("](images/sessions/\(name).svg)"))
    }

    @Test("The picture of a pull shows the offset beyond the threshold, the states and the load")
    func pull() throws {
        let recording = try Self.recording("slow-pull.stream")
        let view = try #require(recording.views.first)
        #expect(recording.views.count == 1 && view.name == "list")
        #expect(view.touches.count == 1)
        let top = try #require(view.edges.first { $0.name == "top" })
        #expect(
            top.states.map(\.value) == [
                .refreshing, .idle, .pulling, .eligible, .refreshing, .idle,
            ])
        #expect(top.threshold.compactMap(\.value).allSatisfy { $0 == -60 })
        let least = try #require(view.offset.map(\.value).min())
        #expect(least < -60)
        let touch = try #require(view.touches.first)
        let deepest = try #require(view.offset.first { $0.value == least })
        #expect(touch.contains(deepest.t))
        #expect(view.loads.count == 2 && view.loads.allSatisfy { $0.outcome == "16 items" })
        // The state becomes `eligible` when the list passes the threshold.
        let eligible = try #require(top.states.first { $0.value == .eligible })
        let before = view.offset.last { $0.t < eligible.t }
        let after = view.offset.last { $0.t <= eligible.t }
        #expect(before.map { $0.value > -60 } == true && after.map { $0.value <= -60 } == true)
        #expect(view.offset.last?.value == 0)
    }

    @Test(
        "The progress of an edge is at most 1, and is 0 in states that have no progress",
        arguments: TouchTrace.all.map(\.name))
    func progress(_ name: String) throws {
        for view in try Self.recording(name).views {
            for edge in view.edges {
                for mark in edge.progress {
                    #expect((0...1).contains(mark.value))
                    // At the moment of a change, the old state and the new state count.
                    let states = Set(
                        edge.states.filter { $0.t == mark.t }.map(\.value)
                            + [edge.states.last { $0.t < mark.t }?.value].compactMap(\.self))
                    let isShown = !states.isDisjoint(with: [.pulling, .approaching, .eligible])
                    #expect(mark.value == 0 || isShown, "\(edge.name) at \(mark.t): \(states)")
                    #expect(mark.value == 1 || states != [.eligible])
                }
            }
        }
    }

    @Test("During a pull, the drawn progress rises to 1, even if the client computes the progress")
    func risingProgress() throws {
        for name in ["slow-pull.stream", "slow-pull.local"] {
            let view = try #require(try Self.recording(name).views.first)
            let top = try #require(view.edges.first { $0.name == "top" })
            let shown = top.progress.map(\.value).filter { $0 > 0 }
            // A `local` client receives few progress values.
            #expect(Set(shown).count >= (name.hasSuffix("local") ? 2 : 10), "\(name)")
            #expect(shown == shown.sorted() && shown.last == 1, "\(name): \(shown)")
        }
    }

    @Test("For a `local` client, the picture shows the progress until the list rests")
    func fallingProgress() throws {
        let view = try #require(try Self.recording("fling-to-the-end.local").views.first)
        let bottom = try #require(view.edges.first { $0.name == "bottom" })
        // While the list has only its first page, the end is near, and the progress is 1. The fling
        // then begins far from the end, with a smaller progress that no message contains.
        let shown = bottom.progress.map(\.value)
        let full = try #require(shown.firstIndex(of: 1))
        let behind = try #require(shown[full...].firstIndex { $0 < 1 })
        #expect(shown[behind...].contains(1), "\(shown)")
    }

    @Test(
        "Every trace is drawn as one well-formed document in both themes",
        arguments: TouchTrace.all.map(\.name))
    func documents(_ name: String) throws {
        let recording = try Self.recording(name)
        for theme in PlotTheme.allCases {
            let svg = SessionPicture(of: recording, theme: theme).svg
            let document = try XMLDocument(xmlString: svg)
            let texts = try document.nodes(forXPath: "//*[local-name()='text']")
                .compactMap(\.stringValue)
            for lane in ["offset", "top", "bottom", "loads", "messages"] {
                #expect(texts.contains(lane), "\(lane) of \(texts)")
            }
            #expect(!svg.contains("nan") && !svg.contains("inf\""))
            // No coordinate is outside of the picture.
            for end in try document.nodes(forXPath: "//@x | //@x1 | //@x2") {
                let x = Double(end.stringValue ?? "") ?? -1
                #expect(x >= 0 && x <= 1100, "\(x)")
            }
        }
    }

    @Test(
        "At any width, no text is cut off, every state has a name, and no grid line crosses a heading",
        arguments: [480.0, 700, 1100])
    func widths(_ width: Double) throws {
        for trace in TouchTrace.all {
            var recording = try SessionRecording(trace.bytes)
            recording.views[0].name = String(repeating: "n", count: 32)
            let picture = SessionPicture(of: recording, width: width)
            let document = try XMLDocument(xmlString: picture.svg)
            let texts = try document.nodes(forXPath: "//*[local-name()='text']")
                .compactMap { $0 as? XMLElement }
            for text in texts {
                let span = Self.span(of: text)
                #expect(
                    span.lowerBound >= 0 && span.upperBound <= width,
                    "\(trace.name): \(text.stringValue ?? "") at \(span)")
            }
            let names = Set(texts.flatMap { ($0.stringValue ?? "").components(separatedBy: ", ") })
            for state in recording.views.flatMap(\.edges).flatMap(\.states) {
                #expect(names.contains(state.value.rawValue), "\(trace.name): \(state.value)")
            }
            let lines = try document.nodes(forXPath: "//*[local-name()='line']")
                .compactMap { $0 as? XMLElement }.filter {
                    Self.number($0, "x1") == Self.number($0, "x2")
                }
            #expect(!lines.isEmpty)
            for heading in texts
            where heading.attributes?.contains(where: { $0.name == "font-weight" }) == true {
                let y = Self.number(heading, "y")
                for line in lines where Self.span(of: heading).contains(Self.number(line, "x1")) {
                    let isBeside =
                        y + 4 < Self.number(line, "y1") || y - 14 > Self.number(line, "y2")
                    #expect(isBeside, "\(trace.name): \(heading.stringValue ?? "")")
                }
            }
        }
    }

    private static func number(_ element: XMLElement, _ name: String) -> Double {
        element.attributes?.first { $0.name == name }?.stringValue.flatMap(Double.init) ?? .infinity
    }

    /// The horizontal range of a text, with the width that the picture assumes.
    private static func span(of text: XMLElement) -> ClosedRange<Double> {
        let x = number(text, "x")
        let width = SessionPicture.width(
            of: text.stringValue ?? "", size: number(text, "font-size"))
        switch text.attributes?.first(where: { $0.name == "text-anchor" })?.stringValue {
        case "middle": return x - width / 2...x + width / 2
        case "end": return x - width...x
        default: return x...x + width
        }
    }

    @Test("The HTML page has every message, with markup escaped")
    func page() throws {
        let recording = try Self.recording("flick.stream")
        let html = SessionPage(of: recording).html
        #expect(html.components(separatedBy: "<tr class=").count - 1 == recording.messages.count)
        #expect(html.contains("{&quot;type&quot;:&quot;welcome&quot;"))
        #expect(html.contains("<svg xmlns="))
        #expect(!html.contains("http://") || html.contains("http://www.w3.org"))
    }

    @Test("A journal that was cut off is drawn up to the cut")
    func torn() throws {
        let trace = try #require(TouchTrace.all.first { $0.name == "slow-pull.stream" })
        let whole = try SessionRecording(trace.bytes)
        let half = try SessionRecording(Array(trace.bytes.prefix(trace.bytes.count / 2)))
        #expect(half.messages.count < whole.messages.count && !half.messages.isEmpty)
        #expect(half.end == "the journal ends here" && whole.end == "closed")
        _ = try XMLDocument(xmlString: SessionPicture(of: half).svg)
        #expect(throws: JournalUnusable.self) { try SessionRecording(Array("{}\n".utf8)) }
    }
}
