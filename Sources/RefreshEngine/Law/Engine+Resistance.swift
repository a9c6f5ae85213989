package import RefreshProtocol

extension Engine {
    /// The damping at both ends: what the resistance is worked out from.
    package var dampings: [Damping] { [damping(at: .refresh), damping(at: .loadMore)] }
}

extension Resistance {
    /// The tables of these dampings, where reading begins and where it ends.
    package init(_ dampings: [Damping], travel: Double) {
        let tables = dampings.map { ResistanceTable($0, travel: travel).points }
        self.init(
            refresh: tables.first ?? [],
            loadMore: tables.last == tables.first ? nil : tables.last)
    }
}

extension Engine {
    /// How far a finger may travel beyond an end for which the resistance is told, points.
    package var travelForeseen: Double { max(geometry.viewportLength, 1) * 2 }

    /// The list was at this physical offset before it goes on; who tells few samples says so where
    /// it matters.
    package mutating func listWas(at offset: Double) {
        guard isOffsetKnown, flight == nil else { return }
        self.offset = geometry.mirrored(offset)
    }

    /// The command that moves the list, or has moved it last, while nobody else does; nil: the
    /// client does.
    package func commandInForce(at now: Instant) -> OffsetCommand? {
        switch motion {
        case .flying(let flight): OffsetCommand(geometry.mirrored(flight))
        case .gliding(let glide):
            OffsetCommand(target: geometry.mirrored(glide.target), timeline: glide.timeline)
        case .held: OffsetCommand(target: physicalOffset, timeline: .immediately(now))
        case nil: nil
        }
    }
}
