package import RefreshProtocol

/// The strictness of a schema, and the kind of document that contains it.
package struct SchemaStyle: Sendable {
    /// Whether unknown members are rejected. Rejection is correct for messages of this daemon,
    /// because docs/protocol.md names all their members. Other servers may send additional members,
    /// which clients ignore.
    package var isClosed: Bool
    /// The values of the configurable limits. Nil if these limits must not appear as bounds.
    package var limits: Limits?
    /// Whether the schema is part of an AsyncAPI document. Tools for AsyncAPI use draft 7 of JSON
    /// Schema, and all other schemas use the draft 2020-12. The two drafts have different syntaxes
    /// for tuples. In an AsyncAPI document, the definitions are in `components`.
    var isAsyncAPI = false

    package init(isClosed: Bool = false, limits: Limits? = nil) {
        self.isClosed = isClosed
        self.limits = limits
    }

    static let asyncAPI = {
        var style = SchemaStyle()
        style.isAsyncAPI = true
        return style
    }()

    /// The path prefix of definitions.
    var definitions: String {
        isAsyncAPI ? "#/components/schemas/" : SchemaKeyword.definitionsPrefix
    }
}
