internal import Foundation

/// The JSON of a snapshot in a journal.
extension SessionSnapshot {
    /// The JSON, with its keys in a fixed order.
    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = try? encoder.encode(self)
        return text.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Returns nil if the text is not valid.
    init?(json: String) {
        guard let snapshot = try? JSONDecoder().decode(Self.self, from: Data(json.utf8)) else {
            return nil
        }
        self = snapshot
    }
}
