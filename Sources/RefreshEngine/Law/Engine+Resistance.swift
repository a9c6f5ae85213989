package import RefreshProtocol

extension Engine {
    /// The damping at both ends, from which the resistance is computed.
    package var dampings: [Damping] { [damping(at: .start), damping(at: .end)] }
}

extension Resistance {
    /// Creates the tables from two dampings. The first damping applies where reading begins, and
    /// the second one where reading ends.
    package init(_ dampings: [Damping], travel: Double) {
        let tables = dampings.map { ResistanceTable($0, travel: travel).points }
        self.init(
            refresh: tables.first ?? [],
            loadMore: tables.last == tables.first ? nil : tables.last)
    }
}

extension Engine {
    /// The maximum travel of a finger beyond an end for which the resistance is sent, in points.
    package var coveredTravel: Double { max(geometry.viewportLength, 1) * 2 }

    /// Records the physical offset of the list before the next sample. A client that sends few
    /// samples reports this offset if the effect of the next sample depends on it. If the offset
    /// differs from the last known one, the last known speed is out of date. The speed is then 0
    /// until a sample contains a velocity.
    package mutating func recordPhysicalOffset(_ offset: Double) {
        guard isOffsetKnown, flight == nil else { return }
        recordPlace(geometry.mirrored(offset))
    }

    /// Records the physical offset of the list before a `pan` sample. A client computes this offset
    /// from the resistance table, with a small error. If the offset is close to the place at which
    /// the engine expects the list under the finger, the engine uses the expected place.
    package mutating func recordPhysicalOffset(_ offset: Double, before sample: PanSample) {
        guard isOffsetKnown, flight == nil else { return }
        var place = geometry.mirrored(offset)
        if let anchor = dragAnchor {
            let held = dragOffset(of: anchor, travel: sample.translation)
            if abs(held - place) < ResistanceTable.errorMax * 2 { place = held }
        }
        recordPlace(place)
    }

    private mutating func recordPlace(_ place: Double) {
        if place != self.offset { scrollSpeed.recordStandstill() }
        self.offset = place
    }

    /// The command that moves the list now, or that moved it last. Nil while the client controls
    /// the list.
    package func currentCommand(at now: Instant) -> OffsetCommand? {
        switch motion {
        case .flying(let flight): OffsetCommand(geometry.mirrored(flight))
        case .gliding(let glide):
            OffsetCommand(target: geometry.mirrored(glide.target), timeline: glide.timeline)
        case .held: OffsetCommand(target: physicalOffset, timeline: .immediately(now))
        case nil: nil
        }
    }
}
