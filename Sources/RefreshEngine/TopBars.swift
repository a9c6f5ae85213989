import RefreshProtocol

/// The bars that cover the top of a view: a status bar and a navigation bar. All values are in
/// points.
///
/// If there is no status bar and the navigation bar is at the top, only the navigation bar's height
/// is encoded, as one number. Daemons of older versions always wrote this form. In all other cases,
/// the bars are encoded as `[status, y, height]`.
struct TopBars: Hashable, Sendable {
    private var status = 0.0
    private var navigationY = 0.0
    private var navigationHeight = 0.0

    /// The distance from the top of the view to the bottom of the lower bar.
    var bottom: Double { max(status, navigationY + navigationHeight) }

    mutating func merge(_ bars: Bars) {
        status = bars.status ?? status
        navigationY = bars.navigationY ?? navigationY
        navigationHeight = bars.navigationHeight ?? navigationHeight
    }
}

/// A search bar, which is below the other bars. While it is active, it covers a part of the view.
/// All values are in points.
///
/// If the bar is active with a height above 0, or inactive with a height of 0, only its height is
/// encoded, as one number. Daemons of older versions always wrote this form. In all other cases,
/// the bar is encoded as `[height, 0 or 1]`.
struct SearchBar: Hashable, Sendable {
    private var height = 0.0
    private var isActive = false

    var room: Double { isActive ? height : 0 }

    mutating func merge(_ bars: Bars) {
        height = bars.searchHeight ?? height
        isActive = bars.isSearchActive ?? isActive
    }
}

extension TopBars: Codable {
    init(from decoder: any Decoder) throws {
        if let height = try? decoder.singleValueContainer().decode(Double.self) {
            navigationHeight = height
            return
        }
        var members = try decoder.unkeyedContainer()
        status = try members.decode(Double.self)
        navigationY = try members.decode(Double.self)
        navigationHeight = try members.decode(Double.self)
    }

    func encode(to encoder: any Encoder) throws {
        if status == 0, navigationY == 0 {
            var container = encoder.singleValueContainer()
            return try container.encode(navigationHeight)
        }
        var members = encoder.unkeyedContainer()
        try members.encode(status)
        try members.encode(navigationY)
        try members.encode(navigationHeight)
    }
}

extension SearchBar: Codable {
    init(from decoder: any Decoder) throws {
        if let room = try? decoder.singleValueContainer().decode(Double.self) {
            height = room
            isActive = room > 0
            return
        }
        var members = try decoder.unkeyedContainer()
        height = try members.decode(Double.self)
        isActive = try members.decode(Int.self) != 0
    }

    func encode(to encoder: any Encoder) throws {
        if isActive == (height > 0) {
            var container = encoder.singleValueContainer()
            return try container.encode(height)
        }
        var members = encoder.unkeyedContainer()
        try members.encode(height)
        try members.encode(isActive ? 1 : 0)
    }
}
