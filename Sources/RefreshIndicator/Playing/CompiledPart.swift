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
    /// Those of the keys, each once.
    private var easings: [Easing] = []
    /// For each key, the place of its easing; below 0: linear.
    private var easingPlaces: [Int] = []

    /// How far an easing was at `way`: tracks often go the same way.
    private struct Eased {
        var place = -1
        var way = 0.0
        var value = 0.0
    }

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
                easingPlaces.append(place(of: key.easing))
            }
        }
    }

    private mutating func place(of easing: Easing) -> Int {
        if easing == .linear { return -1 }
        if let known = easings.firstIndex(of: easing) { return known }
        easings.append(easing)
        return easings.count - 1
    }

    /// The slots that it moves.
    var slots: [Int] { lines.map(\.slot) }

    var isEmpty: Bool { lines.isEmpty }

    /// Puts the values that the part has at `position` into their slots.
    func apply(at position: Double, to look: inout [Double]) {
        var last = Eased()
        for line in lines { look[line.slot] = value(of: line, at: position, &last) }
    }

    /// Calls `body` with the place of each line and the value that it has at `position`, in order.
    @inline(__always)
    func forEachValue(at position: Double, _ body: (Int, Double) -> Void) {
        var last = Eased()
        for index in lines.indices { body(index, value(of: lines[index], at: position, &last)) }
    }

    @inline(__always)
    private func value(of line: Line, at position: Double, _ eased: inout Eased) -> Double {
        let last = line.first + line.count - 1
        guard position < positions[last] else { return values[last] }
        if position < positions[line.first] { return values[line.first] }
        let next = firstKey(beyond: position, from: line.first + 1, to: last)
        let begin = positions[next - 1]
        let way = (position - begin) / (positions[next] - begin)
        let old = values[next - 1]
        let place = easingPlaces[next]
        guard place >= 0 else { return old + (values[next] - old) * way }
        if place != eased.place || way != eased.way {
            eased = Eased(place: place, way: way, value: easings[place].value(at: way))
        }
        return old + (values[next] - old) * eased.value
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
