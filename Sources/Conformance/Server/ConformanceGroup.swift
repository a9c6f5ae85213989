/// The topic of a case in the conformance suite. A report lists the groups in the order of this
/// enum.
package enum ConformanceGroup: String, CaseIterable, Hashable, Sendable {
    case handshake
    case session
    case geometry
    case pull
    case loadMore
    case paging
    case unread
    case patches
    case live
    case edits
    case rows
    case indicators
    case insets
    case physics
    case faults
    case limits
    case resume
    case batching
    case ordering

    /// Creates a group from the name of its file: `load-more` for `load-more.suite`.
    package init?(fileName: String) {
        guard let group = Self.allCases.first(where: { $0.fileName == fileName }) else {
            return nil
        }
        self = group
    }

    /// The name of the group's file without its extension: `load-more` for `loadMore`.
    var fileName: String {
        rawValue.map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined()
    }
}
