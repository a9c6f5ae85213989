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
        case .failed(let failure): return edited(edit, failure, view: view)
        case .unknown(let failure):
            return edited(edit, failure, isOutcomeUnknown: true, view: view)
        case .cancelled: return nil
        }
    }

    /// The answer to an edit that is not performed.
    static func edited(_ edit: String, _ refusal: EditRefusal, view: ViewID) -> [UInt8] {
        rolledBack(
            edit, code: refusal.rawValue, refusal.message, isTemporary: refusal.isTemporary,
            view: view)
    }

    /// The answer to an edit whose message has a fault.
    static func edited(_ edit: String, _ fault: FaultCode, view: ViewID) -> [UInt8] {
        rolledBack(
            edit, code: fault.rawValue, fault.message, isTemporary: fault.isTemporary, view: view)
    }

    private static func edited(
        _ edit: String, _ failure: LoadFailure, isOutcomeUnknown: Bool = false, view: ViewID
    ) -> [UInt8] {
        rolledBack(
            edit, code: failure.code.rawValue, failure.message, isTemporary: failure.isTemporary,
            isOutcomeUnknown: isOutcomeUnknown, view: view)
    }

    private static func rolledBack(
        _ edit: String, code: String, _ message: String, isTemporary: Bool,
        isOutcomeUnknown: Bool = false, view: ViewID
    ) -> [UInt8] {
        edited(edit, "rolledBack", view: view) { out in
            out.appendMember("code", code)
            out.appendMember("message", message)
            out.appendMember("temporary", isTemporary)
            if isOutcomeUnknown { out.appendMember("outcomeUnknown", true) }
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
