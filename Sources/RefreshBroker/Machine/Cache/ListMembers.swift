internal import RefreshProtocol

/// For each list, a set of members. A list consists of a first page and the pages that follow it. A
/// member is the cache slot or the load of a following page.
struct ListMembers<Member: Hashable & Sendable>: Sendable {
    /// The properties that all pages of one list have in common.
    private struct List: Hashable, Sendable {
        let feed: String
        let parameters: [LoadParameter]
        let headers: [HeaderField]
        let subject: String?

        init(_ request: LoadRequest) {
            feed = request.feed
            parameters = request.parameters
            headers = request.headers
            subject = request.subject
        }
    }

    private var members: [List: Set<Member>] = [:]

    /// The number of lists that have a member.
    var count: Int { members.count }

    /// Inserts the member for `request`. If the request is for a first page, does nothing.
    mutating func insert(_ member: Member, of request: LoadRequest) {
        guard request.kind == .more else { return }
        members[List(request), default: []].insert(member)
    }

    /// Removes a member, if present.
    mutating func remove(_ member: Member, of request: LoadRequest) {
        guard request.kind == .more else { return }
        let list = List(request)
        members[list]?.remove(member)
        if members[list]?.isEmpty == true { members[list] = nil }
    }

    /// Removes and returns all members of the list of `request`.
    mutating func removeAll(of request: LoadRequest) -> Set<Member> {
        if members.isEmpty { return [] }
        return members.removeValue(forKey: List(request)) ?? []
    }
}
