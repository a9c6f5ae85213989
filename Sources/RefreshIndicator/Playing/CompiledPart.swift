/// The tracks of one part of a programme by slots, ready to be evaluated: no names, no allocation.
struct CompiledPart: Sendable {
    /// The keys of one slot.
    private struct Line: Sendable {
        var slot: Int
        var first: Int
        var count: Int
    }

    private var lines: [Line] = []
    private var positions: [Double] = []
    private var values: [Double] = []
    private var easings: [Easing] = []

    init(_ tracks: [Track], layers: [Layer]) {
        for (index, layer) in layers.enumerated() {
            for property in LayerProperty.allCases {
                let own = tracks.last { $0.property == property && $0.layer == layer.name }
                let common = tracks.last {
                    $0.property == property && $0.layer == Track.everyLayer
                }
                guard let track = own ?? common else { continue }
                if property == .color, layer.values[.color] == nil { continue }
                append(track, at: index * LayerProperty.slotsPerLayer + property.slot)
            }
        }
    }

    private mutating func append(_ track: Track, at slot: Int) {
        let parts = track.keys.first?.value.numbers.count ?? 0
        for part in 0..<parts {
            lines.append(
                Line(slot: slot + part, first: positions.count, count: track.keys.count))
            for key in track.keys {
                positions.append(key.position)
                values.append(key.value.numbers[part])
                easings.append(key.easing)
            }
        }
    }

    /// The slots that it moves.
    var slots: [Int] { lines.map(\.slot) }

    var isEmpty: Bool { lines.isEmpty }

    /// Puts the values that the part has at `position` into their slots.
    func apply(at position: Double, to look: inout [Double]) {
        for line in lines { look[line.slot] = value(of: line, at: position) }
    }

    private func value(of line: Line, at position: Double) -> Double {
        let last = line.first + line.count - 1
        guard position < positions[last] else { return values[last] }
        if position < positions[line.first] { return values[line.first] }
        let next = firstKey(beyond: position, from: line.first + 1, to: last)
        let begin = positions[next - 1]
        let way = (position - begin) / (positions[next] - begin)
        let old = values[next - 1]
        if case .linear = easings[next] { return old + (values[next] - old) * way }
        return old + (values[next] - old) * easings[next].value(at: way)
    }

    /// The first key that is, of those before `end`; `end` if none is.
    private func firstKey(beyond position: Double, from first: Int, to end: Int) -> Int {
        var low = first
        var high = end
        while low < high {
            let middle = (low + high) / 2
            if positions[middle] > position { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
