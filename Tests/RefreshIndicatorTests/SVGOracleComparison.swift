@testable import RefreshIndicator

/// Compares, for one case, the results of the path code ("ours") with those of one version of
/// MRefresh ("the original").
///
/// Ours must equal the reference. The original has its own formulas of scale and count
/// (SVG-1, SVG-10, SVG-11, SVG-19). If these are applied to ours, the result must equal the
/// original. A verdict must excuse any other difference. Such a verdict (SVG-n) is a known fault of
/// the original that the path text causes.
struct SVGOracleComparison {
    /// A deliberate mistake in ours, to check that the comparison detects it.
    enum Mistake: CaseIterable {
        case pieces
        case scale
        case place
        case nodes
        case reading
    }

    private(set) var tally = SVGOracleTally()
    private let oracle: SVGOracleCase
    private let version: String
    private let run: SVGOracleCase.Run
    private let mistake: Mistake?
    /// The paths by part; nil if the text is not a path.
    private let parts: [SVGPath?]
    private let texts: [SVGOracleText]
    /// The verdicts because of which the original may read the texts differently.
    private let misread: Set<String>

    init?(_ oracle: SVGOracleCase, version: String, mistake: Mistake? = nil) {
        guard let run = oracle.runs[version] else { return nil }
        self.oracle = oracle
        self.version = version
        self.run = run
        self.mistake = mistake
        parts = oracle.input.parts.map { part in
            let path = try? SVGPath(parsing: part.path)
            guard mistake == .reading, let path else { return path }
            return SVGPath(
                segments: path.segments.map {
                    $0.transformed(scale: 1, shift: Point(x: 0.001, y: 0))
                })
        }
        texts = oracle.input.parts.map { SVGOracleText($0.path) }
        var misread = Set(texts.flatMap { $0.verdicts(version: version) })
        if oracle.specReference.contains(where: { $0.error != nil }) { misread.insert("SVG-14") }
        self.misread = misread
    }

    mutating func compare() {
        compareReading()
        compareOriginalReading()
        for times in 0...3 {
            guard let smooth = run.byTimesSmooth[String(times)] else { continue }
            compareSmooth(smooth, times: times)
        }
    }

    /// Whether no verdict applies to these texts, so that the formulas of the original alone
    /// predict its results.
    var isRead: Bool {
        misread.isEmpty && !texts.contains { $0.drawsAfterClose || $0.drawsNothing }
    }

    private var isOld: Bool { version == "0.1.1" }

    // MARK: Nodes

    /// Checks that ours always equals the reference.
    private mutating func compareReading() {
        for (index, reference) in oracle.specReference.enumerated() {
            guard reference.error == nil, let path = parts[index] else {
                note(
                    reference.error != nil && parts[index] == nil, "whether there is an error",
                    "part \(index)")
                continue
            }
            let wanted = reference.nodes.map(\.plain).withoutEmptyArcs
            note(Self.nodes(path).isNear(wanted), "the parsed path", "\(Self.nodes(path))")
            for times in 0...4 {
                guard let halves = wanted.halved(times) else { continue }
                let own = Self.nodes(path.smoothed(times))
                note(own.isNear(halves), "the path smoothed \(times) times", "")
                note(
                    path.nodeFractions(smoothing: times).count == halves.count,
                    "the number of nodes",
                    "\(halves.count)")
            }
        }
    }

    private mutating func compareOriginalReading() {
        for (index, outcome) in run.simplified.enumerated() {
            let own = parts[index].map(Self.nodes) ?? []
            if let nodes = outcome.result, parts[index] != nil {
                if nodes.first?.letter == "m" { tally.excuse("SVG-2") }
                if nodes.map(\.plain).isNear(own) {
                    tally.equal()
                    continue
                }
            }
            excuse("the original's parsed path", by: misread)
            guard parts[index] != nil, misread.count == 1, let verdict = misread.first else {
                continue
            }
            note(
                isDeclared(verdict, outcome.result?.map(\.plain), own, texts[index]),
                "the difference that \(verdict) describes", "\(outcome)")
        }
    }

    /// Whether the original's reading is wrong exactly as `verdict` states. No other verdict
    /// applies.
    private func isDeclared(
        _ verdict: String, _ nodes: [SVGOracleNode]?, _ own: [SVGOracleNode], _ text: SVGOracleText
    ) -> Bool {
        switch verdict {
        case "SVG-4" where !text.drawsAfterClose:
            // Everything is correct except the points of closing edges.
            let clean = nodes?.map { $0.isClose ? SVGOracleNode("Z", []) : $0 }
            return clean?.isNear(own) ?? false
        case "SVG-5": return (nodes?.count ?? 0) < own.count
        case "SVG-7":
            // Only the control points are wrong.
            let isSame = nodes?.map(\.letter) == own.map(\.letter)
            return isSame
                && zip(nodes ?? [], own).allSatisfy { theirs, ours in
                    guard let end = theirs.end, let own = ours.end else { return theirs.isClose }
                    return end.isNear(own)
                }
        case "SVG-13": return isOld || nodes == nil
        default: return true
        }
    }

