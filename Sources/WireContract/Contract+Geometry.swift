import RefreshProtocol

/// Sizes and positions. Source: docs/protocol.md, "geometry".
extension Contract {
    static let geometryParts = [
        Definition(
            "size", "Width and height, points.",
            .object(["width", "height"].map { ShapeField($0, .orNull(.length), "the \($0)") })),
        Definition(
            "sides", "Points at each side.",
            .object(
                ["top", "left", "bottom", "right"].map {
                    ShapeField($0, .orNull(.points), "the inset at this side")
                })),
        Definition("bars", "The bars that cover the top of a view.", .object(bars)),
        Definition(
            "anchor", "A visible item, and the position at which it begins.",
            .object([
                .required("id", .string, "the client's name for the item"),
                .required("position", .points, "where the item begins"),
            ])),
        Definition(
            "visibleRows", "The rows in sight, counted from 0, the first row of the feed.",
            .object([
                .required("first", .whole(0...VisibleRows.rowMax), "the first row"),
                .required("last", .whole(0...VisibleRows.rowMax), "the last row"),
            ])),
        Definition(
            "geometry", "Sizes and positions; a member that is left out keeps its value.",
            .object(geometry)),
    ]

    /// The members of a geometry, which is also the content of the `geometry` message.
    static let geometry = [
        ShapeField("viewport", .reference("size"), "visible size of the scroll view"),
        ShapeField("content", .reference("size"), "size of the content"),
        ShapeField("insets", .reference("sides"), "the host's own content insets"),
        ShapeField("safeArea", .reference("sides"), "the safe area"),
        ShapeField("bars", .orNull(.reference("bars")), "the bars that cover the top of the view"),
        ShapeField("direction", .words(LayoutDirection.self), "the side at which lines begin"),
        ShapeField(
            "scale", .number(Shape.NumberBounds(most: 100, above: 0)), "device pixels per point"),
        ShapeField("offset", .points, "the content offset after the change"),
        ShapeField("anchor", .reference("anchor"), "the item that stays in its place"),
    ]

    /// The rows in sight, in the messages `scroll` and `geometry`.
    static let visible = ShapeField(
        "visible", .orNull(.reference("visibleRows")), "the rows in sight",
        need: .named(.visibleRange))

    private static let bars = [
        ShapeField("status", .orNull(.length), "the height of the status bar"),
        ShapeField(
            "navigation",
            .orNull(
                .object([
                    ShapeField("y", .orNull(.points), "its upper end"),
                    ShapeField("height", .orNull(.length), "its height"),
                ])), "the navigation bar"),
        ShapeField(
            "search",
            .orNull(
                .object([
                    ShapeField("height", .orNull(.length), "its height"),
                    ShapeField("active", .orNull(.flag), "whether it is shown"),
                ])), "the search bar"),
    ]
}
