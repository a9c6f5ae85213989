/// The colours of a contact sheet.
package enum PlotTheme: String, CaseIterable, Sendable {
    case light, dark

    var paper: String { self == .light ? "#ffffff" : "#141619" }
    /// The background of a frame.
    var cell: String { self == .light ? "#f3f5f8" : "#20242a" }
    var line: String { self == .light ? "#dfe3ea" : "#343a43" }
    var ink: String { self == .light ? "#16191d" : "#f1f3f6" }
    var faintInk: String { self == .light ? "#6b7480" : "#98a1ad" }
    /// A substitute for the client's tint, the colour of layers without a colour.
    var tint: String { self == .light ? "#2460b8" : "#7db2ff" }
}
