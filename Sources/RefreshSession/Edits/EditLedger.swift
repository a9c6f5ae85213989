import RefreshBroker
import RefreshProtocol

/// The edits of one view, from their arrival until their answers are forgotten. Each name is in
/// exactly one of the four lists. Source: docs/protocol.md, "Edits".
///
/// ```
/// arrival ─▶ waiting ─▶ performed ─▶ ready ─▶ answered
/// ```
struct EditLedger: Hashable, Codable {
    /// The largest number of edits without an answer.
    static let unansweredMax = 32
    /// The number of answers that are kept.
    static let answersMax = 64

    /// An edit whose `delayMs` has not passed, or that waits for such an edit of the same item.
    struct Waiting: Hashable, Codable {
        var name: String
        var operation: ItemOperation
        /// The parameters of the view when the edit was made.
        var parameters: [LoadParameter]
        var due: Instant
        /// True if the edit may have been performed before.
        var isRepeated: Bool?

        /// Whether one of the edits names an item that the other one changes.
        func concernsItem(of other: Waiting) -> Bool {
            !operation.keys.isDisjoint(with: other.operation.keys)
        }
    }

    struct Answer: Hashable, Codable {
        var name: String
        /// The message `edited`.
        var text: [UInt8]
        /// Whether the answer was sent before.
        var isRepeated = false
        /// True if the edit is forgotten with its answer, so that the client can send it again.
        var isForgotten: Bool?
    }

    /// What an edit is that has arrived.
    enum Arrival: Hashable {
        case new
        /// The edit has no answer yet, or its answer is about to be sent.
        case inProgress
        /// The edit was answered before. Its answer is sent again.
        case answered
        /// Too many edits have no answer.
        case tooMany
    }

    /// In the order of their arrival.
    private(set) var waiting: [Waiting] = []
    /// The names of the edits that the broker performs.
    private(set) var performed: [String] = []
    /// The answers that wait until they may be sent, in their order.
    private(set) var ready: [Answer] = []
    /// The answers that were sent, oldest first.
    private(set) var answered: [Answer] = []

    /// When the next edit must be performed; `never` if none waits.
    var due: Instant { dues.min() ?? .never }

    /// When each edit that waits must be performed. An edit waits for the edits of the same items
    /// that were made before.
    private var dues: [Instant] {
        var dues: [Instant] = []
        for (index, edit) in waiting.enumerated() {
            let earlier = waiting[..<index].indices.filter { waiting[$0].concernsItem(of: edit) }
            dues.append(max(edit.due, earlier.map { dues[$0] }.max() ?? edit.due))
        }
        return dues
    }

    /// The number of edits without an answer.
    var unansweredCount: Int {
        waiting.count + performed.count + ready.count { !$0.isRepeated }
    }

    /// The approximate number of bytes in memory.
    var heldBytes: Int {
        let answers = (ready + answered).reduce(0) { $0 + $1.text.count + Self.bytesPerEdit }
        return waiting.reduce(answers + performed.count * Self.bytesPerEdit) { sum, edit in
            sum + 2 * Self.bytesPerEdit + edit.operation.item.count + edit.parameters.heldBytes
        }
    }

    /// The approximate number of bytes of an edit in addition to its texts.
    private static let bytesPerEdit = 160

    /// Handles the arrival of an edit. If it was answered before, its answer is ready again.
    mutating func receive(_ name: String) -> Arrival {
        if isInProgress(name) { return .inProgress }
        if let index = answered.firstIndex(where: { $0.name == name }) {
            var answer = answered.remove(at: index)
            answer.isRepeated = true
            ready.append(answer)
            return .answered
        }
        return unansweredCount < Self.unansweredMax ? .new : .tooMany
    }

    func isInProgress(_ name: String) -> Bool {
        performed.contains(name) || waiting.contains { $0.name == name }
            || ready.contains { $0.name == name }
    }

    /// Lets a new edit wait.
    mutating func wait(_ edit: Waiting) { waiting.append(edit) }

    /// Returns whether a new edit must wait for an edit of the same item.
    func mustWait(_ edit: Waiting) -> Bool { waiting.contains { $0.concernsItem(of: edit) } }

    /// Records that the broker performs a new edit.
    mutating func perform(_ name: String) { performed.append(name) }

    /// Removes the edits whose time has come. Returns them, for the broker to perform.
    mutating func takeDue(at now: Instant) -> [Waiting] {
        let edits = zip(waiting, dues)
        let due = edits.filter { $0.1 <= now }.map(\.0)
        waiting = edits.filter { $0.1 > now }.map(\.0)
        performed += due.map(\.name)
        return due
    }

    /// Ends all waits. Returns the edits, for the broker to perform.
    mutating func takeWaiting() -> [Waiting] { takeDue(at: .never) }

    /// Undoes an edit that waits. `answer` is its answer. Returns false if the edit does not wait.
    mutating func undo(_ name: String, _ answer: [UInt8]) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.name == name }) else { return false }
        waiting.remove(at: index)
        ready.append(Answer(name: name, text: answer))
        return true
    }

    /// Records the answer to a new edit that is not performed.
    mutating func refuse(_ name: String, _ answer: [UInt8]) {
        ready.append(Answer(name: name, text: answer))
    }

    /// Records an answer that was sent at once.
    mutating func recordSent(_ name: String, _ answer: [UInt8]) {
        keep(Answer(name: name, text: answer))
    }

    /// Records the answer to an edit that was performed. Without an answer, the edit is forgotten,
    /// so that the client can send it again. If `isForgotten` is true, it is forgotten when the
    /// answer is sent. Returns false if no such edit is performed.
    mutating func finish(_ name: String, _ answer: [UInt8]?, isForgotten: Bool = false) -> Bool {
        guard let index = performed.firstIndex(of: name) else { return false }
        performed.remove(at: index)
        if let answer {
            ready.append(Answer(name: name, text: answer, isForgotten: isForgotten ? true : nil))
        }
        return true
    }

    /// Returns the answers that are ready, because they are sent now.
    mutating func takeReady() -> [[UInt8]] {
        let sent = ready
        ready = []
        for answer in sent where answer.isForgotten != true { keep(answer) }
        return sent.map(\.text)
    }

    private mutating func keep(_ answer: Answer) {
        answered.append(answer)
        if answered.count > Self.answersMax { answered.removeFirst() }
    }
}

extension ItemOperation {
    /// The keys of the items that the operation names: its own, and that of its neighbour.
    fileprivate var keys: Set<Key> {
        switch place {
        case .before(let neighbour), .after(let neighbour): [key, neighbour]
        case .start, .end, nil: [key]
        }
    }
}
