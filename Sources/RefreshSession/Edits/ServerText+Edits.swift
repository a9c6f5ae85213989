import RefreshBroker
import RefreshProtocol

extension ServerText {
    /// The start of each message `edited`.
    static let editedStart = Array(#"{"type":"edited","#.utf8)

    /// The answer to an edit; nil if the client must send the edit again.
    static func edited(_ edit: String, _ outcome: EditOutcome, view: ViewID) -> [UInt8]? {
        switch outcome {
        case .confirmed: return edited(edit, "confirmed", view: view) { _ in }
        case .replaced(let item):
            return edited(edit, "replaced", view: view) { out in
                out.beginMember("key")
                out.append(item.key.text)
            }
        case .failed(let failure):
            return edited(edit, "rolledBack", view: view) { out in
                out.appendMember("code", failure.code.rawValue)
                out.appendMember("message", failure.message)
                out.appendMember("temporary", failure.isTemporary)
            }
        case .cancelled: return nil
        }
    }

    /// The answer to an edit that is not performed.
    static func edited(_ edit: String, _ refusal: EditRefusal, view: ViewID) -> [UInt8] {
        edited(edit, "rolledBack", view: view) { out in
            out.appendMember("code", refusal.rawValue)
            out.appendMember("message", refusal.message)
            out.appendMember("temporary", refusal.isTemporary)
        }
    }

    private static func edited(
        _ edit: String, _ result: String, view: ViewID, _ members: (inout ByteBuffer) -> Void
    ) -> [UInt8] {
        object(type: "edited") { out in
            out.appendMember("view", view)
            out.appendMember("edit", edit)
            out.appendMember("result", result)
            members(&out)
        }
    }
}
