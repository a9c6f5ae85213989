/// The input of the originals (the libraries IQPullToRefresh and MRefresh): sizes, settings and
/// events. The format is called `oracle-trace/1`.
struct OracleTrace: Decodable {
    struct Extent: Decodable { var width: Double, height: Double }
    struct Point: Decodable { var x: Double, y: Double }
    struct Insets: Decodable { var top = 0.0, left = 0.0, bottom = 0.0, right = 0.0 }

    struct Geometry: Decodable {
        var direction: String
        var viewport: Extent
        var contentSize: Extent
        var contentInset: Insets
        var safeArea: Insets
        var initialOffset: Point
    }

    /// A control of IQPullToRefresh. If a value is nil, the default of the control's kind applies.
    struct Control: Decodable {
        var kind: String
        var refreshLength: Double?
        var mode: String?
        var style: String?
        var preloadOffset: Double?
        var initialState: String?
    }

    struct Delegate: Decodable {
        /// The delegate's answer to a request: it begins the load (`success`), refuses it
        /// (`failure`), or does not answer (`none`).
        var begin: String
        /// When a load finishes: by an event of the trace (`event`), or at its beginning (`sync`).
        var finish: String
    }

    struct Wrapper: Decodable {
        var pageOffsetStyle: String
        var pageSize: Int
    }

    struct IQ: Decodable {
        var refreshControl: Control
        var loadMoreControl: Control
        var enableRefresh: Bool
        var enableLoadMore: Bool
        var delegate: Delegate
        var wrapper: Wrapper?
    }

    struct MR: Decodable {
        var viewHeight: Double
        var heightIncrease: Double
        var animationEndDistanceOffset: Double
        var animationStartDistance: Double
        var loadingContentInset: Double
        var animationDistance: Double
        var animationStart: Double
        var finishInHandler: Bool
    }

    struct Settings: Decodable {
        var iqpulltorefresh: IQ?
        var mrefresh: MR?
    }

    /// One event. Its values depend on `type`.
    struct Event: Decodable {
        var t: Double
        var type: String
        var x: Double?
        var y: Double?
        var width: Double?
        var height: Double?
        var top: Double?
        var left: Double?
        var bottom: Double?
        var right: Double?
        var value: Bool?
        var success: Bool?
        var decelerate: Bool?
        var draggingStaysTrue: Bool?
        var dragging: Bool?
        var tracking: Bool?
        var decelerating: Bool?
        var call: Int?
        var request: Int?
        var count: Int?
        var refreshLength: Double?
        var initialState: String?
    }

    var name: String
    /// The names of the originals that can run the trace.
    var peers: [String] = []
    var geometry: Geometry
    var config: Settings
    var events: [Event]

    var isHorizontal: Bool { geometry.direction == "horizontal" }
}
