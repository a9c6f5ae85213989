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
    private static func edgeMembers(
        fixed: [String] = [], _ features: ClientFeatures?
    ) -> KnownMembers {
        KnownMembers(
            options: OptionField.allCases.filter {
                $0.edgeKind != nil && $0.isKnown(with: features)
            }, fixed: fixed, inner: ["floor": floor])
    }
    private static let pan = KnownMembers(
        options: OptionField.allCases.filter { $0.panKind != nil })
    private static func paging(_ features: ClientFeatures?) -> KnownMembers {
        KnownMembers(
            options: [.style, .first, .size, .access].filter { $0.isKnown(with: features) })
    }
    private static let rows = KnownMembers(options: [.first, .last])
    private static let frames = KnownMembers(options: [.mode, .rate, .language, .motion])

    private static let edgeFields: [Field] = [.top, .bottom, .leading, .trailing]
    private static func viewParts(
        _ edge: KnownMembers, _ features: ClientFeatures?
    ) -> [String: KnownMembers] {
        Dictionary(uniqueKeysWithValues: edgeFields.map { ($0.wireName, edge) })
            .merging(["paging": paging(features), "pan": pan]) { first, _ in first }
    }

    private static let attachFields: [Field] =
        [.profile, .feed, .parameters, .geometry, .offset, .axis, .reversed] + edgeFields
        + [.paging, .pan, .attention, .haptics, .announcements]
    private static let geometry = KnownMembers(geometryFields, inner: geometryParts)
    private static func attach(_ features: ClientFeatures?) -> KnownMembers {
        KnownMembers(
            header + attachFields,
            and: features != nil ? [OptionField.initial.wireName] : [],
            inner: viewParts(edgeMembers(features), features)
                .merging(["geometry": geometry]) { first, _ in first })
    }

    private static let resume = KnownMembers(
        [], and: HelloField.ofResume.map(\.wireName))

    /// The objects within messages that the decoder reads into tables of fields, by the field that
    /// contains the object.
    static let objects: [Field: KnownMembers] = [
        .viewport: size, .content: size, .insets: insets, .safeArea: insets, .bars: bars,
        .navigation: navigation, .search: search, .anchor: anchor, .geometry: geometry,
        .views: attach(nil),
    ]

    // MARK: Messages

    private static let header: [Field] = [.type, .seq, .view, .generation]
    private static let sample: [Field] = [.t, .velocity, .cause, .from, .predicted]

    /// Returns the members of a message of a client with these features. If `features` is nil, the
    /// client has none.
    static func members(of type: MessageType, with features: ClientFeatures?) -> KnownMembers? {
        guard let features else { return messages[type] }
        let index = optional.indices.reduce(0) {
            $0 + (features.uses(optional[$1]) ? 1 << $1 : 0)
        }
        return messagesWithFeatures[index][type]
    }

    /// The members by message type, for clients without features.
    static let messages = members(with: nil)
    /// The features that change the members of messages.
    private static let optional: [Feature] = [.query, .live, .visibleRange]
    /// The members for clients with features. Bit N of an index means the feature `optional[N]`.
    private static let messagesWithFeatures = (0..<1 << optional.count).map { index in
        members(
            with: optional.indices.reduce([]) { features, number in
                guard index & 1 << number != 0 else { return features }
                let feature = optional[number]
                return features.union(.init(feature)).union(feature == .live ? .init(.patch) : [])
            })
    }

    private static func members(with features: ClientFeatures?) -> [MessageType: KnownMembers] {
        Dictionary(
            uniqueKeysWithValues: MessageType.allCases.map {
                ($0, made(of: $0, features))
            })
    }

    private static func made(
        of type: MessageType, _ features: ClientFeatures?
    ) -> KnownMembers {
        let visible =
            OptionField.visible.isKnown(with: features) ? [OptionField.visible.wireName] : []
        switch type {
        case .hello:
            return KnownMembers(
                [.type, .protocol, .client, .frames, .headers, .views],
                and: HelloField.ofHello.filter { features != nil || $0 != .features }.map(
                    \.wireName),
                inner: [
                    "frames": frames, "views": attach(features), "resume": resume,
                ])
        case .attach: return attach(features)
        case .geometry:
            return KnownMembers(
                header + geometryFields, and: visible,
                inner: geometryParts.merging(["visible": rows]) { first, _ in first })
        case .scroll:
            return KnownMembers(
                header + ownFields(of: type), and: visible, inner: ["visible": rows])
        case .configure: return configure(features)
        case .ping: return KnownMembers([.type, .t])
        case .snapshot, .bye: return KnownMembers([.type])
        default:
            return KnownMembers(
                header + ownFields(of: type), and: ownNames(of: type).map(\.wireName))
        }
    }

    private static func configure(_ features: ClientFeatures?) -> KnownMembers {
        let hasQuery = features?.contains(.query) == true
        let query: [Field] = [.parameters]
        return KnownMembers(
            header + edgeFields + [.paging, .pan] + (hasQuery ? query : []),
            and: hasQuery ? [OptionField.debounceMs, .shown].map(\.wireName) : [],
            fixed: [.profile, .feed] + (hasQuery ? [] : query) + [
                .axis, .reversed, .attention, .haptics, .announcements,
            ],
            // The daemon's message `attached` contains `role` and `state` among the options of an
            // edge, so a client may send them back.
            inner: viewParts(edgeMembers(fixed: ["role", "state"], features), features))
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

    /// The members of a message that are not in `Field`.
    private static func ownNames(of type: MessageType) -> [OptionField] {
        switch type {
        case .edit: [.edit, .operation, .delayMs, .repeated]
        case .undo: [.edit]
        default: []
        }
    }
}
