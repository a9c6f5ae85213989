/// Valid but unusual answers, and broken answers.
enum OddJSON {
    /// Items with numbers, escapes and spaces that an encoder would write in another form.
    static let items = #"[ {"n":1.50e+1, "s":"\u0041\/é","t":[ ] } ,-0, 9007199254740993,null ]"#

    /// The same items as joined by a backend that stores them separately.
    static let joinedItems =
        #"[{"n":1.50e+1, "s":"\u0041\/é","t":[ ] },-0,9007199254740993,null]"#

    static let envelope = #"{"more": false, "items": \#(items), "else": {"items": 1}}"#

    /// The same item twice.
    static let twins = #"[{"id":1},{"id":1}]"#

    /// The text of a broken answer.
    static func broken(_ behaviour: Behaviour) -> String {
        switch behaviour {
        case .garbage: "<html>502</html>"
        case .wrongTypes: #"{"items":[1],"more":"yes"}"#
        default: #"{"items":[{"id":1},{"i"#
        }
    }
}