    // MARK: Smoothing and scaling

    private mutating func compareSmooth(_ smooth: SVGOracleCase.Smooth, times: Int) {
        // SVG-1: The original halves once more than requested. If no smoothing is requested, the
        // newer version does not halve.
        let halvings = isOld || times > 0 ? times + 1 : times
        if halvings != times { tally.excuse("SVG-1") }
        let own = parts.compactMap { $0?.smoothed(halvings + (mistake == .pieces ? 1 : 0)) }
        guard own.count == parts.count else {
            return excuse("the original's result of an error", by: misread)
        }
        var verdicts = misread
        if texts.contains(where: \.drawsNothing) { verdicts.insert("SVG-15") }
        let goesOn = texts.contains(where: \.drawsAfterClose)
        if goesOn, isOld || times > 0 { verdicts.insert("SVG-9") }
        let nodes = own.map(Self.nodes)
        if let outcome = smooth.smoothedUnscaled, let first = nodes.first {
            note(
                outcome.result.map { $0.nodes.map(\.plain).isNear(first) } ?? false,
                "the original's path smoothed \(times) times", excusedBy: verdicts)
        }
        guard let places = places(of: nodes) else {
            return comparePoint(smooth, verdicts)
        }
        let placed = zip(nodes, places).map { part, place in
            part.map { $0.placed(place.scale, place.shift) }
        }
        if let outcome = smooth.scaled {
            let isSame =
                outcome.result.map { $0.nodes.map(\.plain).isNear(placed[0]) } ?? false
            note(isSame, "the original's scaled path, smoothed \(times) times", excusedBy: verdicts)
            if isSame { compareFitting(own[0], halvings, placed[0], places[0].scale) }
        }
        compareDrawn(smooth.drawn, placed, verdicts)
    }

    /// In the original, a path without an extent (SVG-12) or without a point (SVG-15) has no finite
    /// placement.
    private mutating func comparePoint(
        _ smooth: SVGOracleCase.Smooth, _ verdicts: Set<String>
    ) {
        let isNothing = texts.allSatisfy(\.drawsNothing)
        excuse("the placement of a point", by: verdicts.union([isNothing ? "SVG-15" : "SVG-12"]))
        guard misread.isEmpty, let scaled = smooth.scaled else { return }
        let scale = scaled.result?.scale?.value ?? .infinity
        note(!scale.isFinite, "the original's scale of a point", "\(scale)")
    }

    /// The original's placement of each part: each point `p` moves to `p * scale + shift`. Nil if
    /// a scale is not finite.
    private func places(of nodes: [[SVGOracleNode]]) -> [(scale: Double, shift: Point)]? {
        let frame = oracle.frame
        let size = Point(x: frame[2], y: frame[3])
        func scale(_ box: Box) -> Double { min(size.x / box.width, size.y / box.height) }
        let wrong = Point(x: mistake == .place ? 0.001 : 0, y: 0)
        let factor = mistake == .scale ? 1.001 : 1
        if !isOld {
            guard let box = nodes.flatMap(\.self).controlBox else { return nil }
            let scale = scale(box) * factor
            guard scale.isFinite else { return nil }
            // The original centres the drawing, but ignores the minimum of the box (SVG-10). All
            // parts together have one box (SVG-19).
            let slack = size - Point(x: box.width, y: box.height) * scale
            return nodes.map { _ in (scale, slack * 0.5 + wrong) }
        }
        let isAsFirst = oracle.input.shouldScaleAsFirstElement ?? false
        let boxes = parts.compactMap { $0.flatMap { Self.nodes($0).controlBox } }
        guard boxes.count == parts.count else { return nil }
        let places = boxes.map { own in
            let box = isAsFirst ? boxes[0] : own
            let scale = scale(box) * factor
            // The original places the drawing at the frame's origin and does not centre it
            // (SVG-19).
            let corner = Point(x: frame[0], y: frame[1])
            return (scale: scale, shift: corner - Point(x: box.minX, y: box.minY) * scale + wrong)
        }
        return places.allSatisfy { $0.scale.isFinite } ? places : nil
    }

