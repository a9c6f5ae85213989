import RefreshProtocol

/// The message `items` with operations. Source: docs/protocol.md, "Live items".
extension Contract {
    static let liveItems: [ShapeField] =
        [
            viewName, loadName,
            ShapeField(
                "mode", .word(["patch"]), "the list is stated by what differs", isRequired: true,
                need: .named(.live)),
            .required("count", .count, "the number of items"),
            .required("more", .flag, "whether another page exists"),
            ShapeField(
                "operations", .list(operation),
                "what happens to the items of the list, one after another", isRequired: true,
                need: .named(.live)),
        ]

    static let operation = Shape.either(operations.map { .object($0) })

    /// The operation of an edit.
    static let editOperation = Shape.either((operations + [[refresh]]).map { .object($0) })

    /// An operation has the members of one of these forms.
    private static let operations = ShapeField.exclusive(
        [insert, move].flatMap { change in places.map { [change, $0] } } + [[update], [remove]])

    private static let insert = ShapeField.required("insert", .anything, "a new item")
    private static let move = ShapeField.required(
        "move", .anything, "the key of the item that moves")
    private static let update = ShapeField.required(
        "update", .anything, "the item that takes the place of the one with its key")
    private static let remove = ShapeField.required(
        "remove", .anything, "the key of the item that is removed")

    private static let refresh = ShapeField.required(
        "refresh", .anything, "the key of the item that is requested anew")

    private static let places: [ShapeField] = [
        .required("at", .word(["start", "end"]), "the start or the end of the list"),
        .required("before", .anything, "the key of the next item"),
        .required("after", .anything, "the key of the previous item"),
    ]
}
