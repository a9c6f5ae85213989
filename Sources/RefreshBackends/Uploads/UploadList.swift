internal import RefreshBroker
internal import RefreshProtocol

/// One upload to the imaginary archive of the demo.
struct Upload: Hashable, Sendable {
    enum Urgency: String, Sendable {
        case low, medium, high
    }

    /// The number of intervals from 1970 to the upload. It identifies the upload.
    let number: Int64
    let package: DebianPackage

    /// The time of the upload in milliseconds since 1970.
    var time: Int64 { number * UploadList.intervalMs }

    var urgency: Urgency {
        switch number % 7 {
        case 0: .high
        case 1, 2: .medium
        default: .low
        }
    }

    /// Appends the upload as a JSON object. `id` identifies it; nil: its number.
    func append(as id: Int64? = nil, to json: inout ByteBuffer) {
        json.append(literal: "{\"id\":")
        json.append(Int(id ?? number))
        json.append(literal: ",\"time\":")
        json.append(Int(time))
        json.append(literal: ",\"urgency\":")
        json.appendQuoted(urgency.rawValue)
        json.append(UInt8(ascii: ","))
        package.appendMembers(to: &json)
        json.append(UInt8(ascii: "}"))
    }
}

/// The newest uploads to the imaginary archive of the demo.
///
/// One upload is made in each interval. The list is a function of the time, so it is the same for
/// all sessions, and after a restart of the daemon. Source: docs/backends.md, "The feed uploads".
struct UploadList: Sendable {
    /// The time between two uploads, in milliseconds.
    static let intervalMs: Int64 = 6000
    /// The number of uploads in the list.
    static let count: Int64 = 100

    /// The difference between the indices in `packages` of two consecutive uploads. The stride and
    /// the number of bundled packages have no common factor, so all packages are uploaded in turn.
    private static let stride: Int64 = 37
    /// The end of the year 9999, in milliseconds since 1970. A later time is treated as this time.
    private static let timeMax: Int64 = 253_402_300_799_000

    private let packages: [DebianPackage]

    /// `packages` are the packages that are uploaded. If there are none, the list is empty.
    init(packages: [DebianPackage]) {
        self.packages = packages
    }

    /// Returns the number of the newest upload at `time`, which is in milliseconds since 1970.
    static func newestNumber(at time: Int64) -> Int64 {
        min(max(time, count * intervalMs), timeMax) / intervalMs
    }

    var isEmpty: Bool { packages.isEmpty }

    /// Returns the uploads that match the query, in the query's order.
    func uploads(for query: UploadQuery, at time: Int64) -> [Upload] {
        guard !packages.isEmpty else { return [] }
        let newest = Self.newestNumber(at: time)
        return (0..<Self.count).map { upload(newest - $0) }
            .filter(query.matches).sorted(by: query.precedes)
    }

    /// Returns a page of the uploads that match the request.
    func page(for request: LoadRequest, first: Int, at time: Int64) -> Page {
        let all = uploads(for: UploadQuery(request), at: time)
        let start = min(PagePosition.start(of: request, paging: .page, first: first), all.count)
        let end = start + min(max(0, request.size), all.count - start)
        var json = ByteBuffer()
        json.append(UInt8(ascii: "["))
        for (index, upload) in all[start..<end].enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            upload.append(to: &json)
        }
        json.append(UInt8(ascii: "]"))
        return Page(
            items: json.bytes, count: end - start, more: end < all.count, total: all.count)
    }

    /// Returns an upload. Its version ends in `+bN`. N counts the uploads of the same package from
    /// 1 to 100, and then from 1 again.
    func upload(_ number: Int64) -> Upload {
        let count = Int64(packages.count)
        var package = packages[Int((number % count) * Self.stride % count)]
        package.version += "+b\(number / count % 100 + 1)"
        return Upload(number: number, package: package)
    }
}
