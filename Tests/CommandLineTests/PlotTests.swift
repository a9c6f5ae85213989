import Foundation
import LoadTesting
import RefreshProtocol
import Testing
import Workbench

@Suite("refresh-probe plot", .ownThread, .limit)
struct PlotTests {
    /// Calls `body` with a temporary folder, which is then removed.
    private static func inFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("plot-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    @Test(
        "A built-in indicator is drawn if the command names it",
        arguments: ["spinner", "indicator", "path", "letters", "compass"])
    func builtIn(name: String) throws {
        let ending = try ProbeTests.run(["plot", name])
        #expect(ending.status == 0)
        #expect(ending.output.hasPrefix("<svg "))
        #expect(ending.output.hasSuffix("</svg>\n"))
        #expect(ending.output.contains(">\(name)</text>"))
        #expect(ending.errors.isEmpty)
    }

    @Test("Each built-in indicator has a subcommand that draws the same picture as `sheet`")
    func commands() throws {
        let help = try ProbeTests.run(["plot", "--help"]).output
        // The help of `sheet` names all built-in indicators.
        let sheetHelp = try ProbeTests.run(["plot", "sheet", "--help"]).output
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let listed = try #require(sheetHelp.firstMatch(of: /or one of ([a-z, ]+)\./)).output.1
        let names = listed.split(separator: ", ").map(String.init)
        #expect(names.count >= 5)
        for name in names {
            #expect(help.contains("Draws the built-in indicator \(name)."))
            let own = try ProbeTests.run(["plot", name, "--dark", "--language", "de"])
            #expect(own.status == 0, "\(own.errors)")
            let sheet = try ProbeTests.run(["plot", "sheet", name, "--dark", "--language", "de"])
            #expect(own.output == sheet.output)
            let result = try ProbeTests.run(["plot", name, "--help"])
            #expect(result.status == 0)
            #expect(result.output.contains("plot \(name) [--out <out>]"), "\(result.output)")
        }
    }

    @Test("With --json, the output describes the picture and its file, and a file is required")
    func json() throws {
        try Self.inFolder { folder in
            let trace = try #require(TouchTrace.all.first { $0.name == "slow-pull.stream" })
            let journal = folder.appendingPathComponent("pull.jsonl")
            try Data(trace.bytes).write(to: journal)
            for (arguments, form) in [
                (["spinner"], "svg"), (["session", journal.path], "svg"),
                (["session", journal.path], "html"),
            ] {
                let picture = folder.appendingPathComponent("a.\(form)")
                let ending = try ProbeTests.run(
                    ["plot"] + arguments + ["--out", picture.path, "--json"])
                #expect(ending.status == 0, "\(ending.errors)")
                let result = try JSONValue(parsing: ending.output)
                #expect(result["file"] == .string(picture.path))
                #expect(result["form"] == .string(form))
                let bytes = try Data(contentsOf: picture).count
                #expect(result["bytes"] == .number(Double(bytes)))
                let isSession = arguments.count == 2
                #expect(result["views"] == (isSession ? .array([.string("list")]) : nil))
                #expect(result["indicator"] == (isSession ? nil : .string("spinner")))
                #expect(try ProbeTests.run(["plot"] + arguments + ["--json"]).status == 2)
            }
        }
    }

    @Test("The picture of a file shows the file's name, and has the requested language and theme")
    func file() throws {
        try Self.inFolder { folder in
            let file = folder.appendingPathComponent("mine.json")
            let text = """
                {"layers": [{"name": "t", "text": "@hi"}],
                    "strings": {"hi": {"en": "Pull", "de": "Ziehen"}}}
                """
            try Data(text.utf8).write(to: file)
            let picture = folder.appendingPathComponent("mine.svg")
            let ending = try ProbeTests.run(
                ["plot", file.path, "--out", picture.path, "--language", "de", "--dark"])
            #expect(ending.status == 0)
            #expect(ending.output.isEmpty)
            let svg = try String(contentsOf: picture, encoding: .utf8)
            #expect(svg.contains(">mine</text>"))
            #expect(svg.contains(">Ziehen</text>"))
            let light = try ProbeTests.run(["plot", file.path])
            #expect(light.output.contains(">Pull</text>"))
            #expect(!svg.contains("fill=\"#ffffff\"/>\n<text"))
        }
    }

    @Test("The program rsvg-convert writes PNG pictures. If it is missing, the error names it")
    func raster() throws {
        try Self.inFolder { folder in
            let picture = folder.appendingPathComponent("spinner.png")
            let ending = try ProbeTests.run(["plot", "spinner", "--out", picture.path])
            if ending.status == 0 {
                let start = try Data(contentsOf: picture).prefix(4)
                #expect(Array(start) == [0x89, 0x50, 0x4E, 0x47])
            } else {
                #expect(ending.status == 2)
                #expect(ending.errors.contains("rsvg-convert"))
                #expect(!FileManager.default.fileExists(atPath: picture.path))
            }
        }
    }

    @Test("The error for a picture that cannot be written includes advice")
    func unwritable() throws {
        let ending = try ProbeTests.run(["plot", "spinner", "--out", "/nonexistent/a.svg"])
        #expect(ending.status == 2)
        #expect(
            ending.errors
                == "/nonexistent/a.svg: there is no such folder; create it, or write elsewhere\n")
    }

    @Test("If a file describes no indicator, one line names the position, and the status is 2")
    func mistakes() throws {
        try Self.inFolder { folder in
            let file = folder.appendingPathComponent("bad.json")
            try Data(#"{"letters": {"colours": []}}"#.utf8).write(to: file)
            let ending = try ProbeTests.run(["plot", file.path])
            #expect(ending.status == 2)
            #expect(ending.output.isEmpty)
            let problem =
                "unknown member colours; known members: text, colors, fontSize, font, spacing, "
                + "color"
            #expect(
                ending.errors == "\(file.path): letters: \(problem); did you mean `colors`?\n")
        }
        let missing = try ProbeTests.run(["plot", "/nonexistent.json"])
        #expect(missing.status == 2)
        #expect(missing.errors == "/nonexistent.json: cannot be read: there is no such file\n")
    }

    @Test(
        "For a wrong command line or a picture that cannot be written, the status is 2",
        arguments: [
            ["plot"], ["plot", "spinner", "--out", "picture.gif"],
            ["plot", "spinner", "--out", "/nonexistent/a.svg"],
            ["plot", "spinner", "--out", "/nonexistent/a.png"], ["plot", "spinner", "path"],
        ])
    func wrongUse(arguments: [String]) throws {
        let ending = try ProbeTests.run(arguments)
        #expect(ending.status == 2)
        #expect(ending.output.isEmpty)
        #expect(!ending.errors.isEmpty)
    }
}
