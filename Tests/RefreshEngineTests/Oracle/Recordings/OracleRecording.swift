/// The recorded behaviour of an original, event by event. The originals are the libraries
/// IQPullToRefresh and MRefresh. The formats are called `oracle-iqpulltorefresh/1` and
/// `oracle-mrefresh/1`.
struct OracleRecording: Decodable {
    var records: [Record]

    /// The recordings of the versions of MRefresh.
    struct Versions: Decodable { var runs: [String: OracleRecording] }

    struct Record: Decodable {
        /// The event's index in the trace; -1 for the set-up and for effects of a timer.
        var i: Int
        var event: String
        var effects: [Effect]
        var after: After
    }

    /// One effect of the original. Its values depend on `kind`.
    struct Effect: Decodable {
        var kind: String
        var control: String?
        var to: String?
        var progress: Number?
        var by: String?
        var top: Double?
        var left: Double?
        var bottom: Double?
        var right: Double?
        var name: String?
        var type: String?
        var call: Int?
        var state: String?
        var index: Int?
        var page: Int?
        var size: Int?
        var success: Bool?
        var count: Int?
        var proportion: Number?
    }

    struct Edge: Decodable {
        var enabled: Bool
        var state: String
        var proportion: Number?
        var length: Double?
    }

    struct Wrapper: Decodable { var state: String }

    /// The values that changed. Only MRefresh has `state` and `proportion`.
    struct After: Decodable {
        var refresh: Edge?
        var loadMore: Edge?
        var inset: [Double]?
        var offset: [Double]?
        var wrapper: Wrapper?
        var state: String?
        var stage: Int?
        var proportion: Number?
        var isAnimating: Bool?
        var isHidden: Bool?
    }

    /// A number that may be `"NaN"` or `"Infinity"`.
    struct Number: Decodable {
        var value: Double

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                value = Double(text) ?? .nan
            } else {
                value = try container.decode(Double.self)
            }
        }
    }
}
