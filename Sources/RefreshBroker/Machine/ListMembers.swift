internal import RefreshProtocol

/// What belongs to which list, where it is of a page that follows: as many as are entered, no more.
struct ListMembers<Member: Hashable & Sendable>: Sendable {
    /// What all pages of one list have in common.
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

    /// Lists that have a member.
    var count: Int { members.count }

    /// Enters who stands for `request`; of a first page nothing is entered.
    mutating func insert(_ member: Member, of request: LoadRequest) {
        guard request.kind == .more else { return }
        members[List(request), default: []].insert(member)
    }

    /// Takes one out, if it is there.
    mutating func remove(_ member: Member, of request: LoadRequest) {
        guard request.kind == .more else { return }
        let list = List(request)
        members[list]?.remove(member)
        if members[list]?.isEmpty == true { members[list] = nil }
    }

    /// Takes all out that belong to the list of `request`.
    mutating func removeAll(of request: LoadRequest) -> Set<Member> {
        if members.isEmpty { return [] }
        return members.removeValue(forKey: List(request)) ?? []
    }
}
