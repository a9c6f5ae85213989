internal import Foundation
internal import RefreshProtocol

/// The JSON of a session's checkpoint in a journal.
extension JournalCheckpoint {
    // JSON has no infinity and no NaN.
    private static let infinity = "inf"
    private static let minusInfinity = "-inf"
    private static let noNumber = "nan"

    /// The JSON, with its keys in a fixed order.
    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: Self.infinity, negativeInfinity: Self.minusInfinity,
            nan: Self.noNumber)
        let text = try? encoder.encode(self)
        return text.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Nil if the text is not valid.
    init?(json: String) {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: Self.infinity, negativeInfinity: Self.minusInfinity,
            nan: Self.noNumber)
        guard let checkpoint = try? decoder.decode(Self.self, from: Data(json.utf8)) else {
            return nil
        }
        self = checkpoint
    }
}
