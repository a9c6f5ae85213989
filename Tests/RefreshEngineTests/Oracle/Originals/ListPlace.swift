/// The place at which the engine has the list, and the offset commands of the engine (verdict
/// IQ-18, see `OracleRow`). If a list rests at its start, the engine moves it to show a refresh and
/// moves it back afterwards. The engine also moves the list when the start itself moves.
///
/// The originals, the libraries IQPullToRefresh and MRefresh, never move the list. The place is not
/// part of the state of their models, because the next scroll event of the trace sets it in any
/// case.
struct ListPlace {
    private(set) var offset: Double
    /// The offset at which the list rests at its start.
    private var rest: Double
    /// The distance by which the visible refresh has moved the start.
    private var room = 0.0
    private var isFingerDown = false
    private var isSliding = false

    /// The tolerance for the place of the list, half a point.
    private static let tolerance = 0.5

    init(offset: Double, rest: Double) {
        self.offset = offset
        self.rest = rest
    }

    private var isLeftAlone: Bool { !isFingerDown && !isSliding }

    var restsAtTop: Bool { isLeftAlone && abs(offset - rest) <= Self.tolerance }

    /// Applies the movements of the user and of the app's code.
    mutating func follow(_ step: OracleStep) {
        switch step {
        case .dragBegan: (isFingerDown, isSliding) = (true, false)
        case .dragEnded(let decelerates, _), .dragCancelled(let decelerates):
            lift(isSliding: decelerates)
        case .decelerationEnded: isSliding = false
        case .scrolled(let offset): self.offset = offset
        default: break
        }
    }

    mutating func lift(isSliding: Bool) { (isFingerDown, self.isSliding) = (false, isSliding) }

    mutating func clamped(to offset: Double) { self.offset = offset }

    /// Shows a refresh in `room`. If the list rests at its start, returns the offset that makes the
    /// refresh visible.
    mutating func reveal(_ room: Double) -> Double? {
        self.room = room
        return restsAtTop ? move(to: rest - room) : nil
    }

    /// Ends the refresh. If the list rests beyond its start, returns the start.
    mutating func close() -> Double? {
        let wasShown = room > 0
        room = 0
        guard wasShown, isLeftAlone, offset < rest - Self.tolerance else { return nil }
        return move(to: rest)
    }

    /// Moves the start of the list. If the list rests at its start, the platform's scroll view
    /// moves it to the new start. If the list shows a refresh, returns the new offset of the list.
    mutating func start(at rest: Double) -> Double? {
        let isRevealed =
            room > 0 && isLeftAlone && abs(offset - (self.rest - room)) <= Self.tolerance
        let isAtRest = restsAtTop
        self.rest = rest
        if isRevealed { return offset == rest - room ? nil : move(to: rest - room) }
        if isAtRest { offset = rest }
        return nil
    }

    private mutating func move(to target: Double) -> Double {
        offset = target
        return target
    }
}
