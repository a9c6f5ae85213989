package import RefreshProtocol

/// How strict a schema is, and which kind of document it is written for.
package struct SchemaStyle: Sendable {
    /// Whether unnamed members are rejected. This suits the messages of this daemon, which its page
    /// names completely. Other servers may send more than required, and readers ignore that.
    package var isClosed: Bool
    /// The limits in force; nil if configurable limits must not bound anything.
    package var limits: Limits?
    /// Whether the schema is part of an AsyncAPI document. Its readers know JSON Schema draft 7,
    /// where tuples are written differently, and they look for definitions in another place.
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
