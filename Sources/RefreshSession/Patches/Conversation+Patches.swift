import RefreshBroker
import RefreshEngine
import RefreshProtocol

/// Patches in place of whole lists. Source: docs/protocol.md, "Patches".
extension Conversation {
    /// Begins or ends the recording of what is sent to a view, as its client uses the feature
    /// `patch` or not. Call this function before each `attached` message of the view.
    func adaptSentList(ofViewAt index: Int) {
        guard let feed = views[index].feed else { return }
        let itemKey =
            inbound.features?.contains(.patch) == true && !views[index].engine.hasRandomAccess
            ? services.itemKeyText(ofView: feed.name) : nil
        if !(feed.sentList?.itemKey).hasBytes(of: itemKey) {
            feed.sentList = itemKey.map(SentList.init)
        }
    }

    /// Records that the page is sent to a view. Returns the runs of the patch that is sent in place
    /// of the items; nil if the items are sent. `head` is the start of the `items` message.
    mutating func runs(
        of page: Page, _ deduplicated: DeduplicatedPage?, head: [UInt8], toViewAt index: Int
    ) -> [UInt8]? {
        guard let feed = views[index].feed, let itemKey = feed.sentList?.itemKey else { return nil }
        let description = services.feed(ofView: feed.name)
        let pointer = description?.itemKey
        let isSameKey = (description?.itemKeyText).hasBytes(of: itemKey)
        let list = isSameKey && deduplicated != nil ? page.itemKeys?.list : nil
        let change = ServerText.change(ofHead: head)
        let previous = feed.sentList?.record(
            list, kept: deduplicated?.hashes ?? [], change,
            most: services.limits.itemKeysPerViewMax)
        if change == .append { feed.sentList?.shareKeys(with: feed.shownItems.hashes) }
        guard let previous, let list, let pointer, views[index].engine.acceptsReload else {
            return nil
        }
        return services.patches.runs(from: previous, to: page, list, keyAt: pointer)
    }
}

extension ServerText {
    private static let replaceMode = Array(#""mode":"replace""#.utf8)
    private static let prependMode = Array(#""mode":"prepend""#.utf8)
    private static let itemsName = Array(#""items":"#.utf8)

    /// How the items of a message change the list. `head` is the start of the message, from
    /// `itemsHead`.
    static func change(ofHead head: [UInt8]) -> SentList.Change {
        // Quotation marks in the name of the view are escaped, so only the member matches.
        if range(of: replaceMode, in: head) != nil { return .replace }
        return range(of: prependMode, in: head) != nil ? .prepend : .append
    }

    /// Returns the first range of a part of the head. The general search of the standard library
    /// needs more instructions than the rest of a patch.
    private static func range(of part: [UInt8], in head: [UInt8]) -> Range<Int>? {
        var start = 0
        while start + part.count <= head.count {
            var length = 0
            while length < part.count, head[start + length] == part[length] { length += 1 }
            if length == part.count { return start..<start + length }
            start += 1
        }
        return nil
    }

    /// The start of the message for a patch, made from the start of the message that replaces the
    /// whole list. The array of runs and a closing brace follow.
    static func patchHead(of head: [UInt8]) -> [UInt8] {
        guard let mode = range(of: replaceMode, in: head) else { return head }
        var out = Array(head[..<mode.lowerBound])
        out += Array(#""mode":"patch""#.utf8)
        out += head[mode.upperBound...].dropLast(itemsName.count)
        out += Array(#""runs":"#.utf8)
        return out
    }
}
