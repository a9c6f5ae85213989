/// Where ours has the list and where it tells it to go: to show a refresh that starts while the
/// list rests at its start, back when that is over, and along when the start itself moves
/// (O-IQ-18).
///
/// The originals never move the list. It stands apart from their state, for the next scrolling of
/// the trace says where the list is, whoever moved it.
struct ListPlace {
    private(set) var offset: Double
    /// The offset at which the list rests at its start.
    private var rest: Double
    /// How far the refresh that is shown has moved the start.
    private var room = 0.0
    private var isFingerDown = false
    private var isSliding = false

    /// A list is where it should be within half a point.
    private static let tolerance = 0.5

    init(offset: Double, rest: Double) {
        self.offset = offset
        self.rest = rest
    }

    private var isLeftAlone: Bool { !isFingerDown && !isSliding }

    var restsAtTop: Bool { isLeftAlone && abs(offset - rest) <= Self.tolerance }

    /// What the user and the program do to the list.
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

    /// A refresh is shown in `room`: the offset that shows it, where the list rests at its start.
    mutating func reveal(_ room: Double) -> Double? {
        self.room = room
        return restsAtTop ? move(to: rest - room) : nil
    }

    /// It is over: the start, for a list that is left before it.
    mutating func close() -> Double? {
        let wasShown = room > 0
        room = 0
        guard wasShown, isLeftAlone, offset < rest - Self.tolerance else { return nil }
        return move(to: rest)
    }

    /// The start has moved: a list that rests there is kept there by its own view, and one that
    /// shows a refresh goes along.
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
