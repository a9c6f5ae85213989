internal import WebClient

/// A file of the demo page.
struct SiteFile: Sendable {
    let contentType: String
    let body: [UInt8]

    /// What is served at `path` while the demo is on.
    static func at(_ path: String) -> SiteFile? { files[path] }

    /// Every path, for tests.
    static var paths: [String] { files.keys.sorted() }

    private static let files: [String: SiteFile] = {
        let script = "text/javascript; charset=utf-8"
        let page = SiteFile(contentType: "text/html; charset=utf-8", body: WebClient.indexHTML)
        return [
            "/": page,
            "/index.html": page,
            "/page.css": SiteFile(contentType: "text/css; charset=utf-8", body: WebClient.pageCSS),
            "/page.js": SiteFile(contentType: script, body: WebClient.pageJS),
            "/refresh-client.js": SiteFile(contentType: script, body: WebClient.refreshClientJS),
            "/scroll-view.js": SiteFile(contentType: script, body: WebClient.scrollViewJS),
            "/motion.js": SiteFile(contentType: script, body: WebClient.motionJS),
            "/trail.js": SiteFile(contentType: script, body: WebClient.trailJS),
            "/spinner.js": SiteFile(contentType: script, body: WebClient.spinnerJS),
        ]
    }()
}
