/// The members that one kind of object may have: a message, or an object within a message.
///
/// The decoder reads only the members that it needs; this table lists every member that has a
/// meaning. Source: docs/protocol.md, "Messages of the client".
struct KnownMembers: Sendable {
    /// The names of the members, in the order of the vocabulary.
    let names: [String]
    /// Names of members that have a meaning in other messages, but cannot be changed by this
    /// object.
    let fixed: [String]
    /// The members that contain objects, or arrays of objects.
    let inner: [String: KnownMembers]
    /// Whether the members are options.
    let isOptions: Bool
    /// The names that are in `Field`, as a mask.
    let mask: UInt64
    /// The fixed names that are in `Field`, as a mask.
    let fixedMask: UInt64

    private init(
        _ fields: [Field], and more: [String] = [], fixed: [Field] = [],
        inner: [String: KnownMembers] = [:]
    ) {
        names = fields.map(\.wireName) + more
        self.fixed = fixed.map(\.wireName)
        self.inner = inner
        isOptions = false
        mask = Self.mask(of: fields)
        fixedMask = Self.mask(of: fixed)
    }

    private init(
        options: [OptionField], fixed: [String] = [], inner: [String: KnownMembers] = [:]
    ) {
        names = options.map(\.wireName)
        self.fixed = fixed
        self.inner = inner
        isOptions = true
        mask = 0
        fixedMask = 0
    }

    private static func mask(of fields: [Field]) -> UInt64 {
        fields.reduce(0) { $0 | FieldTable.bit($1) }
    }

    // MARK: Objects within messages

    private static let size = KnownMembers([.width, .height])
    private static let insets = KnownMembers([.top, .left, .bottom, .right])
    private static let navigation = KnownMembers([.y, .height])
    private static let search = KnownMembers([.height, .active])
    private static let bars = KnownMembers(
        [.status, .navigation, .search], inner: ["navigation": navigation, "search": search])
    private static let anchor = KnownMembers([.id, .position])

    private static let geometryFields: [Field] = [
        .viewport, .content, .insets, .safeArea, .bars, .direction, .scale, .offset, .anchor,
    ]
    private static let geometryParts = [
        "viewport": size, "content": size, "insets": insets, "safeArea": insets, "bars": bars,
        "anchor": anchor,
    ]

    private static let floor = KnownMembers(
        options: OptionField.allCases.filter { $0.floorKind != nil })
    private static func edgeMembers(fixed: [String] = [], hasFeatures: Bool) -> KnownMembers {
        KnownMembers(
            options: OptionField.allCases.filter {
                $0.edgeKind != nil && (hasFeatures || !$0.needsFeatures)
            }, fixed: fixed, inner: ["floor": floor])
    }
    private static let pan = KnownMembers(
        options: OptionField.allCases.filter { $0.panKind != nil })
    private static func paging(hasRows: Bool) -> KnownMembers {
        KnownMembers(options: [.style, .first, .size] + (hasRows ? [.access] : []))
    }
    private static let rows = KnownMembers(options: [.first, .last])
    private static let frames = KnownMembers(options: [.mode, .rate, .language, .motion])

    private static let edgeFields: [Field] = [.top, .bottom, .leading, .trailing]
    private static func viewParts(_ edge: KnownMembers, hasRows: Bool) -> [String: KnownMembers] {
        Dictionary(uniqueKeysWithValues: edgeFields.map { ($0.wireName, edge) })
            .merging(["paging": paging(hasRows: hasRows), "pan": pan]) { first, _ in first }
    }

    private static let attachFields: [Field] =
        [.profile, .feed, .parameters, .geometry, .offset, .axis, .reversed] + edgeFields
        + [.paging, .pan, .attention, .haptics, .announcements]
    private static let geometry = KnownMembers(geometryFields, inner: geometryParts)
    private static func attach(hasFeatures: Bool, hasRows: Bool) -> KnownMembers {
        KnownMembers(
            header + attachFields,
            and: hasFeatures ? [OptionField.initial.wireName] : [],
            inner: viewParts(edgeMembers(hasFeatures: hasFeatures), hasRows: hasRows)
                .merging(["geometry": geometry]) { first, _ in first })
    }

    private static let resume = KnownMembers(
        [], and: HelloField.ofResume.map(\.wireName))

