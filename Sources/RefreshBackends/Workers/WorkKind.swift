/// The loads, or the edits, of one feed. Not every worker of a feed performs edits, so edits have a
/// queue of their own.
struct WorkKind: Hashable, Sendable {
    let feed: String
    let isForEdits: Bool

    init(_ feed: String, isForEdits: Bool = false) {
        self.feed = feed
        self.isForEdits = isForEdits
    }
}
