/// Members ordered by weight, the heaviest first. On a tie, the member with the lower `since` comes
/// first.
///
/// It is a heap. An entry is outdated after its member was removed or has got another priority. An
/// outdated entry stays until it reaches the top, or until most entries are outdated.
package struct MaxHeap<Member: Hashable> {
    private struct Priority: Equatable {
        var weight: Int
        var since: UInt64

        func isBefore(_ other: Priority) -> Bool {
            weight != other.weight ? weight > other.weight : since < other.since
        }
    }

    private var priorities: [Member: Priority] = [:]
    private var heap: [(priority: Priority, member: Member)] = []

    package init() {}

    /// The number of entries in the heap, including outdated ones.
    package var entryCount: Int { heap.count }

    /// Sets the weight of a member, and the value `since` that decides ties.
    package mutating func set(_ member: Member, weight: Int, since: UInt64) {
        let priority = Priority(weight: weight, since: since)
        guard priorities.updateValue(priority, forKey: member) != priority else { return }
        heap.append((priority, member))
        siftUp(from: heap.count - 1)
        compact()
    }

    package mutating func remove(_ member: Member) {
        priorities[member] = nil
        compact()
    }

    /// The member that comes first; nil if there are no members.
    package var first: Member? {
        mutating get {
            while let top = heap.first {
                if priorities[top.member] == top.priority { return top.member }
                removeTop()
            }
            return nil
        }
    }

    private mutating func removeTop() {
        let last = heap.removeLast()
        guard !heap.isEmpty else { return }
        heap[0] = last
        siftDown(from: 0)
    }

    /// Rebuilds the heap if most of its entries are outdated.
    private mutating func compact() {
        guard heap.count > 32, heap.count > 4 * priorities.count else { return }
        heap = priorities.map { ($0.value, $0.key) }
        for place in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(from: place) }
    }

    private mutating func siftUp(from place: Int) {
        var place = place
        while place > 0 {
            let above = (place - 1) / 2
            guard heap[place].priority.isBefore(heap[above].priority) else { return }
            heap.swapAt(place, above)
            place = above
        }
    }

    private mutating func siftDown(from place: Int) {
        var place = place
        while true {
            let left = 2 * place + 1
            guard left < heap.count else { return }
            let right = left + 1
            let isRight =
                right < heap.count && heap[right].priority.isBefore(heap[left].priority)
            let below = isRight ? right : left
            guard heap[below].priority.isBefore(heap[place].priority) else { return }
            heap.swapAt(place, below)
            place = below
        }
    }
}
