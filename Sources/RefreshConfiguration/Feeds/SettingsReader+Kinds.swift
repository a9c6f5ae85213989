internal import RefreshProtocol
internal import Yams

extension SettingsReader {
    /// Reports each key of a feed or of an entry of `backends` that is not in `known`, with the
    /// reason.
    ///
    /// `backend` is the entry of `backends` that the feed uses, if any.
    mutating func reportUnknown(
        in settings: SettingsMapping, of kind: BackendKind, known: [String], backend: String? = nil
    ) {
        for entry in settings.entries where !known.contains(entry.name) {
            let message =
                if let backend, kind.backendKeys.contains(entry.name) {
                    "applies to all feeds of the backend; set it in backends.\(backend)"
                } else {
                    Self.unknown(entry.name, of: kind, known: known)
                }
            report(message, key: entry.key, at: entry.keyNode)
        }
    }

    private static func unknown(_ name: String, of kind: BackendKind, known: [String]) -> String {
        let others = BackendKind.allCases.filter { $0 != kind && $0.keys.contains(name) }
        if !others.isEmpty, name != "backend" {
            let kinds = others.map(\.rawValue).joined(separator: ", ")
            return "not a key of \(kind.rawValue), but of \(kinds)"
        }
        let hint =
            SpellingSuggestion.suggestion(for: name, among: known).map { "did you mean `\($0)`?" }
            ?? "known keys: \(known.joined(separator: ", "))"
        return "unknown key; \(hint)"
    }
}
