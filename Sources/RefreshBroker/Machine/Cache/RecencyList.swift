/// The slots of a cache in the order of their last use, as a doubly linked list of indices. Each
/// operation needs constant time.
///
/// A slot is an index, 0 or greater. The list uses memory in proportion to the largest slot that
/// was ever inserted, so the owner must reuse the slots that it has removed.
package struct RecencyList: Sendable {
    private struct Link: Sendable {
        var newer = -1
        var older = -1
    }

    private var links: [Link] = []
    private var newest = -1
    private var last = -1

    /// The number of slots in the list.
    package private(set) var count = 0

    /// Creates an empty list.
    package init() {}

    /// The least recently used slot; nil if the list is empty.
    package var oldest: Int? { last < 0 ? nil : last }

    /// Inserts a slot that is not in the list, as the newest.
    package mutating func insert(_ slot: Int) {
        while links.count <= slot { links.append(Link()) }
        links[slot] = Link(newer: -1, older: newest)
        if newest >= 0 { links[newest].newer = slot }
        newest = slot
        if last < 0 { last = slot }
        count += 1
    }

    /// Removes a slot that is in the list.
    package mutating func remove(_ slot: Int) {
        let link = links[slot]
        if link.newer >= 0 { links[link.newer].older = link.older } else { newest = link.older }
        if link.older >= 0 { links[link.older].newer = link.newer } else { last = link.newer }
        links[slot] = Link()
        count -= 1
    }

    /// Marks a slot in the list as the most recently used.
    package mutating func touch(_ slot: Int) {
        guard slot != newest else { return }
        remove(slot)
        insert(slot)
    }
}
