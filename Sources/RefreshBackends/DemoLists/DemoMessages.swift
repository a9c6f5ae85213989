internal import RefreshBroker
internal import RefreshProtocol

/// The messages of the demo's feed `messages`: the uploads to the imaginary archive, and what the
/// users of the demo write. The key of a message is the time in milliseconds since 1970, or a
/// little more, so newer messages have larger keys. Source: docs/backends.md, "The feeds cards and
/// messages".
struct DemoMessages: Sendable {
    /// The number of messages that are kept when an upload is announced.
    static let keptCount = 200
    /// The largest number of Unicode code points of a message, and of the name of its author.
    static let textMax = 500
    static let authorMax = 40

    private let uploads: UploadList
    private(set) var list = DemoList([])
    /// The number of the newest upload that was announced.
    private var announced: Int64?
    private var newestID: Int64 = 0

    init(of uploads: UploadList) {
        self.uploads = uploads
    }

    /// Adds the uploads that were made since the last call, at most as many as are kept. Returns
    /// what has changed: the JSON texts of operations; nil if nothing has, and for the first call,
    /// before which there was no list.
    mutating func announce(at time: Int64) -> [[UInt8]]? {
        let newest = UploadList.newestNumber(at: time)
        let most = min(UploadList.count, Int64(Self.keptCount))
        let first = max((announced ?? 0) + 1, newest - most + 1)
        guard first <= newest, !uploads.isEmpty else { return nil }
        let isFirst = announced == nil
        announced = newest
        // The list has room for what comes.
        var operations = list.trim(to: Self.keptCount - Int(newest - first + 1)).map {
            Array(#"{"remove":"#.utf8) + $0.key + Array("}".utf8)
        }
        for number in first...newest {
            let message = announcement(of: uploads.upload(number))
            guard (try? list.insert(message, at: .start)) != nil else { break }
            operations.append(
                Array(#"{"insert":"#.utf8) + message.json + Array(#","at":"start"}"#.utf8))
        }
        return isFirst ? nil : operations
    }

    /// Performs an edit. Returns the message as it is now; nil if it is as the client knows it.
    mutating func perform(
        _ operation: ItemOperation, at time: Int64
    ) throws(LoadFailure) -> [UInt8]? {
        switch operation.kind {
        case .insert:
            let texts = try Self.texts(in: operation.item)
            newestID = max(newestID + 1, time)
            let message = DemoList.Item(key: Array("\(newestID)".utf8), time: newestID, texts)
            try list.insert(message, at: .start)
            return message.json
        case .remove:
            list.remove(operation.key.text)
            return nil
        case .move, .refresh, .update:
            return list.item(operation.key.text)?.json
        }
    }

    private mutating func announcement(of upload: Upload) -> DemoList.Item {
        newestID = max(newestID + 1, upload.time)
        var json = ByteBuffer()
        upload.append(as: newestID, to: &json)
        return DemoList.Item(key: Array("\(newestID)".utf8), texts: [:], json: json.bytes)
    }

    private static func texts(in item: [UInt8]) throws(LoadFailure) -> [String: String] {
        guard let texts = try? DemoList.Item.texts(in: item),
            let description = texts["description"],
            (1...textMax).contains(description.unicodeScalars.count),
            let author = texts["author"], (1...authorMax).contains(author.unicodeScalars.count)
        else {
            throw LoadFailure(
                .backendRejected,
                "A message needs a description of 1 to \(textMax) characters, and an author.")
        }
        return ["author": author, "description": description]
    }
}
