import ArgumentParser
import Foundation
import RefreshProtocol

/// The destination and format of a picture.
enum PlotOutput {
    enum Form: String {
        case svg, html, png
    }

    /// Returns the format for the file extension. Nil if there is no path, or if the extension is
    /// unknown.
    static func form(of path: String?) -> Form? {
        path.flatMap { Form(rawValue: URL(fileURLWithPath: $0).pathExtension) }
    }

    /// Checks the value of `--out`, the path of the picture.
    ///
    /// - Throws: if the extension is not that of one of `forms`, or if there is no path and `json`
    ///   is true. In that case, the picture and the JSON would both go to standard output.
    static func check(_ path: String?, _ forms: [Form], json: Bool) throws {
        guard let path else {
            guard !json else { throw ValidationError("--json: only with --out") }
            return
        }
        if let form = form(of: path), forms.contains(form) { return }
        let names = forms.map { ".\($0.rawValue)" }
        let listed = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
        throw ValidationError("--out: the name must end with \(listed)")
    }

    /// Prints a JSON object that describes the picture: members about the file, followed by
    /// `members`. Source: docs/refresh-probe.md, "Pictures of sessions".
    static func printSummary(of path: String?, _ members: [JSONValue.Member]) {
        guard let path else { return }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let bytes = (attributes?[.size] as? NSNumber)?.doubleValue
        let own: [JSONValue.Member] = [
            .init("file", .string(path)), .init("form", .string(form(of: path)?.rawValue ?? "")),
            .init("bytes", bytes.map(JSONValue.number) ?? .null),
        ]
        Terminal.printLine(JSONValue.object(own + members).text)
    }

    /// Writes `text` to the file at `path`, or to standard output if `path` is nil. The text is
    /// HTML if the file has the extension of an HTML page, and SVG in all other cases.
    static func write(_ text: String, to path: String?) throws {
        guard let path else {
            Terminal.write(text)
            return
        }
        do {
            if form(of: path) == .png {
                try Raster.write(text, to: path)
            } else {
                try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            }
        } catch {
            let reason = (error as? Raster.Failure)?.description ?? WriteFailure.text(error)
            try fail("\(path): \(reason)")
        }
    }

    static func fail(_ line: String) throws -> Never {
        Terminal.printError(line)
        throw ProbeStatus.unusable
    }
}

/// Explains why a file cannot be written, with advice.
enum WriteFailure {
    static func text(_ error: any Error) -> String {
        let system = (error as? CocoaError)?.underlying as? POSIXError
        return switch system?.code {
        case .ENOSPC, .EDQUOT: "there is no space left on the disk; free some, or write elsewhere"
        case .ENOENT, .ENOTDIR: "there is no such folder; create it, or write elsewhere"
        case .EACCES, .EPERM, .EROFS:
            "this user may not write there; grant the permission, or write elsewhere"
        default: error.localizedDescription
        }
    }
}
