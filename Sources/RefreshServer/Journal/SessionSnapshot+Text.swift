internal import Foundation

/// A snapshot as it stands in a journal.
extension SessionSnapshot {
    /// Its keys in one order always.
    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = try? encoder.encode(self)
        return text.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Nil if the text holds none.
    init?(json: String) {
        guard let snapshot = try? JSONDecoder().decode(Self.self, from: Data(json.utf8)) else {
            return nil
        }
        self = snapshot
    }
}
