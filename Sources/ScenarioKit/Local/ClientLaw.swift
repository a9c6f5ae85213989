internal import RefreshProtocol

/// The control law as a client decodes it. Source: docs/protocol.md, "The control law".
package struct ClientLaw {
    package var rest = 0.0...0.0
    /// The edges by name. A nil value means that the edge exists, but a pull at it is not visible.
    package var edges: [String: Edge?] = [:]
    var crossings: [Double] = []
    var follow: [Span] = []
    var interest: [Span] = []
    var resistance: [String: [Point]] = [:]

    package struct Edge {
        package var pullStart: Double
        var pullEnd: Double
        package var arm: Double?
        var disarm: Double?
        var isStrict: Bool
        var fires: String?
        var lead: (time: Double, place: Double)?
        package var room: Double
        var duration: Double

        /// Returns the distance of `offset` beyond `place`, in the direction of the pull.
        func distance(of offset: Double, beyond place: Double) -> Double {
            pullEnd < pullStart ? place - offset : offset - place
        }

        /// Returns whether an armed edge stays armed at `offset`.
        func staysArmed(at offset: Double) -> Bool {
            guard let arm else { return false }
            let excess = distance(of: offset, beyond: arm)
            if isStrict, excess == 0 { return false }
            return excess >= 0 || self.distance(of: offset, beyond: disarm ?? arm) > 0
        }

        /// Returns the progress of the pull: 0 where the pull starts, 1 at its full length, and
        /// more than 1 beyond that length.
        package func pullProgress(at offset: Double) -> Double {
            let excess = distance(of: offset, beyond: pullStart)
            return excess > 0 ? excess / self.distance(of: pullEnd, beyond: pullStart) : 0
        }
    }

    struct Span {
        var from: Double
        var to: Double

        func contains(_ offset: Double) -> Bool { from <= offset && offset <= to }
    }

    struct Point: Equatable {
        var travel: Double
        var shown: Double
    }

    init() {}

    /// Creates a law from a message. Members that are missing in the message keep the values that
    /// they have in `old`.
    init(_ law: JSONValue, after old: ClientLaw) {
        self = old
        let bounds = law["rest"]?.array?.compactMap(\.number) ?? []
        if bounds.count == 2 { rest = min(bounds[0], bounds[1])...max(bounds[0], bounds[1]) }
        for name in ReceivedView.edgeNames {
            guard let edge = law[name] else { continue }
            edges[name] = .some(Edge(edge))
        }
        if let places = law["crossings"]?.array { crossings = places.compactMap(\.number) }
        if let ranges = law["follow"] { follow = Self.spans(ranges) }
        if let ranges = law["interest"] { interest = Self.spans(ranges) }
        guard case .object(let tables) = law["resistance"] else { return }
        resistance = [:]
        for table in tables {
            resistance[table.name] = table.value.array?.compactMap { point in
                guard let pair = point.array?.compactMap(\.number), pair.count == 2 else {
                    return nil
                }
                return Point(travel: pair[0], shown: pair[1])
            }
        }
    }

    private static func spans(_ value: JSONValue?) -> [Span] {
        (value?.array ?? []).compactMap { span in
            guard let pair = span.array, pair.count == 2 else { return nil }
            return Span(from: pair[0].number ?? -.infinity, to: pair[1].number ?? .infinity)
        }
    }

    func isOfInterest(_ offset: Double) -> Bool { interest.contains { $0.contains(offset) } }

    /// Returns whether a crossing, or the boundary of a range of interest, is between two offsets.
    /// A crossing is an offset at which the state of an edge can change. In a range of interest,
    /// the daemon needs samples.
    func crossesBoundary(from old: Double, to new: Double) -> Bool {
        func side(_ offset: Double, _ place: Double) -> Int {
            offset < place ? -1 : offset > place ? 1 : 0
        }
        return crossings.contains { side(old, $0) != side(new, $0) }
            || interest.contains { $0.contains(old) != $0.contains(new) }
    }

    /// Returns how many points beyond an end of the content the list is shown. `travel` is the
    /// distance that the finger has travelled beyond this end, in points. Nil if the law has no
    /// table.
    func shownDistance(travel: Double, at edge: String) -> Double? {
        guard let table = resistance[edge] ?? resistance.values.first,
            let last = table.indices.last, last > 0
        else { return nil }
        let next = max(table.firstIndex { $0.travel >= travel } ?? last, 1)
        let (a, b) = (table[next - 1], table[next])
        return a.shown + (b.shown - a.shown) * (travel - a.travel) / (b.travel - a.travel)
    }
}

extension ClientLaw.Edge {
    init?(_ edge: JSONValue) {
        guard let pull = edge["pull"]?.array, pull.count == 2,
            let begin = pull[0].array?.first?.number, let whole = pull[1].array?.first?.number
        else { return nil }
        self.pullStart = begin
        self.pullEnd = whole
        arm = edge["arm"]?.number
        disarm = edge["disarm"]?.number
        isStrict = edge["strict"]?.bool ?? false
        fires = edge["fires"]?.string
        if let lead = edge["lead"]?.array?.compactMap(\.number), lead.count == 2 {
            self.lead = (lead[0], lead[1])
        }
        room = edge["room"]?.number ?? 0
        duration = edge["duration"]?.number ?? 0
    }
}
