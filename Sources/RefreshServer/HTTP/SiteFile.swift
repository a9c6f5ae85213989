internal import WebClient

/// A file of the demo page.
struct SiteFile: Sendable {
    let contentType: String
    let body: [UInt8]

    /// Returns the demo's file at `path`; nil if there is none.
    static func at(_ path: String) -> SiteFile? { files[path] }

    /// Every path, for tests.
    static var paths: [String] { files.keys.sorted() }

    private static let files: [String: SiteFile] = {
        var files: [String: SiteFile] = [:]
        for (name, body) in WebClient.site {
            files["/\(name)"] = SiteFile(contentType: contentType(of: name), body: body)
        }
        files["/"] = files["/index.html"]
        return files
    }()

    private static func contentType(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        default: "text/javascript; charset=utf-8"
        }
    }
}
