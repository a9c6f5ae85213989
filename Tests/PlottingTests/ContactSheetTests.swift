import Foundation
import FoundationXML
import Plotting
import RefreshIndicator
import RefreshProtocol
import Testing
import Workbench

/// The pictures that `refresh-probe plot` draws. `REGENERATE_DOCS=1 swift test --filter
/// ContactSheetTests` writes the pictures in docs/images/indicators, and does not compare them.
@Suite("Contact sheets", .ownThread)
struct ContactSheetTests {
    private static let folder = ProjectFolder.root.appending(path: "docs/images/indicators")

    private static func programme(_ text: String) throws -> Programme {
        try Programme(file: try JSONValue(parsing: text))
    }

    @Test(
        "The pictures in docs match the current programmes in both themes",
        arguments: BuiltInIndicator.allCases, PlotTheme.allCases)
    func pictures(_ indicator: BuiltInIndicator, theme: PlotTheme) throws {
        let name = indicator.rawValue
        let file = Self.folder.appending(path: name + (theme == .dark ? ".dark.svg" : ".svg"))
        let svg = ContactSheet(of: indicator.programme, named: name, theme: theme).svg
        if ProcessInfo.processInfo.environment["REGENERATE_DOCS"] == "1" {
            try svg.write(to: file, atomically: true, encoding: .utf8)
        } else {
            let committed = try String(contentsOf: file, encoding: .utf8)
            #expect(
                committed == svg, "run REGENERATE_DOCS=1 swift test --filter ContactSheetTests")
        }
    }

    @Test("docs/indicators.md shows each indicator", arguments: BuiltInIndicator.allCases)
    func shown(_ indicator: BuiltInIndicator) throws {
        let page = Self.folder.deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "indicators.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        #expect(text.contains("](images/indicators/\(indicator.rawValue).svg)"))
    }

    /// Returns the labels below frames and beside rows, in order.
    private func labels(of svg: String) throws -> [String] {
        let document = try XMLDocument(xmlString: svg)
        return try document.nodes(forXPath: "/*/*[local-name()='text']").compactMap(\.stringValue)
    }

    @Test("A sheet has rows for the pull, the refresh, success, failure and the texts of states")
    func rows() throws {
        let programme = try Self.programme(
            """
            {"layers": [{"name": "t", "text": "@hi"}], "run": {"duration": 300},
             "finish": {"success": {"duration": 60,
                "tracks": {"t": {"opacity": [[0, 1], [60, 0]]}}},
                "failure": {"duration": 120, "tracks": {"t": {"x": [[0, 0], [120, 9]]}}}},
             "states": {"eligible": {"text": {"t": "@go"}}},
             "strings": {"hi": {"en": "Pull <it>", "de": "Zieh"}, "go": {"en": "Let go"}}}
            """)
        let labels = try labels(of: ContactSheet(of: programme, named: "a & b").svg)
        #expect(labels.first == "a & b")
        for label in [
            "Pull", "0", "0.1", "1.5", "2", "idle", "pulling", "eligible", "Refresh", "23",
            "300", "refreshing", "Success", "60", "succeeded", "Failure", "120", "failed",
            "States",
        ] {
            #expect(labels.contains(label), "\(label)")
        }
    }

    @Test("Texts are escaped and in the requested language")
    func texts() throws {
        let programme = try Self.programme(
            """
            {"layers": [{"name": "t", "text": "@hi", "color": "#102030"}],
             "strings": {"hi": {"en": "Pull <&>", "de": "Zieh"}}}
            """)
        let english = ContactSheet(of: programme, named: "n").svg
        #expect(english.contains(">Pull &lt;&amp;&gt;</text>"))
        #expect(english.contains("fill=\"#102030\""))
        #expect(ContactSheet(of: programme, named: "n", language: "de-AT").svg.contains(">Zieh<"))
    }

    @Test("Every kind of layer is drawn with its current values")
    func layers() throws {
        let programme = try Self.programme(
            """
            {"layers": [
                {"name": "line", "path": "M0 0H10", "strokeWidth": 2, "cap": "square",
                    "color": "#ff0000"},
                {"name": "disc", "path": "M0 0H5V5Z", "scale": 2, "rotation": 1.5707963267948966},
                {"name": "box", "box": {"width": 8, "height": null, "corner": 2}, "x": 3, "y": -4},
                {"name": "picture", "image": "star", "width": 20, "height": 30, "opacity": 0.5},
                {"name": "hidden", "path": "M0 0V77", "strokeWidth": 1, "opacity": 0}],
             "pull": {"tracks": {"line": {"strokeEnd": [[0, 0], [1, 1]]}}}}
            """)
        let svg = ContactSheet(of: programme, named: "n", theme: .dark).svg
        #expect(svg.contains("<path d=\"M0 0L5 0\" fill=\"none\" stroke=\"#ff0000\""))
        #expect(svg.contains("stroke-linecap=\"square\""))
        #expect(svg.contains("transform=\"rotate(90) scale(2)\"><path d=\"M0 0L5 0L5 5Z\""))
        #expect(svg.contains("transform=\"translate(3 -4)\"><rect x=\"-4\""))
        #expect(
            svg.contains("opacity=\"0.5\"><rect x=\"-10\" y=\"-15\" width=\"20\" height=\"30\""))
        #expect(svg.contains(">star</text>"))
        #expect(!svg.contains("77"))
        #expect(try !labels(of: svg).isEmpty)
    }

    @Test("A programme with a single layer can be drawn")
    func least() throws {
        let programme = try Self.programme(#"{"layers": [{"name": "a", "path": ""}]}"#)
        let labels = try labels(of: ContactSheet(of: programme, named: "least").svg)
        #expect(labels.contains("Pull"))
        #expect(!labels.contains("Refresh"))
        #expect(labels.contains("60 × 60 points · 1 layer"))
    }
}
