package import RefreshProtocol

/// How strict a schema is, and for whom it is written.
package struct SchemaStyle: Sendable {
    /// Members that are not named are refused: for what this daemon says, which its page names
    /// wholly. Others may say more than they must, and readers pass that over.
    package var isClosed: Bool
    /// The limits in force; nil: those that an operator may choose bound nothing.
    package var limits: Limits?
    /// Within an AsyncAPI document: its readers know JSON Schema as of draft 7, where a tuple is
    /// told otherwise, and look for definitions elsewhere.
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

    /// Where definitions stand.
    var definitions: String {
        isAsyncAPI ? "#/components/schemas/" : SchemaKeyword.definitionsPrefix
    }
}
