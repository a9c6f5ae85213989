import Foundation
import RefreshEngine
import RefreshProtocol
import Testing

/// Recorded runs of IQPullToRefresh 3.0.3 with a custom refresh control of the release style, replayed. The
/// recordings lie outside of this repository: in `ORACLE_DIR`, or in `../shared/oracle`.
@Suite(
    "Against the recorded original",
    .enabled(if: OracleTrace.isPresent, "no recordings: ORACLE_DIR names no folder of traces"))
struct OracleTraceTests {
    @Test(
        "State, progress and inset of the pull are the original's, but for the release itself",
        arguments: [
            "begin-never-called", "disable-during-refresh", "finish-during-drag",
            "finish-during-first-drag", "finish-twice",
            "fling-to-top-bounce", "initial-inset-64", "inset-changes-after-setup",
            "overpull-push-back", "overpull-push-back-past-top", "preload-offset-refresh",
            "pull-again-before-finish-bounce", "pull-basic-failure", "quick-fling-pull",
            "rotation-during-pull", "rotation-during-refresh", "safe-area-47",
            "scroll-down-and-back", "second-pull-while-refreshing", "short-content-pull",
            "single-frame-pull", "slow-drag-jitter-80",
        ])
    func replay(name: String) throws {
        let trace = try OracleTrace(name)
        var replay = OracleReplay(trace)
        var recorded = OracleTrace.After()
        for record in trace.records {
            recorded.merge(record.after)
            guard record.i >= 0 else { continue }
            let event = trace.events[record.i]
            replay.tell(event)
            // The original looks when the offset changes; we look at touches and sizes as well.
            if event.type == "dragBegin" || event.type.hasPrefix("set") { continue }
            let place = "\(name), event \(record.i) \(event.type)"
            guard let refresh = recorded.refresh else { continue }
            let phase = replay.engine.refresh
            // The original fires at the first movement after the release (O-IQ-13).
            if refresh.state == "eligible", !replay.isDragging {
                #expect(phase.state == .refreshing, "\(place)")
                continue
            }
            let state = refresh.enabled ? refresh.state : "disabled"
            #expect(phase.state.rawValue == (state == "none" ? "idle" : state), "\(place)")
            if state == "pulling" {
                #expect(abs(phase.progress - (refresh.proportion ?? 0)) < 1e-9, "\(place)")
            }
            guard !replay.isDragging, let inset = recorded.inset else { continue }
            let insets = replay.engine.insets
            #expect(insets.toldRefresh == inset[0] - replay.appInset, "\(place)")
        }
    }
}

/// A trace and its recording.
struct OracleTrace {
    struct Sides: Decodable { var top = 0.0, bottom = 0.0 }
    struct Extent: Decodable { var height: Double }
    struct Point: Decodable { var y: Double }
    struct Sizes: Decodable {
        var viewport: Extent
        var contentSize: Extent
        var contentInset: Sides
        var safeArea: Sides
        var initialOffset: Point
    }
    struct Control: Decodable {
        var refreshLength: Double
        var preloadOffset: Double
    }
    struct Peer: Decodable { var refreshControl: Control }
    struct Configuration: Decodable { var iqpulltorefresh: Peer }
    struct Step: Decodable {
        var t: Double
        var type: String
        var y: Double?
        var height: Double?
        var top: Double?
        var bottom: Double?
        var value: Bool?
        var success: Bool?
        var decelerate: Bool?
    }
    struct Input: Decodable {
        var geometry: Sizes
        var config: Configuration
        var events: [Step]
    }
    struct Edge: Decodable {
        var enabled: Bool
        var state: String
        var proportion: Double?
    }
    /// What changed; merged into what is known.
    struct After: Decodable {
        var refresh: Edge?
        var inset: [Double]?

        mutating func merge(_ later: After) {
            refresh = later.refresh ?? refresh
            inset = later.inset ?? inset
        }
    }
    struct Record: Decodable {
        var i: Int
        var after: After
    }
    struct Output: Decodable { var records: [Record] }

    let input: Input
    let records: [Record]
    var events: [Step] { input.events }

    init(_ name: String) throws {
        let decoder = JSONDecoder()
        func read(_ folder: String) throws -> Data {
            try Data(contentsOf: Self.folder.appending(path: "\(folder)/\(name).json"))
        }
        input = try decoder.decode(Input.self, from: read("traces"))
        records = try decoder.decode(Output.self, from: read("iqpulltorefresh")).records
    }

    static let folder: URL = {
        if let path = ProcessInfo.processInfo.environment["ORACLE_DIR"] {
            return URL(filePath: path)
        }
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return root.appending(path: "shared/oracle")
    }()

    static var isPresent: Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: "traces").path())
    }
}

/// An engine that is told what the recorded peer was told.
struct OracleReplay {
    private(set) var engine: Engine
    private(set) var isDragging = false
    /// The app's own top inset.
    private(set) var appInset: Double
    private var isDecelerating = false
    private var offset: Double
    private var effects: [Effect] = []

    init(_ trace: OracleTrace) {
        let sizes = trace.input.geometry
        let control = trace.input.config.iqpulltorefresh.refreshControl
        engine = Engine(
            generation: 1,
            options: .iq(length: control.refreshLength) { options in
                options.refresh?.preload = control.preloadOffset
                options.loadMore = nil
            },
            geometry: .sizes(
                viewport: sizes.viewport.height, content: sizes.contentSize.height,
                top: sizes.contentInset.top, bottom: sizes.contentInset.bottom,
                safeTop: sizes.safeArea.top, safeBottom: sizes.safeArea.bottom),
            offset: sizes.initialOffset.y)
        appInset = sizes.contentInset.top
        offset = sizes.initialOffset.y
    }

    mutating func tell(_ step: OracleTrace.Step) {
        guard let event = event(for: step) else { return }
        engine.handle(event, at: Instant(milliseconds: step.t), into: &effects)
    }

    private mutating func event(for step: OracleTrace.Step) -> Event? {
        var change = GeometryChange()
        let height = Size(width: 390, height: step.height ?? 0)
        let sides = EdgeInsets(top: step.top ?? 0, bottom: step.bottom ?? 0)
        switch step.type {
        case "dragBegin":
            (isDragging, isDecelerating) = (true, false)
            return scroll(.began)
        case "scroll":
            offset = step.y ?? offset
            if isDragging { return scroll(.dragging) }
            return scroll(.decelerating, cause: isDecelerating ? .finger : .code)
        case "dragEnd", "dragCancel":
            (isDragging, isDecelerating) = (false, step.decelerate ?? false)
            return scroll(step.type == "dragEnd" ? .ended : .cancelled)
        case "decelerateEnd":
            isDecelerating = false
            return scroll(.idle)
        case "refreshFinish":
            guard let load = engine.refresh.load else { return nil }
            let result: LoadResult = step.success == false ? .failed : .success
            return .loadEnded(load, LoadEnding(result, count: 10))
        case "enableRefresh": return .edgeEnabled(.refresh, step.value ?? true)
        case "setContentInset":
            appInset = sides.top
            change.insets = sides
        case "setSafeArea": change.safeArea = sides
        case "setViewport": change.viewport = height
        case "setContentSize": change.content = height
        default:
            Issue.record("a step that is not understood: \(step.type)")
            return nil
        }
        return .geometryChanged(change)
    }

    private func scroll(_ phase: ScrollPhase, cause: Cause = .finger) -> Event {
        .scrolled(ScrollSample(offset: offset, phase: phase, cause: cause))
    }
}
