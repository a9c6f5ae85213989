import RefreshBroker

/// A part of a new list: consecutive items that are all in the old list, in the same order and with
/// the same bytes, or consecutive items that are not. Source: docs/protocol.md, "Patches".
struct ListRun: Hashable {
    /// The positions of the items in the new list.
    var positions: Range<Int>
    /// Whether the old list has these items.
    var isKept: Bool

    /// Returns the runs of a new list, compared with an old list. Together they are the new list.
    /// An old item that occurs in no run is not in the new list.
    ///
    /// The time is linear in the number of items. While the items follow one another as in the old
    /// list, no item is searched.
    static func runs(from old: HashedItems, to new: HashedItems) -> [ListRun] {
        var positions: [UInt64: Int]?
        var runs: [ListRun] = []
        // The position in the old list that would continue the current order.
        var next = 0
        for index in 0..<new.count {
            let key = new.keys[index]
            var position: Int?
            if next < old.count, old.keys[next] == key {
                position = next
            } else {
                if positions == nil { positions = Self.positions(of: old.keys) }
                position = positions?[key]
            }
            guard let position, old.contents[position] == new.contents[index] else {
                // The key of a changed item shows where the order of the old list continues.
                if let position { next = position + 1 }
                extend(&runs, by: index, isKept: false, continues: true)
                continue
            }
            extend(&runs, by: index, isKept: true, continues: position == next)
            next = position + 1
        }
        return runs
    }

    private static func positions(of keys: [UInt64]) -> [UInt64: Int] {
        var positions = [UInt64: Int](minimumCapacity: keys.count)
        for (position, key) in keys.enumerated() { positions[key] = position }
        return positions
    }

    private static func extend(
        _ runs: inout [ListRun], by index: Int, isKept: Bool, continues: Bool
    ) {
        if continues, let last = runs.last, last.isKept == isKept {
            runs[runs.count - 1].positions = last.positions.lowerBound..<index + 1
        } else {
            runs.append(ListRun(positions: index..<index + 1, isKept: isKept))
        }
    }
}