    /// The objects within messages that the decoder reads into tables of fields, by the field that
    /// contains the object.
    static let objects: [Field: KnownMembers] = [
        .viewport: size, .content: size, .insets: insets, .safeArea: insets, .bars: bars,
        .navigation: navigation, .search: search, .anchor: anchor, .geometry: geometry,
        .views: attach(hasFeatures: false, hasRows: false),
    ]

    // MARK: Messages

    private static let header: [Field] = [.type, .seq, .view, .generation]
    private static let sample: [Field] = [.t, .velocity, .cause, .from, .predicted]

    /// Returns the members of a message of a client with these features. If `features` is nil, the
    /// client has none.
    static func members(of type: MessageType, with features: ClientFeatures?) -> KnownMembers? {
        guard let features else { return messages[type] }
        let index =
            (features.contains(.query) ? 1 : 0) + (features.contains(.visibleRange) ? 2 : 0)
        return messagesWithFeatures[index][type]
    }

    /// The members by message type, for clients without features.
    static let messages = members(hasFeatures: false, hasQuery: false, hasRows: false)
    /// The members for clients with features. An index counts 1 for `query`, and 2 for
    /// `visibleRange`.
    private static let messagesWithFeatures = (0..<4).map {
        members(hasFeatures: true, hasQuery: $0 & 1 != 0, hasRows: $0 & 2 != 0)
    }

    private static func members(
        hasFeatures: Bool, hasQuery: Bool, hasRows: Bool
    ) -> [MessageType: KnownMembers] {
        Dictionary(
            uniqueKeysWithValues: MessageType.allCases.map {
                (
                    $0,
                    members(
                        of: $0, hasFeatures: hasFeatures, hasQuery: hasQuery, hasRows: hasRows)
                )
            })
    }

    private static func members(
        of type: MessageType, hasFeatures: Bool, hasQuery: Bool, hasRows: Bool
    ) -> KnownMembers {
        let visible = hasRows ? [OptionField.visible.wireName] : []
        switch type {
        case .hello:
            return KnownMembers(
                [.type, .protocol, .client, .frames, .headers, .views],
                and: HelloField.ofHello.filter { hasFeatures || $0 != .features }.map(\.wireName),
                inner: [
                    "frames": frames,
                    "views": attach(hasFeatures: hasFeatures, hasRows: hasRows), "resume": resume,
                ])
        case .attach: return attach(hasFeatures: hasFeatures, hasRows: hasRows)
        case .geometry:
            return KnownMembers(
                header + geometryFields, and: visible,
                inner: geometryParts.merging(["visible": rows]) { first, _ in first })
        case .scroll:
            return KnownMembers(
                header + ownFields(of: type), and: visible, inner: ["visible": rows])
        case .configure:
            return configure(hasFeatures: hasFeatures, hasQuery: hasQuery, hasRows: hasRows)
        case .ping: return KnownMembers([.type, .t])
        case .snapshot, .bye: return KnownMembers([.type])
        default: return KnownMembers(header + ownFields(of: type))
        }
    }

    private static func configure(
        hasFeatures: Bool, hasQuery: Bool, hasRows: Bool
    ) -> KnownMembers {
        let query: [Field] = [.parameters]
        return KnownMembers(
            header + edgeFields + [.paging, .pan] + (hasQuery ? query : []),
            and: hasQuery ? [OptionField.debounceMs, .shown].map(\.wireName) : [],
            fixed: [.profile, .feed] + (hasQuery ? [] : query) + [
                .axis, .reversed, .attention, .haptics, .announcements,
            ],
            // The daemon's message `attached` contains `role` and `state` among the options of an
            // edge, so a client may send them back.
            inner: viewParts(
                edgeMembers(fixed: ["role", "state"], hasFeatures: hasFeatures), hasRows: hasRows))
    }

    private static func ownFields(of type: MessageType) -> [Field] {
        switch type {
        case .scroll: [.offset, .phase] + sample
        case .pan: [.translation, .phase, .offset] + sample
        case .refresh: [.cause, .animated]
        case .begin, .end: [.animated]
        case .loadMore: [.cause]
        case .retry, .cancel, .reset: [.edge]
        case .floor: [.open]
        case .reveal: [.edge, .id, .position, .animated]
        case .read: [.id]
        case .loadBegan: [.load, .accepted]
        case .loadProgress: [.load, .progress]
        case .loadFinished: [.load, .result, .count, .more, .cursor, .code, .message]
        case .enable: [.edge, .enabled]
        default: []
        }
    }
}
