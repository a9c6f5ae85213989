import RefreshProtocol

/// The edits of a view that have no answer, and the list that shows them. Source:
/// docs/protocol.md, "Edits".
struct PendingEdits: Hashable, Sendable {
    private struct Entry: Hashable {
        var edit: PendingEdit
        /// The number of the message on this connection; nil if it was not sent on it.
        var seq: UInt64?
        /// Whether the edit was sent on any connection, so that the daemon may perform it.
        var wasSent = false
        /// Whether the edit is one of an earlier process, which may have sent it.
        var isRestored = false
    }

    /// The largest number of edits of a view without an answer. More are not accepted.
    static let countMax = 256
    /// The number of edits that the daemon lets wait. The others are sent when it has answered.
    static let sentMax = 32

    /// In the order in which they were made.
    private var entries: [Entry] = []
    /// The place of the key in an item; nil: the items have no keys.
    private var pointer: JSONPointer?
    /// The operations that the feed accepts.
    private(set) var accepted: Set<EditOperation.Kind> = []
    private let isReversed: Bool
    /// The list with the edits; nil if no edit changes it.
    private(set) var items: [JSONValue]?

    init(isReversed: Bool) { self.isReversed = isReversed }

    var edits: [PendingEdit] { entries.map(\.edit) }

    /// Handles `attached`. The edits are sent again.
    mutating func attach(_ message: JSONValue) {
        pointer = message["itemKey"]?.string.flatMap { JSONPointer($0) }
        accepted = Set(
            (message["edits"]?.array ?? []).compactMap {
                $0.string.flatMap(EditOperation.Kind.init)
            })
        for index in entries.indices { entries[index].seq = nil }
    }

    // MARK: The list

    /// Applies the edits to the list of the daemon. An edit that does not fit is left out.
    mutating func apply(to list: [JSONValue]) {
        guard let pointer, !entries.isEmpty else {
            items = nil
            return
        }
        var edited = KeyedList(list, keyAt: pointer)
        for entry in entries {
            var operation = entry.edit.operation
            if let item = operation["insert"], edited.hasKey(of: item) {
                operation = .object([.init("update", item)])
            }
            // `start` is the end of the list that has the refresh edge.
            if isReversed, let end = operation["at"]?.string {
                operation["at"] = .string(end == "start" ? "end" : "start")
            }
            _ = edited.apply(operation)
        }
        items = edited.items
    }

    // MARK: The user

    /// Why an edit is refused; nil if it is not.
    func refusal(of edit: PendingEdit, _ operation: EditOperation) -> EditError? {
        guard ItemEdit.isName(edit.id) else { return .invalidName }
        guard !entries.contains(where: { $0.edit.id == edit.id }) else { return .nameInUse }
        guard accepted.contains(operation.kind), let pointer else {
            return .notAccepted(operation.kind)
        }
        guard (0...ItemEdit.delayMsMax).contains(edit.delayMs) else { return .delayOutOfRange }
        guard edit.operation.text.utf8.count <= ItemEdit.operationBytesMax else { return .tooLarge }
        guard operation.hasKeys(at: pointer) else { return .missingKey }
        return entries.count < Self.countMax ? nil : .tooManyEdits
    }

    mutating func add(_ edit: PendingEdit) { entries.append(Entry(edit: edit)) }

    /// What the undo of an edit needs.
    enum Undo: Hashable {
        /// Nothing: there is no such edit, or `undo` follows the edit when that is sent.
        case nothing
        /// The edit was never sent, and is dropped.
        case dropped
        /// A message.
        case message
    }

    /// Undoes an edit.
    mutating func undo(_ id: String) -> Undo {
        guard let index = entries.firstIndex(where: { $0.edit.id == id }) else { return .nothing }
        guard entries[index].wasSent else {
            entries.remove(at: index)
            return .dropped
        }
        entries[index].edit.isUndone = true
        return entries[index].seq == nil ? .nothing : .message
    }

    // MARK: The daemon

    /// The next edit to send on this connection, and whether it may have been sent before; nil if
    /// there is none, or if the daemon has enough.
    var next: (edit: PendingEdit, isRepeated: Bool)? {
        entries.prefix(Self.sentMax).first { $0.seq == nil }.map { entry in
            (entry.edit, entry.wasSent || entry.isRestored)
        }
    }

    /// Records that an edit was sent with this number.
    mutating func recordSent(_ id: String, seq: UInt64) {
        guard let index = entries.firstIndex(where: { $0.edit.id == id }) else { return }
        entries[index].seq = seq
        entries[index].wasSent = true
    }

    /// Drops an edit. Returns whether there was one.
    mutating func drop(_ id: String) -> Bool {
        let count = entries.count
        entries.removeAll { $0.edit.id == id }
        return entries.count < count
    }

    /// The edit that was sent with this number on this connection; nil if there is none.
    func edit(sentAs seq: Double?) -> PendingEdit? {
        entries.first { entry in entry.seq.map { Double($0) == seq } ?? false }?.edit
    }

    // MARK: The end of the process

    /// The edits for the next process; nil if it needs none.
    var saved: JSONValue? {
        guard !entries.isEmpty, let pointer else { return nil }
        let edits = entries.map { entry in
            JSONValue.object([
                .init("edit", .string(entry.edit.id)), .init("operation", entry.edit.operation),
                .init("delayMs", .number(Double(entry.edit.delayMs))),
                .init("undone", .bool(entry.edit.isUndone)), .init("sent", .bool(entry.wasSent)),
            ])
        }
        return .object([
            .init("itemKey", .string(pointer.text)),
            .init("accepted", .array(accepted.map(\.rawValue).sorted().map { .string($0) })),
            .init("pending", .array(edits)),
        ])
    }

    /// Continues with the edits of an earlier process.
    mutating func restore(_ saved: JSONValue) {
        pointer = saved["itemKey"]?.string.flatMap { JSONPointer($0) }
        accepted = Set(
            (saved["accepted"]?.array ?? []).compactMap {
                $0.string.flatMap(EditOperation.Kind.init)
            })
        for edit in saved["pending"]?.array ?? [] {
            guard let id = edit["edit"]?.string, ItemEdit.isName(id),
                let operation = edit["operation"], entries.count < Self.countMax
            else { continue }
            let delay = edit["delayMs"]?.integer(in: 0...ItemEdit.delayMsMax) ?? 0
            var entry = Entry(
                edit: PendingEdit(id: id, operation: operation, delayMs: delay))
            entry.edit.isUndone = edit["undone"]?.bool ?? false
            entry.wasSent = edit["sent"]?.bool ?? true
            entry.isRestored = true
            entries.append(entry)
        }
    }
}
