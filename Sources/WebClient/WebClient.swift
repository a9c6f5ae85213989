internal import WebClientFiles

/// The files of `clients/web`. They are embedded in the daemon, which serves them as its demo page.
package enum WebClient {
    /// The files of the demo page and the gallery, by name.
    package static var site: [(name: String, body: [UInt8])] {
        (0..<web_client_site_count()).map { index in
            let file = unsafe web_client_site_at(index)
            return unsafe (String(cString: file.name), bytes(of: file))
        }
    }

    /// The list of several hundred real Debian packages, as JSON. The demo shows this list on
    /// machines without dpkg.
    package static var packagesJSON: [UInt8] { unsafe bytes(of: web_client_packages()) }

    private static func bytes(of file: web_client_file) -> [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    }
}
