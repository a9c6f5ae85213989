import RefreshBroker
import RefreshProtocol

/// The list that the client of a view shows after the messages that were sent to it, and the
/// location of the key in an item that the client was informed of. Only a view whose client uses
/// the feature `patch` has one. Source: docs/protocol.md, "Patches".
///
/// An item needs 16 bytes. They are shared with the page, and the keys with the view's
/// deduplicator, as long as these have the same hashes.
struct SentList: Hashable, Codable {
    /// The location of the key, as a JSON pointer, from the last `attached`.
    @Bytewise private(set) var itemKey: String
    /// The list; nil if it is not wholly known.
    private(set) var list: HashedItems?

    init(itemKey: String) { self.itemKey = itemKey }

    /// How the items of a message change the list.
    enum Change { case replace, append, prepend }

    /// Records that a page is sent. `page` is nil if its items cannot be compared with a list.
    /// `kept` are the key hashes of the items that are sent. Nothing is known of a list with more
    /// than `most` items. Returns the previous list if the page replaces it as a whole.
    mutating func record(
        _ page: HashedItems?, kept: [UInt64], _ change: Change, most: Int
    ) -> HashedItems? {
        // A list that is only extended must not be copied.
        let previous = change == .replace ? list : nil
        switch (change, page) {
        case (_, nil): list = nil
        case (.replace, let page?) where kept.count == page.count:
            list = page
        case (.replace, let page?):
            list = .empty
            insert(page, kept: kept, isBefore: false)
        case (.append, let page?): insert(page, kept: kept, isBefore: false)
        case (.prepend, let page?): insert(page, kept: kept, isBefore: true)
        }
        if let count = list?.count, count > most { list = nil }
        return kept.count == page?.count && list != nil ? previous : nil
    }

    private mutating func insert(_ page: HashedItems, kept: [UInt64], isBefore: Bool) {
        if list?.insert(page, kept: kept, isBefore: isBefore) == false { list = nil }
    }

    /// Shares the memory of the view's key hashes, if they are those of the list.
    mutating func shareKeys(with hashes: [UInt64]) { list?.shareKeys(with: hashes) }

    /// Records that operations are sent that make this list.
    mutating func replace(by list: HashedItems) { self.list = list }

    /// Records that the client's list is not known.
    mutating func forget() { list = nil }
}
