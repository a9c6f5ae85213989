/// Builds one message, by its type, from the fields in the table.
extension MessageDecoder {
    @inline(__always)
    mutating func build(in frame: Span<UInt8>) throws(Fault) -> ClientMessage {
        guard let token = table[.type] else { throw Fault(.missingField, field: .type) }
        guard token.kind == .string else { throw Fault(.invalidField, field: .type) }
        // Nearly every message is a scroll sample, which needs no lookup.
        if token.short == scrollType { return try scroll(in: frame) }
        guard let type = vocabulary.types.keyword(token, in: frame) else {
            return try buildWithFeatures(token, in: frame)
        }
        return try buildOther(type, in: frame)
    }

    /// Builds a message whose type only clients with features know.
    @inline(never)
    private mutating func buildWithFeatures(
        _ token: FieldToken, in frame: Span<UInt8>
    ) throws(Fault) -> ClientMessage {
        guard let features,
            let type = vocabulary.typesWithFeatures.keyword(token, in: frame),
            type.feature.map({ features.uses($0) }) ?? true
        else { throw Fault(.unknownType, field: .type) }
        return try buildOther(type, in: frame)
    }

    private mutating func buildOther(
        _ type: MessageType, in frame: Span<UInt8>
    ) throws(Fault) -> ClientMessage {
        // Samples are not searched for members that belong to other messages, because samples
        // arrive at the rate of a display.
        if type != .pan, let members = KnownMembers.members(of: type, with: features) {
            table.countMisplaced(in: members)
        }
        return switch type {
        case .hello: .hello(try hello(in: frame))
        case .attach:
            .attach(try header(in: frame), try attach(table, at: objectStart, in: frame))
        case .detach: .detach(try header(in: frame))
        case .geometry:
            try withRows(
                .geometry(try header(in: frame), try geometry(table, in: frame)), in: frame)
        case .scroll: try scroll(in: frame)
        case .pan: try pan(in: frame)
        case .refresh:
            .refresh(
                try header(in: frame), cause: try cause(in: frame, default: .code),
                animated: try table.bool(.animated) ?? true)
        case .begin: .begin(try header(in: frame), animated: try table.bool(.animated) ?? false)
        case .end: .end(try header(in: frame), animated: try table.bool(.animated) ?? true)
        case .loadMore:
            .loadMore(try header(in: frame), cause: try cause(in: frame, default: .code))
        case .retry: .retry(try header(in: frame), edge: try edge(in: frame))
        case .cancel: .cancel(try header(in: frame), edge: try edge(in: frame))
        case .reset: .reset(try header(in: frame), edge: try edge(in: frame))
        case .floor:
            .floor(
                try header(in: frame), isOpen: try required(try table.bool(.open), .open))
        case .appear: .appear(try header(in: frame))
        case .disappear: .disappear(try header(in: frame))
        case .reveal: try reveal(in: frame)
        case .read: try read(in: frame)
        case .edit: try editMessage(in: frame)
        case .undo: .undo(try header(in: frame), edit: try undoneEdit(in: frame))
        case .loadBegan:
            .loadBegan(
                try header(in: frame), load: try required(try table.loadID(in: frame), .load),
                accepted: try table.bool(.accepted) ?? true)
        case .loadProgress: try loadProgress(in: frame)
        case .loadFinished: .loadFinished(try header(in: frame), try loadReport(in: frame))
        case .enable:
            .enable(
                try header(in: frame), edge: try required(try edge(in: frame), .edge),
                enabled: try required(try table.bool(.enabled), .enabled))
        case .configure:
            .configure(
                try header(in: frame), try edgeSettings(table, in: frame),
                try paging(table, in: frame), pan: try pan(table, in: frame),
                query: try query(in: frame))
        case .ping: .ping(time: try required(try table.number(.t), .t))
        case .snapshot: .snapshot
        case .bye: .bye
        }
    }

    /// Builds an `edit`. A fault of the message has the name of the edit, if the message has one.
    private mutating func editMessage(in frame: Span<UInt8>) throws(Fault) -> ClientMessage {
        do throws(Fault) {
            return .edit(try header(in: frame), try edit(in: frame))
        } catch {
            var fault = error
            fault.edit = nameOfEdit(in: frame)
            throw fault
        }
    }

    @inline(__always)
    private mutating func header(in frame: Span<UInt8>) throws(Fault) -> MessageHeader {
        let view = try required(try table.viewID(in: frame), .view)
        let seq = try required(try table.integer(.seq, in: 1...Self.sequenceMax), .seq)
        let generation = try table.integer(.generation, in: 0...Int(UInt32.max))
        return MessageHeader(
            view: view, seq: UInt64(seq), generation: generation.map(UInt32.init))
    }

