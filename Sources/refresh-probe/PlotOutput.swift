import ArgumentParser
import Foundation

/// Where a picture goes, and what it is there.
enum PlotOutput {
    enum Form: String {
        case svg, html, png
    }

    /// By the end of its name; nil without a name, or with another one.
    static func form(of path: String?) -> Form? {
        path.flatMap { Form(rawValue: URL(fileURLWithPath: $0).pathExtension) }
    }

    /// - Throws: where the name ends with none of these.
    static func check(_ path: String?, _ forms: [Form]) throws {
        guard let path else { return }
        if let form = form(of: path), forms.contains(form) { return }
        let names = forms.map { ".\($0.rawValue)" }
        let listed = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
        throw ValidationError("--out: a name that ends with \(listed)")
    }

    /// Writes `text`, an SVG document unless the name says that it is a page, to standard output
    /// without a name.
    static func put(_ text: String, to path: String?) throws {
        guard let path else {
            FileHandle.standardOutput.write(Data(text.utf8))
            return
        }
        do {
            if form(of: path) == .png {
                try Raster.write(text, to: path)
            } else {
                try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            }
        } catch {
            let reason = (error as? Raster.Failure)?.description ?? error.localizedDescription
            try fail("\(path): \(reason)")
        }
    }

    static func fail(_ line: String) throws -> Never {
        Terminal.complain(line)
        throw ProbeStatus.unusable
    }
}
