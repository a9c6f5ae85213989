internal import Foundation
import RefreshBroker
import RefreshProtocol

/// The lines `edited` and `edit` of a journal. Source: docs/journal.md.
extension ByteBuffer {
    mutating func writeEdited(
        _ view: UInt32, _ edit: String, _ outcome: EditOutcome, _ change: ItemChange?
    ) {
        append(literal: #""edited""#)
        appendMember("view", Int(view))
        appendMember("edit", edit)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        if let json = try? encoder.encode(outcome) {
            appendMember("outcome", String(decoding: json, as: UTF8.self))
        }
        if let change { append([change]) }
    }
}

extension JournalMembers {
    func edited() throws(JournalLineError) -> SessionInput {
        let json = Data(try text("outcome").utf8)
        guard let outcome = try? JSONDecoder().decode(EditOutcome.self, from: json) else {
            throw JournalLineError("has an invalid `outcome`")
        }
        return .edited(
            view: try generation(), edit: try text("edit"), outcome,
            try itemChangesIfAny()?.first)
    }

    func edit() throws(JournalLineError) -> JournalOutput {
        .edit(
            view: try generation(), edit: try text("edit"), key: try text("key"),
            operation: Array(try text("operation").utf8), deadlineMs: try integer("deadlineMs"))
    }

    private func generation() throws(JournalLineError) -> UInt32 {
        guard let view = UInt32(exactly: try integer("view")) else {
            throw JournalLineError("has an invalid `view`")
        }
        return view
    }
}
