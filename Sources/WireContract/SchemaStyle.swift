package import RefreshProtocol

/// The strictness of a schema, and the kind of document that contains it.
package struct SchemaStyle: Sendable {
    /// Whether unknown members are rejected. This fits the messages of this daemon, because its
    /// page names all members. Other servers may send additional members, and clients ignore these.
    package var isClosed: Bool
    /// The limits in force. Nil if configurable limits must not appear as bounds.
    package var limits: Limits?
    /// Whether the schema is part of an AsyncAPI document. Tools for AsyncAPI use JSON Schema draft
    /// 7. It has another syntax for tuples and another place for definitions.
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
