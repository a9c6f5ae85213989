/// Changed recordings, to check that the comparison detects the changes.
extension SVGOracleCase {
    enum Change: CaseIterable {
        /// `reading`, `smoothing` and `placing` change a coordinate of the result of this step.
        case reading
        case smoothing
        case placing
        /// The number of drawn elements.
        case drawing
        /// A failure instead of a drawing.
        case failure
    }

    /// Changes the recording of `version`. All changes except `reading` concern the results of
    /// `times` smoothing steps. Returns false if the recording has nothing to change.
    mutating func change(_ change: Change, in version: String, at times: Int) -> Bool {
        guard var run = runs[version], var smooth = run.byTimesSmooth[String(times)] else {
            return false
        }
        // A path without a finite placement has no drawing. SVG-12 excuses every difference of such
        // a path.
        if [.placing, .drawing, .failure].contains(change), !Self.isPlaced(smooth.scaled) {
            return false
        }
        switch change {
        case .reading:
            guard case .result(var nodes)? = run.simplified.first, !nodes.isEmpty else {
                return false
            }
            nodes[0].values[0] += 1e-6
            run.simplified[0] = .result(nodes)
        case .smoothing:
            guard let changed = Self.changed(smooth.smoothedUnscaled) else { return false }
            smooth.smoothedUnscaled = changed
        case .placing:
            guard let changed = Self.changed(smooth.scaled) else { return false }
            smooth.scaled = changed
        case .drawing:
            guard case .result(var drawings) = smooth.drawn, !drawings.isEmpty else {
                return false
            }
            // A closing edge may or may not be an element (SVG-3).
            let closes = run.simplified.flatMap { $0.result ?? [] }.count(where: \.isClose)
            drawings[drawings.count - 1].elements += 1 + closes
            smooth.drawn = .result(drawings)
        case .failure: smooth.drawn = .failure("Index out of range")
        }
        run.byTimesSmooth[String(times)] = smooth
        runs[version] = run
        return true
    }

    private static func isPlaced(_ outcome: Outcome<Nodes>?) -> Bool {
        guard case .result(let nodes)? = outcome else { return true }
        return nodes.nodes.allSatisfy { $0.values.allSatisfy(\.isFinite) }
    }

    private static func changed(_ outcome: Outcome<Nodes>?) -> Outcome<Nodes>? {
        guard case .result(var nodes)? = outcome, !nodes.nodes.isEmpty else { return nil }
        nodes.nodes[0].values[1] -= 1e-6
        return .result(nodes)
    }
}
