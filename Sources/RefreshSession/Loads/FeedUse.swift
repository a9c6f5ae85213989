import RefreshBroker
import RefreshProtocol

/// The feed of a view, and the data for its loads. It is stored outside the view, because most
/// operations on a view do not need it.
final class FeedUse {
    let name: String
    /// The parameters of the newest query.
    private(set) var parameters: [LoadParameter]
    /// The approximate number of bytes of the parameters.
    private(set) var parameterBytes: Int
    /// The client's headers that the feed forwards.
    var headers: [HeaderField]
    /// The edits of the user; nil if there were none.
    var edits: Boxed<EditLedger>?
    /// Use the computed properties below.
    let list: UnsafeBox<ListState>

    /// What each live item reads and changes.
    struct ListState {
        var shownItems: ItemDeduplicator
        var delivered: UInt32
        var sentList: SentList?
        var live: Boxed<LiveItems>?
        var verification: VerificationBox?
    }

    /// The hashes of the keys of the items in the list, for deduplication.
    var shownItems: ItemDeduplicator {
        @inline(__always) get { list.value.shownItems }
        @inline(__always) _modify { yield &list.value.shownItems }
    }
    /// The number of the last load whose items were sent; 0 if no items were sent.
    var delivered: UInt32 {
        @inline(__always) get { list.value.delivered }
        @inline(__always) set { list.value.delivered = newValue }
    }
    /// What the client shows, if it uses the feature `patch` and the feed has keys; otherwise nil.
    var sentList: SentList? {
        @inline(__always) get { list.value.sentList }
        @inline(__always) _modify { yield &list.value.sentList }
    }
    /// The operations that wait and the arrivals that are held back; nil if there are none.
    var live: Boxed<LiveItems>? {
        @inline(__always) get { list.value.live }
        @inline(__always) _modify { yield &list.value.live }
    }
    /// When the list must be verified; nil without live items.
    var verification: VerificationBox? {
        @inline(__always) get { list.value.verification }
        @inline(__always) set { list.value.verification = newValue }
    }

    init(
        name: String, parameters: [LoadParameter], headers: [HeaderField],
        shownItems: ItemDeduplicator = ItemDeduplicator(), delivered: UInt32 = 0
    ) {
        self.name = name
        self.parameters = parameters
        parameterBytes = parameters.heldBytes
        self.headers = headers
        list = UnsafeBox(ListState(shownItems: shownItems, delivered: delivered))
    }

    /// Begins a new list, with the parameters of a new query.
    func beginQuery(_ parameters: [LoadParameter]) {
        self.parameters = parameters
        parameterBytes = parameters.heldBytes
        shownItems.removeAll()
        forgetList()
    }

    /// Whether the items of `list` are those whose keys are known.
    func hasShown(_ list: HashedItems) -> Bool {
        shownItems.foreignHash == nil && list.count == shownItems.hashes.count
    }

    /// Whether the items of the list have the keys at this location.
    func hasKeys(at itemKey: String?) -> Bool {
        guard let itemKey else { return false }
        return list.value.sentList?.itemKey.hasBytes(of: itemKey) == true
    }

    /// Replaces the list with the digest `base`. Returns false if the client has another list.
    func replaceList(_ base: UInt64, by new: HashedItems) -> Bool {
        guard list.value.sentList?.list?.digest == base else { return false }
        list.value.sentList?.replace(by: new)
        return true
    }

    /// Records that the client's list is not known.
    func forgetList() {
        sentList?.forget()
        live = nil
    }

    /// Restores the saved state. `headers` are the client's headers that the feed forwards.
    convenience init(_ saved: SavedView.Feed, headers: [HeaderField]) {
        self.init(
            name: saved.name, parameters: saved.parameters, headers: headers,
            shownItems: ItemDeduplicator(saved.shownItems, foreignHash: saved.itemHash),
            delivered: saved.delivered)
    }

    /// The saved state. It contains no headers, because they are derived from the headers of the
    /// session.
    var saved: SavedView.Feed {
        SavedView.Feed(
            name: name, parameters: parameters, delivered: delivered,
            shownItems: shownItems.hashes, itemHash: shownItems.foreignHash)
    }
}
