import RefreshProtocol

/// The messages about edits. Source: docs/protocol.md, "Edits".
extension Contract {
    /// The members of `edit` beside those of its header.
    static let editFields: [ShapeField] = [
        editName,
        .required("operation", editOperation, "what happens to the list"),
        ShapeField(
            "delayMs", .whole(0...ItemEdit.delayMsMax, in: .milliseconds),
            "the time in which the user can undo the edit"),
        ShapeField("repeated", .flag, "whether the client may have sent the edit before"),
    ]

    /// The name of an edit.
    static let editName = ShapeField.required(
        "edit",
        .text(
            Shape.TextBounds(
                least: ItemEdit.nameBytes.lowerBound, most: ItemEdit.nameBytes.upperBound,
                pattern: "^[A-Za-z0-9_-]+$")),
        "the client's name for the edit")

    static let editExample =
        #""edit":"6f0c8a52-91d4","operation":{"insert":{"id":"m9","text":"hello"},"at":"start"}"#

    static let edited = MessageShape(
        .daemon, "edited", "the answer to an edit",
        forms: ShapeField.exclusive([
            edited("confirmed", []),
            edited("replaced", [.required("key", .anything, "the key of the item as it is now")]),
            edited(
                "rolledBack",
                [
                    .required(
                        "code",
                        .either([.reference("faultCode"), .words(EditRefusal.self)]),
                        "why the operation is not confirmed"),
                    .required("message", .string, "one sentence for the log"),
                    .required(
                        "temporary", .flag, "whether the same operation may succeed later"),
                    ShapeField(
                        "outcomeUnknown", .flag,
                        "the backend may have performed the operation"),
                ]),
        ]),
        examples: [
            #"{"type":"edited","view":"chat","edit":"6f0c8a52-91d4","result":"replaced","#
                + #""key":"m1234"}"#,
            #"{"type":"edited","view":"chat","edit":"6f0c8a52-91d4","result":"rolledBack","#
                + #""code":"undone","message":"The edit was undone.","temporary":false}"#,
            #"{"type":"edited","view":"chat","edit":"6f0c8a52-91d4","result":"rolledBack","#
                + #""code":"backendTimedOut","message":"No answer arrived in time.","#
                + #""temporary":true,"outcomeUnknown":true}"#,
        ], need: .named(.edits))

    private static func edited(_ result: String, _ fields: [ShapeField]) -> [ShapeField] {
        [
            viewName, editName,
            .required("result", .constant(.string(result)), "what has become of the edit"),
        ] + fields
    }
}
