internal import RefreshProtocol

/// One upload to the imaginary archive of the demo.
struct Upload: Hashable, Sendable {
    enum Urgency: String, Sendable {
        case low, medium, high
    }

    /// The number of the upload since 1970. It identifies the upload.
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

    /// Appends the upload as a JSON object.
    func append(to json: inout ByteBuffer) {
        json.append(literal: "{\"id\":")
        json.append(Int(number))
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

    /// The distance in the list of packages between one upload and the next. It has no common
    /// factor with the number of bundled packages, so all of them are uploaded in turn.
    private static let stride: Int64 = 37
    /// The last year that four digits can express, in milliseconds since 1970. Later times, and
    /// times before 1970, are limited to this range.
    private static let timeMax: Int64 = 253_402_300_799_000

    private let packages: [DebianPackage]

    /// `packages` are those that are uploaded, at least one.
    init(packages: [DebianPackage]) {
        self.packages = packages
    }

    /// Returns the number of the newest upload at a time, in milliseconds since 1970.
    static func newestNumber(at time: Int64) -> Int64 {
        min(max(time, count * intervalMs), timeMax) / intervalMs
    }

    /// Returns the uploads that match the query, in its order.
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

    /// Returns an upload. Its version contains how often its package was uploaded before.
    private func upload(_ number: Int64) -> Upload {
        let count = Int64(packages.count)
        var package = packages[Int((number % count) * Self.stride % count)]
        package.version += "+b\(number / count % 100 + 1)"
        return Upload(number: number, package: package)
    }
}
