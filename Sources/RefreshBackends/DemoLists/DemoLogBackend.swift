package import RefreshBroker
internal import RefreshProtocol

/// The backend of the demo's feed `log`: a log of 10,000 lines that never changes. Source:
/// docs/backends.md, "The feed log".
package struct DemoLogBackend: Backend {
    static let count = 10_000
    private static let events = ["installed", "configured", "verified", "upgraded"]

    private let names: [String]
    private let first: Int

    /// Creates the backend. `packages` is a JSON array of the packages that the lines name. `first`
    /// is the offset of the first line.
    package init(packages: [UInt8], first: Int) throws(BackendConfigurationError) {
        do {
            names = try DebianPackage.packages(inJSON: packages).map(\.name)
        } catch {
            throw BackendConfigurationError("demo", "The bundled list is \(error.message).")
        }
        self.first = first
    }

    package func load(_ call: BackendCall) async throws(LoadFailure) -> Page {
        // This call starts on the broker's thread. After `yield`, it runs on another thread.
        await Task.yield()
        let request = call.request
        let count = names.isEmpty ? 0 : Self.count
        let start = min(PagePosition.start(of: request, paging: .offset, first: first), count)
        let end = start + min(max(0, request.size), count - start)
        var json = ByteBuffer()
        json.append(UInt8(ascii: "["))
        for line in start..<end {
            if line > start { json.append(UInt8(ascii: ",")) }
            json.append(literal: "{\"id\":")
            json.append(line)
            json.append(literal: ",\"text\":")
            let event = Self.events[line / names.count % Self.events.count]
            json.appendQuoted("\(names[line % names.count]) was \(event)")
            json.append(UInt8(ascii: "}"))
        }
        json.append(UInt8(ascii: "]"))
        return Page(items: json.bytes, count: end - start, more: end < count, total: count)
    }
}