    /// Checks that our path is fitted by its exact extents and centred. If the original's placement
    /// differs, the original's formulas must explain the difference.
    private mutating func compareFitting(
        _ own: SVGPath, _ halvings: Int, _ placed: [SVGOracleNode], _ scale: Double
    ) {
        let frame = oracle.frame
        let target = Box(
            minX: frame[0], minY: frame[1], maxX: frame[0] + frame[2], maxY: frame[1] + frame[3])
        guard let path = parts[0], let box = path.bounds, let control = Self.box(own) else {
            return
        }
        let fitted = path.fitted(into: target).smoothed(halvings)
        let bounds = fitted.bounds ?? target
        let isFull =
            bounds.width.isNear(target.width) && bounds.height <= target.height + 1e-9
            || bounds.height.isNear(target.height) && bounds.width <= target.width + 1e-9
        note(isFull && bounds.center.isNear(target.center), "the fitted path", "\(bounds)")
        if Self.nodes(fitted).isNear(placed) { return tally.equal() }
        var reasons: Set<String> = []
        if !(isOld ? Self.box(path) ?? control : control).isNear(box) { reasons.insert("SVG-11") }
        let isAtOrigin = box.minX == 0 && box.minY == 0
        if !isOld, !isAtOrigin { reasons.insert("SVG-10") }
        let isFilled = (box.width * scale).isNear(frame[2]) && (box.height * scale).isNear(frame[3])
        let hasOrigin = frame[0] != 0 || frame[1] != 0
        if isOld ? !isFilled : hasOrigin { reasons.insert("SVG-19") }
        excuse("the original's placement", by: reasons)
    }

    // MARK: Drawing

    private mutating func compareDrawn(
        _ outcome: SVGOracleCase.Outcome<[SVGOracleCase.Drawing]>, _ placed: [[SVGOracleNode]],
        _ verdicts: Set<String>
    ) {
        guard let drawings = outcome.result else {
            let isUnbegun = texts.contains(where: \.beginsWithRelativeMove)
            if isUnbegun, case .failure("noStartingPoint") = outcome {
                return excuse("the original's start of the path", by: ["SVG-2"])
            }
            return excuse("the original's drawing", by: verdicts)
        }
        for drawing in drawings {
            let counts = zip(placed, oracle.input.parts).map { nodes, part in
                let path = PathPart(SVGPath(segments: []), start: part.time)
                let progress = path.progress(at: drawing.proportion)
                // SVG-16: If a part starts only at the end of the drawing, the original never draws
                // the part. Ours draws all of it.
                let isNever = part.time >= drawing.proportion && progress > 0
                if isNever { tally.excuse("SVG-16") }
                return isNever
                    ? 0
                    : PathPart.nodes(of: nodes.count, at: progress) + (mistake == .nodes ? 1 : 0)
            }
            let drawn = zip(placed, counts).flatMap { $0.prefix($1) }
            compare(drawing, drawn, verdicts)
        }
    }

    private mutating func compare(
        _ drawing: SVGOracleCase.Drawing, _ drawn: [SVGOracleNode], _ verdicts: Set<String>
    ) {
        // SVG-3: The original does not draw a closing edge, or replaces it by a move.
        let closes = drawn.count(where: \.isClose)
        if closes > 0 { tally.excuse("SVG-3") }
        let place = "at the progress \(drawing.proportion)"
        note(
            (drawn.count - closes...drawn.count).contains(drawing.elements),
            "the original's number of elements \(place)",
            excusedBy: verdicts)
        // SVG-17: If the box of the first part begins at the origin, the original does not apply
        // that part's placement to the other parts.
        var verdicts = verdicts
        let isAsFirst = oracle.input.shouldScaleAsFirstElement ?? false
        if isOld, isAsFirst, let box = parts[0].flatMap(Self.box), box.minX == 0, box.minY == 0 {
            tally.excuse("SVG-17")
            verdicts.insert("SVG-17")
        }
        let lines = drawn.filter { !$0.isClose }
        if let last = drawing.last, let own = drawn.last, !own.isClose {
            note(last.plain.isNear(own), "the original's last node \(place)", excusedBy: verdicts)
        }
        guard let path = drawing.path else { return }
        var rest = lines[...]
        var extra = 0
        for node in path.map(\.plain) {
            if let next = rest.first, node.isNear(next) {
                rest = rest.dropFirst()
            } else {
                extra += node.letter == "M" ? 1 : closes + 1
            }
        }
        note(
            rest.isEmpty && extra <= closes, "the original's drawing \(place)", excusedBy: verdicts)
    }

    // MARK: Noting

    /// Records a comparison of ours with the expected result.
    private mutating func note(_ isSame: Bool, _ what: String, _ detail: String) {
        if isSame { tally.equal() } else { fail("\(what): \(detail)") }
    }

    /// Records a comparison of the original with ours.
    private mutating func note(_ isSame: Bool, _ what: String, excusedBy verdicts: Set<String>) {
        if isSame { tally.equal() } else { excuse(what, by: verdicts) }
    }

    private mutating func excuse(_ what: String, by verdicts: Set<String>) {
        if verdicts.isEmpty {
            return fail("\(what) differs, and no verdict explains the difference")
        }
        tally.differ()
        for verdict in verdicts { tally.excuse(verdict) }
    }

    private mutating func fail(_ what: String) {
        tally.fail("\(oracle.name) \(version): \(what)")
    }

    private static func nodes(_ path: SVGPath) -> [SVGOracleNode] {
        path.segments.map(SVGOracleNode.init)
    }

    private static func box(_ path: SVGPath) -> Box? { nodes(path).controlBox }
}
