import RefreshEngine
import RefreshProtocol

extension Profile {
    /// The name of the default indicator of the profile's edges. Source: docs/indicators.md, "Built
    /// in".
    func indicator(of role: EdgeRole) -> String {
        switch (self, role) {
        case (.iqpulltorefresh, _): "indicator"
        case (.mrefresh, .refresh), (.mrefresh2, .refresh): "path"
        case (.appcoda, .refresh): "letters"
        case (.jackrabbit, .refresh): "compass"
        default: "spinner"
        }
    }
}
