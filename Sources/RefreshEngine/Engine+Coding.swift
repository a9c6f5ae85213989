import RefreshProtocol

/// The encoded form of an engine, which snapshots, journals and their checkpoints
/// (`JournalCheckpoint`) contain.
///
/// The form is flat: the members of both edges are encoded next to those of the engine. The names
/// and usual values of members are part of these file formats, so they stay the same when names in
/// the code change.
extension Engine: Codable {
    private enum Name: String, CodingKey {
        case options, generation, geometry, offset, gesture, floor, insets, paging, deadlines
        case motion, anchor, pace, changes, ownsPhysics, isOffsetKnown, lastLoadNumber
        case refresh, refreshCause, refreshTrigger, refreshAttempt, refreshSize, refreshAnimates
        case isQueuedByGesture, isRefreshRenewed, hasRefreshFailed, isPullSpent
        case revealedLength, shownAt, updatedAt, background, pollSeed
        case refreshPages, keepsPlace, awaited, looksUp, overPull, unread, inSight
        case loadMore, moreCause, moreTrigger, moreAttempt, moreStartedAt, backOffEnd, layoutEnd
        case isMoreQueuedByGesture, isMoreRenewed, isMoreSuperseded, hasAskedForMore, mayFill
        case filledPages, isPageLanding, isRoomLanding, isLaidOutEarly, isShifted, repeatCount
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        self.init(
            generation: try container.decode(UInt32.self, forKey: .generation),
            options: try container.decode(ViewOptions.self, forKey: .options),
            geometry: GeometryChange(), offset: nil)
        try code(with: .reading(container))
        watchArrivals()
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        try container.encode(generation, forKey: .generation)
        try container.encode(options, forKey: .options)
        var copy = self
        try copy.code(with: .writing(container))
    }

    /// Reads or writes every member except the generation and the options.
    private mutating func code(with coder: MemberCoder<Name>) throws {
        try coder.code(&geometry, .geometry)
        try coder.code(&offset, .offset)
        try coder.code(&gesture, .gesture)
        try coder.code(&floor, .floor)
        try coder.code(&insets, .insets)
        try coder.code(&paging, .paging)
        try coder.code(&deadlines, .deadlines)
        try coder.code(&motion, .motion)
        try coder.code(&anchor, .anchor)
        try coder.code(&scrollSpeed, .pace)
        try coder.code(&changes, .changes)
        try coder.code(&unreadBox, .unread)
        changes.hasUnread = unreadBox != nil
        try coder.code(&inSightBox, .inSight)
        try coder.code(&ownsPhysics, .ownsPhysics)
        try coder.code(&isOffsetKnown, .isOffsetKnown)
        try coder.code(&lastLoadNumber, .lastLoadNumber)
        try coder.code(unlessUsual: &keepsPlace, .keepsPlace)
        try codeRefresh(with: coder)
        try codeLoadMore(with: coder)
    }

    private mutating func codeRefresh(with coder: MemberCoder<Name>) throws {
        try coder.code(&refresh.phase, .refresh)
        try coder.code(&refresh.request.cause, .refreshCause)
        try coder.code(&refresh.request.trigger, .refreshTrigger)
        try coder.code(&refresh.request.attempt, .refreshAttempt)
        try coder.code(&refresh.request.isQueuedByGesture, .isQueuedByGesture)
        try coder.code(&refresh.request.isRenewed, .isRefreshRenewed)
        try coder.code(&refresh.size, .refreshSize)
        try coder.code(&refresh.animates, .refreshAnimates)
        try coder.code(&refresh.hasFailed, .hasRefreshFailed)
        try coder.code(&refresh.isPullSpent, .isPullSpent)
        try coder.code(&refresh.revealedLength, .revealedLength)
        try coder.code(&refresh.shownAt, .shownAt)
        try coder.code(&refresh.updatedAt, .updatedAt)
        try coder.code(unlessUsual: &refresh.background, .background)
        try coder.code(unlessUsual: &refresh.pollSeed, .pollSeed)
        try coder.code(unlessUsual: &refreshPages, .refreshPages)
        try coder.code(unlessUsual: &refresh.awaited, .awaited)
        try coder.code(unlessUsual: &refresh.looksUp, .looksUp)
        try coder.code(unlessUsual: &refresh.overPull, .overPull)
    }

    private mutating func codeLoadMore(with coder: MemberCoder<Name>) throws {
        try coder.code(&loadMore.phase, .loadMore)
        try coder.code(&loadMore.request.cause, .moreCause)
        try coder.code(&loadMore.request.trigger, .moreTrigger)
        try coder.code(&loadMore.request.attempt, .moreAttempt)
        try coder.code(&loadMore.request.isQueuedByGesture, .isMoreQueuedByGesture)
        try coder.code(&loadMore.request.isRenewed, .isMoreRenewed)
        try coder.code(&loadMore.startedAt, .moreStartedAt)
        try coder.code(&loadMore.backOffEnd, .backOffEnd)
        try coder.code(unlessUsual: &loadMore.layoutEnd, .layoutEnd)
        try coder.code(&loadMore.hasRequested, .hasAskedForMore)
        try coder.code(&loadMore.filledPages, .filledPages)
        try coder.code(&loadMore.mayFill, .mayFill)
        try coder.code(&loadMore.isPageLanding, .isPageLanding)
        try coder.code(&loadMore.isRoomLanding, .isRoomLanding)
        try coder.code(&loadMore.isSuperseded, .isMoreSuperseded)
        try coder.code(unlessUsual: &loadMore.isLaidOutEarly, .isLaidOutEarly)
        try coder.code(unlessUsual: &loadMore.isShifted, .isShifted)
        try coder.code(unlessUsual: &loadMore.repeatCount, .repeatCount)
    }
}

/// Reads or writes the members of a value. Because one type does both, the code of a value lists
/// its members only once.
private enum MemberCoder<Name: CodingKey> {
    case reading(KeyedDecodingContainer<Name>)
    case writing(KeyedEncodingContainer<Name>)

    func code<Value: Codable>(_ member: inout Value, _ name: Name) throws {
        switch self {
        case .reading(let container): member = try container.decode(Value.self, forKey: name)
        case .writing(var container): try container.encode(member, forKey: name)
        }
    }

    /// Codes an optional member. Nil is omitted.
    func code<Value: Codable>(_ member: inout Value?, _ name: Name) throws {
        switch self {
        case .reading(let container):
            member = try container.decodeIfPresent(Value.self, forKey: name)
        case .writing(var container): try container.encodeIfPresent(member, forKey: name)
        }
    }

    /// Codes a member that is omitted if it has its usual value, as in `OmittedIfUsual`.
    func code<Value: UsualValue>(unlessUsual member: inout Value, _ name: Name) throws {
        var value: Value? = member == .usual ? nil : member
        try code(&value, name)
        member = value ?? .usual
    }
}
