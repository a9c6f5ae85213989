import RefreshBroker
import RefreshEngine
import RefreshProtocol

/// What the newest operations make of lists. Sessions with equal lists receive equal operations, so
/// these are applied once for all of them, and the sessions share the memory of the new list. The
/// cache determines no output. Only the loop's thread uses it.
final class OperationCache {
    /// The most reports and the most edits that the cache keeps.
    private static let entriesMax = 8

    private struct Report {
        var items: [ItemChange]
        var parameters: [LoadParameter]
        var subject: String?
        var areOwn: Bool
        var reported: ReportedOperations
    }

    private struct Edit {
        var operations: [ReportedOperation]
        var held: [HeldItem]
        var digest: UInt64
        var count: Int
        var rules: ListEdit.Rules
        var applied: AppliedEdit
    }

    // The newest is last. Arrays that are shared are found to be equal without a comparison of
    // their elements.
    private let reports = UnsafeBox([Report]())
    private let edits = UnsafeBox([Edit]())
    /// How many edits were made, and not found in the cache.
    private(set) var madeCount = 0

    /// Returns the operations of a change for the views with these parameters, in the order of a
    /// `FeedUse`, in sessions of the subject.
    func operations(
        of items: [ItemChange], parameters: [LoadParameter], subject: String?, areOwn: Bool
    ) -> ReportedOperations {
        // Most reports are for the sessions of all subjects.
        let subject = items.contains { $0.subject != nil } ? subject : nil
        for index in reports.value.indices.reversed()
        where reports.value[index].items == items && reports.value[index].areOwn == areOwn
            && reports.value[index].parameters == parameters
            && reports.value[index].subject.hasBytes(of: subject)
        {
            return reports.value[index].reported
        }
        let reported = ReportedOperations(
            of: items, parameters: parameters, subject: subject, areOwn: areOwn)
        if reports.value.count == Self.entriesMax { reports.value.removeFirst() }
        reports.value.append(
            Report(
                items: items, parameters: parameters, subject: subject, areOwn: areOwn,
                reported: reported))
        return reported
    }

    /// Returns what operations make of a list; nil if they cannot be applied to it.
    func edit(
        _ list: HashedItems, by operations: [ReportedOperation], held: [HeldItem],
        _ rules: ListEdit.Rules
    ) -> AppliedEdit? {
        for index in edits.value.indices.reversed()
        where edits.value[index].digest == list.digest && edits.value[index].count == list.count
            && edits.value[index].rules == rules && edits.value[index].operations == operations
            && edits.value[index].held == held
        {
            return edits.value[index].applied
        }
        guard let edit = ListEdit.applying(operations, to: list, held: held, by: rules) else {
            return nil
        }
        madeCount += 1
        let applied = AppliedEdit(edit, of: list)
        if edits.value.count == Self.entriesMax { edits.value.removeFirst() }
        edits.value.append(
            Edit(
                operations: operations, held: held, digest: list.digest, count: list.count,
                rules: rules, applied: applied))
        return applied
    }
}

/// The operations of a change that concern a view.
struct ReportedOperations {
    private(set) var operations: [ReportedOperation] = []
    /// Whether the operations state the whole change.
    private(set) var isWhole = true
    /// What the operations do to a list.
    let effect: ListVerification.Effect
    /// Whether there are not too many of them, and not too long ones.
    let areWithinBounds: Bool

    fileprivate init(
        of items: [ItemChange], parameters: [LoadParameter], subject: String?, areOwn: Bool
    ) {
        let own = parameters.sorted { $0.name < $1.name }
        for change in items where change.concerns(subject) {
            let isOther = change.parameters != own
            for operation in change.operations {
                guard !isOther || operation.kind == .update || operation.kind == .remove else {
                    isWhole = false
                    continue
                }
                operations.append(
                    ReportedOperation(
                        operation: operation, isOfOtherQuery: isOther, isOwn: areOwn))
            }
        }
        effect = operations.effect
        areWithinBounds = LiveItems(waiting: operations).isWithinBounds
    }
}

extension ItemChange {
    /// Whether the change concerns the sessions of a subject.
    func concerns(_ subject: String?) -> Bool {
        self.subject == nil || self.subject.hasBytes(of: subject)
    }
}

/// What operations make of a list.
final class AppliedEdit {
    let edit: ListEdit
    /// Whether operations still wait, or arrivals are held back.
    let hasRest: Bool
    /// Whether the client gets a message.
    let hasMessage: Bool
    /// Whether the last item of a list with further pages has left its place, and the next page is
    /// found by a cursor. The cursor usually belongs to this item.
    let losesCursor: Bool
    /// What the engine must know. Each session sets `load` and `countChange` for itself.
    let event: AppliedOperations
    /// The new list, in the order of the client's array.
    let list: HashedItems
    /// The end of the message `items`, from its member `mode` on.
    private lazy var messageEnd = ServerText.endOfItems(
        edit.sent, count: list.count, hasMore: edit.rules.hasMore)
    /// The newest message.
    private var message: (load: LoadID, view: ViewID, text: [UInt8])?

    /// `list` is the list before the edit.
    init(_ edit: ListEdit, of list: HashedItems) {
        self.edit = edit
        self.list = edit.list
        let end = edit.rules.isReversed ? list.keys.first : list.keys.last
        losesCursor =
            edit.rules.hasCursor && edit.rules.hasMore
            && edit.sent.contains {
                ($0.kind == .remove || $0.kind == .move) && $0.key.hash == end
            }
        hasRest = !edit.held.isEmpty || !edit.later.isEmpty || !edit.removedByAuthor.isEmpty
        hasMessage = !edit.sent.isEmpty
        event = AppliedOperations(
            countChange: 0, shift: edit.shift, isStructural: edit.isStructural,
            heldCount: edit.held.count, load: nil)
    }

    /// Returns the message `items` for a view. Views with equal names and loads share its memory.
    func text(_ load: LoadID, ofView view: ViewID) -> [UInt8] {
        if let message, message.load == load, message.view == view { return message.text }
        let text = ServerText.items(load, endingWith: messageEnd, view: view)
        message = (load, view, text)
        return text
    }
}
