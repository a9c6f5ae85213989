import ArgumentParser
import Foundation
import RefreshProtocol

/// Where a picture goes, and what it is there.
enum PlotOutput {
    enum Form: String {
        case svg, html, png
    }

    /// By the end of its name; nil without a name, or with another one.
    static func form(of path: String?) -> Form? {
        path.flatMap { Form(rawValue: URL(fileURLWithPath: $0).pathExtension) }
    }

    /// - Throws: where the name ends with none of these, or there is none, and standard output has
    ///   to hold something else.
    static func check(_ path: String?, _ forms: [Form], json: Bool) throws {
        guard let path else {
            guard !json else { throw ValidationError("--json: only with --out") }
            return
        }
        if let form = form(of: path), forms.contains(form) { return }
        let names = forms.map { ".\($0.rawValue)" }
        let listed = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
        throw ValidationError("--out: a name that ends with \(listed)")
    }

    /// Prints what was drawn there: `members`, behind the file's own. Source:
    /// docs/refresh-probe.md, "Pictures of sessions".
    static func tell(of path: String?, _ members: [JSONValue.Member]) {
        guard let path else { return }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let bytes = (attributes?[.size] as? NSNumber)?.doubleValue
        let own: [JSONValue.Member] = [
            .init("file", .string(path)), .init("form", .string(form(of: path)?.rawValue ?? "")),
            .init("bytes", bytes.map(JSONValue.number) ?? .null),
        ]
        Terminal.put(JSONValue.object(own + members).text)
    }

    /// Writes `text`, an SVG document unless the name says that it is a page, to standard output
    /// without a name.
    static func put(_ text: String, to path: String?) throws {
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
        Terminal.complain(line)
        throw ProbeStatus.unusable
    }
}
