/// The tracks of one part of a programme. They are prepared so that their evaluation needs no names
/// and no allocation.
///
/// The look is the array of the current values of all properties of all layers. A slot is an index
/// in this array. Slots with the same keyframes share one curve, which is evaluated once.
struct CompiledPart: Sendable {
    /// The keyframes of one slot, or of several slots whose keyframes are equal.
    private struct Curve: Sendable {
        /// The first and the last keyframe.
        var from: (position: Double, value: Double)
        var to: (position: Double, value: Double)
        /// Whether the curve is a straight line between its two keyframes. Most curves of a pull
        /// are straight lines.
        var isLine: Bool
        /// The range of the curve's intervals in the part's array `intervals`.
        var intervals: Range<Int>
        /// The range of the curve's slots in the part's array `slots`.
        var slots: Range<Int>
    }

    /// The interval from one keyframe to the next.
    private struct Interval: Hashable, Sendable {
        var begin: Double
        var end: Double
        var value: Double
        var rise: Double
        /// The index of the easing. A negative index means linear.
        var easing: Int
    }

    private var curves: [Curve] = []
    private var intervals: [Interval] = []
    /// The slots that the part moves, curve by curve.
    private(set) var slots: [Int] = []
    /// The distinct easings of the intervals, without the linear easing.
    private var easings: [Easing] = []

    /// The easing that was evaluated last, with its progress and its value. The result is stored
    /// because several tracks often have the same easing and the same progress.
    private struct Eased {
        var easing = -1
        var progress = 0.0
        var value = 0.0
    }

    init(_ tracks: [Track], layers: [Layer]) {
        var moved: [(curve: [Key], slots: [Int])] = []
        for (index, layer) in layers.enumerated() {
            for property in LayerProperty.allCases {
                let own = tracks.last { $0.property == property && $0.layer == layer.name }
                let common = tracks.last {
                    $0.property == property && $0.layer == Track.everyLayer
                }
                guard let track = own ?? common else { continue }
                if property == .color, layer.values[.color] == nil { continue }
                let slot = index * LayerProperty.slotsPerLayer + property.slot
                for (part, keys) in track.partKeys.enumerated() {
                    if let known = moved.firstIndex(where: { $0.curve == keys }) {
                        moved[known].slots.append(slot + part)
                    } else {
                        moved.append((keys, [slot + part]))
                    }
                }
            }
        }
        for (keys, slots) in moved { append(keys, at: slots) }
    }

    private mutating func append(_ keys: [Key], at newSlots: [Int]) {
        let points = keys.map { (position: $0.position, value: $0.value.numbers[0]) }
        guard let from = points.first, let to = points.last else { return }
        let (firstInterval, firstSlot) = (intervals.count, slots.count)
        for (index, (old, new)) in zip(points, points.dropFirst()).enumerated() {
            intervals.append(
                Interval(
                    begin: old.position, end: new.position, value: old.value,
                    rise: new.value - old.value, easing: internEasing(keys[index + 1].easing)))
        }
        slots.append(contentsOf: newSlots)
        curves.append(
            Curve(
                from: from, to: to,
                isLine: points.count == 2 && intervals[firstInterval].easing < 0,
                intervals: firstInterval..<intervals.count, slots: firstSlot..<slots.count))
    }

    private mutating func internEasing(_ easing: Easing) -> Int {
        if easing == .linear { return -1 }
        if let known = easings.firstIndex(of: easing) { return known }
        easings.append(easing)
        return easings.count - 1
    }

    var isEmpty: Bool { slots.isEmpty }

    /// The number of different curves.
    var curveCount: Int { curves.count }

    /// The index of the curve that moves a slot; nil if the part does not move it.
    func curve(ofSlot slot: Int) -> Int? {
        guard let place = slots.firstIndex(of: slot) else { return nil }
        return curves.firstIndex { $0.slots.contains(place) }
    }

    /// Writes the part's values at `position` into their slots.
    func apply(at position: Double, to look: inout [Double]) {
        var last = Eased()
        for curve in curves {
            let value = value(of: curve, at: position, &last)
            for place in curve.slots { look[slots[place]] = value }
        }
    }

    /// Calls `body` with the index of each curve and its value at `position`.
    @inline(__always)
    func forEachCurve(at position: Double, _ body: (Int, Double) -> Void) {
        var last = Eased()
        for index in curves.indices { body(index, value(of: curves[index], at: position, &last)) }
    }

    @inline(__always)
    private func value(of curve: Curve, at position: Double, _ eased: inout Eased) -> Double {
        guard position < curve.to.position else { return curve.to.value }
        if position < curve.from.position { return curve.from.value }
        if curve.isLine {
            let part = (position - curve.from.position) / (curve.to.position - curve.from.position)
            return curve.from.value + (curve.to.value - curve.from.value) * part
        }
        let interval = intervals[intervalIndex(at: position, of: curve)]
        let part = (position - interval.begin) / (interval.end - interval.begin)
        guard interval.easing >= 0 else { return interval.value + interval.rise * part }
        if interval.easing != eased.easing || part != eased.progress {
            eased = Eased(
                easing: interval.easing, progress: part,
                value: easings[interval.easing].value(at: part))
        }
        return interval.value + interval.rise * eased.value
    }

    /// The index of the first of the curve's intervals whose end is beyond `position`. `position`
    /// must be before the last keyframe of the curve.
    @inline(__always)
    private func intervalIndex(at position: Double, of curve: Curve) -> Int {
        var low = curve.intervals.lowerBound
        var high = curve.intervals.upperBound - 1
        while low < high {
            let middle = (low + high) / 2
            if intervals[middle].end > position { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Track {
    /// The keyframes of each component of the property's value. A colour has three components, and
    /// every other property has one.
    fileprivate var partKeys: [[Key]] {
        let parts = keys.first?.value.numbers.count ?? 0
        return (0..<parts).map { part in
            keys.map { Key($0.position, $0.value.numbers[part], $0.easing) }
        }
    }
}
