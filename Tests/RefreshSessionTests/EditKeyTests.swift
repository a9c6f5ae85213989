import RefreshBroker
import RefreshSession
import Testing

/// Source: docs/protocol.md, "Edits".
@Suite("The idempotency keys of edits")
struct EditKeyTests {
    @Test(
        "Edits with another subject, feed or name have another key of at most 128 ASCII characters")
    func different() {
        let fields: [(subject: String?, feed: String, edit: String)] = [
            (nil, "list", "edit-0001"), ("", "list", "edit-0001"), ("-", "list", "edit-0001"),
            ("ada", "list", "edit-0001"), ("ada", "list1", "edit-0001"),
            ("ada4:list", "list", "edit-0001"), ("ada", "list", "edit-0002"),
            ("ad", "alist", "edit-0001"), ("é", "list", "edit-0001"),
        ]
        let keys = fields.map {
            IdempotencyKey.text(edit: $0.edit, of: $0.feed, subject: $0.subject)
        }
        #expect(Set(keys).count == fields.count)
        for key in keys {
            #expect(key.utf8.count == 69 && key.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        }
    }

    @Test("The key of an edit is the same in each session, node and version")
    func stable() {
        let key = IdempotencyKey.text(edit: "edit-0001", of: "list", subject: "ada")
        #expect(key == IdempotencyKey.text(edit: "edit-0001", of: "list", subject: "ada"))
        #expect(key.hasPrefix("edit-"))
    }
}
