internal import RefreshProtocol

/// The predefined variables of every case. Source: docs/conformance.md, "Writing cases".
enum ConformanceVariables {
    static let all: [String: JSONValue] = values.mapValues { text in
        (try? JSONValue(parsing: text)) ?? .null
    }

    private static let values = [
        // A viewport with longer content. The load-more threshold is at 1200 or more.
        "size":
            #"{"viewport":{"width":390,"height":800},"content":{"width":390,"height":2000}}"#,
        // A refresh edge without delays, so that a case does not wait for minimum display times.
        "quick":
            #"{"length":60,"hysteresis":0,"slop":0,"minVisible":0,"successHold":0,"failureHold":0,"closing":"atOnce","insetDuration":100,"offsetDuration":100}"#,
        // A load-more edge whose threshold is the end of the content.
        "end":
            #"{"length":60,"preload":0,"leadTime":null,"fill":0,"backOff":0,"insetDuration":100}"#,
    ]
}
