package import RefreshBroker
package import RefreshProtocol
internal import Synchronization

/// A backend that reads items from a configured file: JSON, JSON Lines or CSV.
///
/// The file is read on the first request, and again when its device, inode, size or modification
/// time has changed. For two seconds after a change, it is read on each request, because the
/// resolution of time stamps can be two seconds. Every page contains items of the file as it is at
/// the time of the request. Source: docs/backends.md, "file".
package struct FileBackend: Backend {
    private struct Reading: Sendable {
        let identity: FileIdentity
        let items: ItemList
    }

    private final class Cache: Sendable {
        let reading = Mutex<Reading?>(nil)
    }

    private let path: ConfinedPath
    private let format: FileFormat
    private let paging: PagingStyle
    private let first: Int
    private let bytesMax: Int
    private let answerBytesMax: Int
    private let cache = Cache()
    private let disk = DiskQueue(label: "backend.file")

    /// The maximum size of all JSON objects that the rows of a CSV file become, as a multiple of
    /// `bytesMax`. Items of the other formats are copied verbatim.
    private static let growthMax = 4

    /// Creates the backend. A relative `path` starts in `folder` and must not leave it. Without a
    /// `folder`, the path is used as it is. If `format` is nil, the extension of `path` determines
    /// it. `firstPage` is the `page` or `offset` of the first request, 0 or 1. Nil means 1 for the
    /// paging style `page`, and 0 for other styles. Files larger than `bytesMax`
    /// (1024...1,073,741,824) and pages larger than `answerBytesMax` are not served. The file need
    /// not exist yet.
    package init(
        path: String, folder: String? = nil, format: FileFormat? = nil, paging: PagingStyle = .page,
        firstPage: Int? = nil, bytesMax: Int = 67_108_864, answerBytesMax: Int = 8_388_608
    ) throws(BackendConfigurationError) {
        let place = try ConfinedPath(path, in: folder)
        guard 1024...1_073_741_824 ~= bytesMax else {
            throw BackendConfigurationError("bytesMax", "It must be 1024 to 1073741824.")
        }
        guard let format = format ?? FileFormat(extensionOf: path) else {
            throw BackendConfigurationError(
                "format", "The extension of \(path) does not name a format; set json, jsonl or csv."
            )
        }
        self.path = place
        self.format = format
        self.paging = paging
        self.first = firstPage ?? PagePosition.defaultFirst(paging)
        self.bytesMax = bytesMax
        self.answerBytesMax = answerBytesMax
    }

    package func load(_ call: BackendCall) async throws(LoadFailure) -> Page {
        try await disk.run { cancellation throws(LoadFailure) in
            try page(for: call.request, cancellation)
        }
    }

    private func page(for request: LoadRequest, _ cancellation: CancellationFlag)
        throws(LoadFailure)
        -> Page
    {
        let items = try currentItems(for: cancellation)
        let start = try start(of: request, in: items, cancellation)
        var page = try items.page(from: start, size: request.size, bytesMax: answerBytesMax)
        switch paging {
        case .none:
            page.more = false
        case .cursor where page.more == true && page.count > 0:
            page.cursor = FileCursor(after: start + page.count, of: items).text
        case .cursor, .page, .offset:
            break
        }
        return page
    }

    private func start(
        of request: LoadRequest, in items: ItemList, _ cancellation: CancellationFlag
    ) throws(LoadFailure) -> Int {
        guard paging == .cursor, let text = request.cursor else {
            return PagePosition.start(of: request, paging: paging, first: first)
        }
        guard let cursor = FileCursor(text) else {
            throw LoadFailure(.backendRejected, "The cursor does not belong to this feed.")
        }
        guard let start = try cursor.position(in: items, for: cancellation) else {
            throw LoadFailure(
                .backendRejected, "The last delivered item is no longer in the file; refresh.")
        }
        return start
    }

    private func currentItems(for cancellation: CancellationFlag) throws(LoadFailure) -> ItemList {
        let identity = FileContent.identity(of: path.path)
        let known = cache.reading.withLock { reading in
            // Outdated items are released before the new ones are read, so that only one list is in
            // memory.
            if reading?.identity != identity { reading = nil }
            return reading?.items
        }
        if let known { return known }
        guard
            let content = try FileContent.read(
                path.path, bytesMax: bytesMax, for: cancellation, admits: path.permits)
        else {
            throw LoadFailure(.backendUnavailable, "The file does not exist.")
        }
        let items = try format.items(
            in: content.bytes, itemBytesMax: bytesMax * Self.growthMax, for: cancellation)
        let reading = Reading(identity: content.identity, items: items)
        cache.reading.withLock { $0 = content.isStable ? reading : nil }
        return items
    }
}
