/// The order of the edits that belong to sequences. Only the first edit of a sequence has a call.
/// The others wait until the edits before them have ended. Source: docs/backends.md, "Edits".
struct EditSequences: Sendable {
    /// The maximum number of edits that wait for an earlier edit, in all sequences together.
    static let waitingMax = 4096

    /// The numbers of the edits that have not ended, by sequence, in their order.
    private var numbers: [String: [UInt64]] = [:]
    /// How many edits wait for an earlier edit.
    private(set) var waitingCount = 0

    var isEmpty: Bool { numbers.isEmpty }

    /// What an edit that was added must do.
    enum Turn: Hashable, Sendable {
        case begins, waits
        /// Too many edits wait. The edit was not added.
        case refused
    }

    /// Adds an edit to the end of its sequence.
    mutating func append(_ number: UInt64, to sequence: String) -> Turn {
        guard numbers[sequence] != nil else {
            numbers[sequence] = [number]
            return .begins
        }
        guard waitingCount < Self.waitingMax else { return .refused }
        numbers[sequence]?.append(number)
        waitingCount += 1
        return .waits
    }

    /// Removes an edit that has ended, wherever it is in its sequence. Returns the edit that begins
    /// now, if any.
    mutating func remove(_ number: UInt64, of sequence: String) -> UInt64? {
        guard var rest = numbers[sequence], let index = rest.firstIndex(of: number) else {
            return nil
        }
        rest.remove(at: index)
        numbers[sequence] = rest.isEmpty ? nil : rest
        if !rest.isEmpty { waitingCount -= 1 }
        return index == 0 ? rest.first : nil
    }
}
