package import RefreshBroker
package import RefreshProtocol
internal import Synchronization

/// The backend of the demo: the Debian packages that are installed on this machine.
///
/// A `refresh` always reads dpkg's status file again, and keeps a snapshot of the list of packages.
/// A `more` is answered from the snapshot of the last refresh of any session. The pages of one
/// snapshot neither overlap nor leave gaps. If there is no snapshot, for example after a restart of
/// the daemon, a `more` reads the file. With cursor paging, the cursor also identifies its
/// snapshot. The last `readingsMax` different snapshots are kept, so a refresh by another session
/// does not affect the following pages. If there is no status file, the bundled list is served.
/// Source: docs/backends.md, "demo".
package struct DemoBackend: Backend {
    /// One snapshot of the list.
    private struct Reading: Sendable {
        let number: UInt64
        let items: ItemList
    }

    private final class Readings: Sendable {
        /// The snapshots, the newest last.
        let snapshots = Mutex<[Reading]>([])
    }

    private static let readingsMax = 4

    private let statusFile: String
    private let fallback: ItemList
    private let paging: PagingStyle
    private let first: Int
    private let readings = Readings()
    private let disk = DiskQueue(label: "backend.demo")

    /// The maximum size of the status file, in bytes. The file has a few KiB per package, so this
    /// is enough for tens of thousands of packages.
    private static let statusBytesMax = 268_435_456
    private static let answerBytesMax = 8_388_608

    /// Creates the backend. `statusFile` is usually `/var/lib/dpkg/status`. `fallback` is a JSON
    /// array that is served if that file does not exist. `firstPage` is the `page` or `offset` of
    /// the first request. Nil means 1 for the paging style `page`, and 0 for other styles.
    package init(
        statusFile: String, fallback: [UInt8], paging: PagingStyle = .page, firstPage: Int? = nil
    ) throws(BackendConfigurationError) {
        do {
            self.fallback = try JSONItems.items(in: fallback)
        } catch {
            throw BackendConfigurationError("demo", "The bundled list is \(error.message).")
        }
        self.statusFile = statusFile
        self.paging = paging
        self.first = firstPage ?? PagePosition.defaultFirst(paging)
    }

    package func load(_ call: BackendCall) async throws(LoadFailure) -> Page {
        try await disk.run { _ throws(LoadFailure) in try page(for: call.request) }
    }

    private func page(for request: LoadRequest) throws(LoadFailure) -> Page {
        let place = request.kind == .more ? try continuation(of: request) : nil
        let reading: Reading
        let start: Int
        if let place {
            (reading, start) = place
        } else {
            reading = try readSnapshot()
            start = PagePosition.start(of: request, paging: paging, first: first)
        }
        var page = try reading.items.page(
            from: start, size: request.size, bytesMax: Self.answerBytesMax)
        if paging == .none { page.more = false }
        if paging == .cursor, page.more == true {
            page.cursor = "\(reading.number).\(start + page.count)"
        }
        return page
    }

    /// Returns the snapshot and the position at which a `more` continues. Returns nil if there is
    /// no snapshot yet.
    private func continuation(of request: LoadRequest) throws(LoadFailure) -> (Reading, Int)? {
        let kept = readings.snapshots.withLock { $0 }
        guard let newest = kept.last else { return nil }
        guard paging == .cursor, let cursor = request.cursor else {
            let start = PagePosition.start(of: request, paging: paging, first: first)
            return (newest, start)
        }
        let parts = cursor.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = UInt64(parts[0]), let start = Int(parts[1]), start >= 0
        else { throw LoadFailure(.backendRejected, "The cursor does not belong to this feed.") }
        return (kept.first { $0.number == number } ?? newest, start)
    }

    /// Reads the file and returns a new snapshot. If the list is unchanged, returns the newest
    /// snapshot.
    private func readSnapshot() throws(LoadFailure) -> Reading {
        let items = try currentItems()
        return readings.snapshots.withLock { kept in
            if let newest = kept.last, newest.items.bytes == items.bytes { return newest }
            let reading = Reading(number: (kept.last?.number ?? 0) + 1, items: items)
            kept = kept.suffix(Self.readingsMax - 1) + [reading]
            return reading
        }
    }

    private func currentItems() throws(LoadFailure) -> ItemList {
        guard let content = try FileContent.read(statusFile, bytesMax: Self.statusBytesMax) else {
            return fallback
        }
        var json = ByteBuffer()
        var marks = ItemMarks()
        for package in DpkgStatus.installedPackages(in: content.bytes) {
            marks.append(json.count)
            package.append(to: &json)
        }
        return ItemList(bytes: json.bytes, marks: marks)
    }
}