    @inline(__always)
    private mutating func scroll(in frame: Span<UInt8>) throws(Fault) -> ClientMessage {
        let header = try header(in: frame)
        try checkTime()
        let offset = try table.number(.offset, within: limits.geometryPointsMax)
        let phase = try phase(in: frame)
        var sample = ScrollSample(
            offset: try required(offset, .offset), phase: try required(phase, .phase))
        // Most samples have none of these members: a single test covers all of them.
        if table.hasAny(of: Self.infrequentFields) {
            try addInfrequentFields(to: &sample, in: frame)
        }
        if let features, features.contains(.visibleRange) {
            return try withRows(.scroll(header, sample), in: frame)
        }
        return .scroll(header, sample)
    }

    @inline(__always)
    private static var infrequentFields: UInt64 {
        hints | FieldTable.bit(.velocity) | FieldTable.bit(.cause)
    }

    private func addInfrequentFields(
        to sample: inout ScrollSample, in frame: Span<UInt8>
    ) throws(Fault) {
        try checkHint(in: frame)
        sample.velocity = try table.number(.velocity, within: limits.velocityMax) ?? 0
        sample.cause = try cause(in: frame, default: .finger)
    }

    @inline(__always)
    private mutating func phase(in frame: Span<UInt8>) throws(Fault) -> ScrollPhase? {
        // Most samples have this phase, which needs no lookup.
        if let token = table[.phase], token.kind == .string, token.short == draggingPhase {
            return .dragging
        }
        return try table.keyword(.phase, from: vocabulary.phases, in: frame)
    }

    private mutating func pan(in frame: Span<UInt8>) throws(Fault) -> ClientMessage {
        let header = try header(in: frame)
        try checkTime()
        if table.hasAny(of: Self.hints) { try checkHint(in: frame) }
        let travel = try table.number(.translation, within: limits.geometryPointsMax)
        let phase = try required(
            try table.keyword(.phase, from: vocabulary.phases, in: frame), .phase)
        guard phase != .decelerating, phase != .idle else {
            throw Fault(.invalidField, field: .phase)
        }
        return .pan(
            header,
            PanSample(
                translation: try required(travel, .translation), phase: phase,
                velocity: try table.number(.velocity, within: limits.velocityMax) ?? 0,
                cause: try cause(in: frame, default: .finger),
                offset: try table.number(.offset, within: limits.geometryPointsMax)))
    }

    /// Checks that `t`, a time of the client's clock, is a number whose magnitude is at most 2^53.
    @inline(__always)
    private func checkTime() throws(Fault) {
        _ = try table.number(.t, within: 1 << 53)
    }

    @inline(__always)
    private func cause(
        in frame: Span<UInt8>, default usual: Cause
    ) throws(Fault) -> Cause {
        guard let cause = try table.keyword(.cause, from: vocabulary.causes, in: frame) else {
            return usual
        }
        guard cause.mayBeSent else { throw Fault(.invalidField, field: .cause) }
        return cause
    }

    private func edge(in frame: Span<UInt8>) throws(Fault) -> Edge? {
        try table.keyword(.edge, from: vocabulary.edges, in: frame)
    }

    private mutating func reveal(in frame: Span<UInt8>) throws(Fault) -> ClientMessage {
        let header = try header(in: frame)
        let position = try table.number(.position, within: limits.geometryPointsMax)
        let animated = try table.bool(.animated) ?? true
        let edge = try edge(in: frame)
        guard let id = try table.text(.id, in: frame) else {
            return .reveal(header, edge.map { .edge($0) } ?? .newestEnd, animated: animated)
        }
        let name = Anchor(id, at: 0).name
        return .reveal(header, .item(name: name, position: position), animated: animated)
    }

    private mutating func read(in frame: Span<UInt8>) throws(Fault) -> ClientMessage {
        let id = try required(try table.text(.id, in: frame), .id)
        guard id.utf8.count <= UnreadUpdate.readMarkBytesMax else {
            throw Fault(.valueOutOfRange, field: .id)
        }
        return .read(try header(in: frame), id: id)
    }

    private mutating func loadProgress(in frame: Span<UInt8>) throws(Fault) -> ClientMessage {
        let progress = try required(try table.number(.progress), .progress)
        guard (0...1).contains(progress) else {
            throw Fault(.valueOutOfRange, field: .progress)
        }
        return .loadProgress(
            try header(in: frame), load: try required(try table.loadID(in: frame), .load),
            progress: progress)
    }

    private func loadReport(in frame: Span<UInt8>) throws(Fault) -> LoadReport {
        let result = try required(
            try table.keyword(.result, from: vocabulary.results, in: frame), .result)
        guard result.mayBeSent else { throw Fault(.invalidField, field: .result) }
        // The daemon checks the type of a failure's reason, but does not use the reason.
        for reason in [Field.code, .message] {
            if let token = table[reason], token.kind != .string {
                throw Fault(.invalidField, field: reason)
            }
        }
        return LoadReport(
            load: try required(try table.loadID(in: frame), .load), result: result,
            count: try table.integer(.count, in: 0...Int(Int32.max)) ?? 0,
            more: try table.bool(.more), cursor: try table.text(.cursor, in: frame))
    }
}
