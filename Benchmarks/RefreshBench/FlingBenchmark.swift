import Foundation
import RefreshEngine
import RefreshProtocol

/// Flings over a list of 10,000 rows with random access: the calls that they cause, for each page
/// that is in sight in the end. Source: docs/protocol.md, "What is in sight".
struct FlingBenchmark {
    private static let rows = 10_000
    private static let pageSize = 50
    private static let rowsInSight = 20
    private static let rowLength = 44.0
    /// The time until the backend answers, and between two samples, in milliseconds.
    private static let latencyMs = 150.0
    private static let sampleMs = 16.0
    /// The rate at which the usual deceleration of a platform slows a list down, per second.
    private static let rate = 2.0

    private var engine: Engine
    private var now = Instant.origin
    private var calls = 0
    private var running: [(order: LoadOrder, at: Instant)] = []

    /// Returns the calls for each page finally seen, of 200 flings to different rows.
    static func run() throws -> Double {
        var (calls, pages) = (0, 0)
        for number in 0..<200 {
            var fling = FlingBenchmark()
            let end = 9000 + number * 157 % 981
            calls += try fling.perform(to: Double(end))
            pages += (end + rowsInSight - 1) / pageSize - end / pageSize + 1
        }
        return Double(calls) / Double(pages)
    }

    private init() {
        let paging = PagingOptions(style: .offset, first: 0, size: Self.pageSize, access: .random)
        var geometry = GeometryChange()
        geometry.viewport = SizeChange(
            width: 390, height: Double(Self.rowsInSight) * Self.rowLength)
        geometry.content = SizeChange(width: 390, height: Double(Self.rows) * Self.rowLength)
        engine = Engine(
            generation: 1,
            options: ViewOptions(
                profile: .iqpulltorefresh, paging: paging, isClientBacked: false,
                limits: Limits()),
            geometry: geometry, offset: 0)
    }

    /// Throws the list to a row. Returns the calls, without that for the first page.
    private mutating func perform(to end: Double) throws -> Int {
        handle(.refreshRequested(cause: .code, animated: false))
        wait(for: 2 * Self.latencyMs)
        calls = 0
        let lifted = end * 0.02
        scroll(.began, to: 0)
        for part in 1...4 { scroll(.dragging, to: lifted * Double(part) / 4) }
        scroll(.ended, to: lifted)
        var left = end - lifted
        while left >= 0.5 {
            left *= exp(-Self.rate * Self.sampleMs / 1000)
            scroll(.decelerating, to: end - left)
        }
        scroll(.idle, to: end)
        wait(for: 20 * Self.latencyMs)
        guard running.isEmpty, calls > 0 else {
            throw BenchmarkError.unexpected("the loads of a fling do not end")
        }
        return calls
    }

    private mutating func scroll(_ phase: ScrollPhase, to row: Double) {
        wait(for: Self.sampleMs)
        handle(.scrolled(ScrollSample(offset: row * Self.rowLength, phase: phase)))
        let first = min(Int(row), Self.rows - Self.rowsInSight)
        handle(
            .rowsVisible(
                VisibleRows(first: UInt32(first), last: UInt32(first + Self.rowsInSight - 1))))
    }

    /// Lets time pass, in which the backend answers.
    private mutating func wait(for milliseconds: Double) {
        let end = now.advanced(byMilliseconds: milliseconds)
        while let (order, at) = running.first, at <= end {
            running.removeFirst()
            now = at
            var ending = LoadEnding(
                .success, count: min(Self.rows - order.offset, Self.pageSize), more: true)
            ending.total = Self.rows
            handle(.loadEnded(order.id, ending))
        }
        now = end
        handle(.timePassed)
    }

    private mutating func handle(_ event: Event) {
        var effects: [Effect] = []
        engine.handle(event, at: now, into: &effects)
        for effect in effects {
            switch effect {
            case .startLoad(let order):
                calls += 1
                running.append((order, now.advanced(byMilliseconds: Self.latencyMs)))
            case .endLoad(let load, _, .cancelled): running.removeAll { $0.order.id == load }
            default: break
            }
        }
    }
}
