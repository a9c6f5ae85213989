import RefreshProtocol

/// The line protocol of workers. Source: docs/backends.md, "The line protocol".
extension Contract {
    static let workerMessages: [MessageShape] = [
        worker(
            "register", "authenticates a worker and names its feeds; the first message, sent once",
            [
                .required("token", .string), .required("feeds", .list(.string)),
                ShapeField(
                    "capacity", .whole(1...1000), "the maximum number of loads at the same time"),
                ShapeField("edits", .flag, "whether the worker performs edits"),
            ], #"{"type":"register","token":"secret","feeds":["songs"],"capacity":4}"#),
        worker(
            "page", "the items of a load",
            [
                id, .required("items", .list(.anything)), ShapeField("more", .flag),
                ShapeField("next", .string), ShapeField("total", .count),
                ShapeField("maxAgeMs", .count),
            ],
            #"{"type":"page","id":"17","items":[{"title":"A"},{"title":"B"}],"more":false}"#),
        worker(
            "edited", "the edit was performed",
            [id, ShapeField("item", .named(.anything), "the item as it is now")],
            #"{"type":"edited","id":"18","item":{"id":7,"title":"A"}}"#),
        worker(
            "failed", "the load failed",
            [
                id, ShapeField("message", .string), ShapeField("temporary", .flag),
                ShapeField("retryAfterMs", .count),
            ], #"{"type":"failed","id":"17","message":"No such song.","temporary":false}"#),
        worker(
            "progress", "the progress of the load", [id, .required("progress", .part)],
            #"{"type":"progress","id":"17","progress":0.5}"#),
        worker(
            "changed", "the feed has newer data",
            [
                .required("feed", .string),
                ShapeField("count", .count, "the number of added items"),
                ShapeField("operations", .list(operation), "what has happened to the items"),
                ShapeField("parameters", .named(.anything), "the query whose list has changed"),
                ShapeField("subject", .string, "only the sessions of this subject are concerned"),
            ],
            #"{"type":"changed","feed":"songs","count":3}"#,
            #"{"type":"changed","feed":"songs","operations":[{"remove":7}]}"#),
    ]

    static let brokerMessages: [MessageShape] = [
        broker(
            "registered", "the answer to `register`",
            [.required("worker", .string), .required("heartbeatMs", .count)],
            #"{"type":"registered","worker":"w1","heartbeatMs":25000}"#),
        broker(
            "load", "asks the worker for the items of a load", request,
            #"{"type":"load","id":"17","key":"9f2c-1.3","attempt":1,"deadlineMs":29990,"feed":"songs","#
                + #""kind":"more","trigger":"reachAtEnd","page":2,"offset":20,"size":20,"cursor":"20"}"#
        ),
        broker(
            "edit", "asks the worker to perform an edit", edit,
            #"{"type":"edit","id":"18","key":"edit-5e88","attempt":1,"deadlineMs":29990,"#
                + #""feed":"songs","operation":{"remove":7}}"#),
        broker(
            "cancel", "no session waits for the load any more", [id],
            #"{"type":"cancel","id":"17"}"#),
        broker("bye", "no more loads follow", [], #"{"type":"bye"}"#),
    ]

    private static func worker(
        _ type: String, _ meaning: String, _ fields: [ShapeField], _ examples: String...
    ) -> MessageShape {
        MessageShape(.worker, type, meaning, fields, examples: examples)
    }

    private static func broker(
        _ type: String, _ meaning: String, _ fields: [ShapeField], _ example: String
    ) -> MessageShape {
        MessageShape(.broker, type, meaning, fields, examples: [example])
    }

    private static let id = ShapeField.required(
        "id", .string, "the identifier of the load at this worker")

    private static let edit: [ShapeField] = [
        id, .required("key", .string, "a key that every attempt at one edit has in common"),
        .required("attempt", .count), .required("deadlineMs", .count), .required("feed", .string),
        .required("operation", .named(.anything)), ShapeField("parameters", .named(.anything)),
        ShapeField("headers", .named(.string)), ShapeField("subject", .string),
    ]

    private static let request: [ShapeField] = [
        id, .required("key", .string, "a key that every attempt at one load has in common"),
        .required("attempt", .count), .required("deadlineMs", .count), .required("feed", .string),
        .required("kind", .words(LoadKind.self)), .required("trigger", .words(LoadTrigger.self)),
        .required("page", .count), .required("offset", .count), .required("size", .count),
        ShapeField("cursor", .string), ShapeField("parameters", .named(.anything)),
        ShapeField("headers", .named(.string)), ShapeField("subject", .string),
    ]
}
