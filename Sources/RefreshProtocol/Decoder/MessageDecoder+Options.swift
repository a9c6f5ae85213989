/// Option objects. The types of the options, and the ranges of most numbers, are checked here. All
/// other rules for the options of a view are checked when the options are applied to the view.
extension MessageDecoder {
    func edgeSettings(
        _ fields: FieldTable, in frame: Span<UInt8>
    ) throws(Fault) -> EdgeSettings {
        var settings = EdgeSettings()
        settings.top = try edgeSetting(.top, fields, in: frame)
        settings.bottom = try edgeSetting(.bottom, fields, in: frame)
        settings.leading = try edgeSetting(.leading, fields, in: frame)
        settings.trailing = try edgeSetting(.trailing, fields, in: frame)
        return settings
    }

    private func edgeSetting(
        _ field: Field, _ fields: FieldTable, in frame: Span<UInt8>
    ) throws(Fault) -> EdgeSetting {
        if fields.isNull(field) { return .absent }
        guard let token = fields[field] else { return .unchanged }
        let table = try options(of: token, Fault(.invalidField, field: field), in: frame)
        return .overrides(try settings(in: table, frame, { $0.edgeKind }))
    }

    private func floor(
        of token: FieldToken, in frame: Span<UInt8>
    ) throws(Fault) -> [OptionSetting] {
        try settings(
            in: try options(of: token, Fault(.invalidField, option: .floor), in: frame),
            frame, { $0.floorKind })
    }

    /// Reads the options in `pan`. They apply if the daemon computes how the list moves. The result
    /// is empty if there are none.
    func pan(_ fields: FieldTable, in frame: Span<UInt8>) throws(Fault) -> [OptionSetting] {
        guard let token = fields[.pan] else { return [] }
        return try settings(
            in: try options(of: token, Fault(.invalidField, field: .pan), in: frame), frame,
            { $0.panKind })
    }

    /// Reads the options that apply to one kind of object, in the order of `OptionField`. For each
    /// of these options, `kind` returns the kind of its value. For every other option, `kind`
    /// returns nil.
    private func settings(
        in table: NameTable<OptionField>, _ frame: Span<UInt8>, _ kind: (OptionField) -> OptionKind?
    ) throws(Fault) -> [OptionSetting] {
        var settings: [OptionSetting] = []
        for option in OptionField.allCases {
            guard let kind = kind(option), let token = table[option] else { continue }
            guard let value = try value(of: token, kind, option, in: frame) else { continue }
            settings.append(OptionSetting(option, value))
        }
        countMisplaced(in: table) { kind($0) != nil }
        return settings
    }

    /// Counts the options that do not apply to this kind of object as ignored members.
    func countMisplaced(
        in options: NameTable<OptionField>, _ isKnown: (OptionField) -> Bool
    ) {
        table.ignored.unknownOptions &+= options.count { !isKnown($0) }
    }

    func paging(
        _ fields: FieldTable, in frame: Span<UInt8>
    ) throws(Fault) -> PagingOverrides? {
        guard let token = fields[.paging] else { return nil }
        let table = try options(of: token, Fault(.invalidField, field: .paging), in: frame)
        var overrides = PagingOverrides()
        if let style = table[.style], style.kind != .null {
            guard style.kind == .string,
                let known = vocabulary.styles.keyword(style.string, in: frame)
            else { throw Fault(.invalidField, option: .style) }
            overrides.style = known
        }
        overrides.first = try table[.first].flatMap { token throws(Fault) in
            try whole(token, in: 0...1, .first)
        }
        overrides.size = try table[.size].flatMap { token throws(Fault) in
            try whole(token, in: 1...limits.pageSizeMax, .size)
        }
        let hasAccess = features?.contains(.visibleRange) == true
        if hasAccess { overrides.access = try access(in: table, frame) }
        countMisplaced(in: table) {
            $0 == .style || $0 == .first || $0 == .size || hasAccess && $0 == .access
        }
        return overrides
    }

    /// Reads how the client draws: a string is the mode, and an object contains several settings.
    func frames(in frame: Span<UInt8>) throws(Fault) -> FrameSettings {
        guard let token = table[.frames] else { return FrameSettings() }
        if token.kind == .string { return FrameSettings(mode: try mode(of: token, in: frame)) }
        let table = try options(of: token, Fault(.invalidField, field: .frames), in: frame)
        var settings = FrameSettings()
        if let token = table[.mode], token.kind != .null {
            guard token.kind == .string else { throw Fault(.invalidField, option: .mode) }
            settings.mode = try mode(of: token, in: frame)
        }
        settings.rate =
            try table[.rate].flatMap { token throws(Fault) in
                try whole(token, in: FrameSettings.rates, .rate)
            } ?? settings.rate
        if let token = table[.language], token.kind != .null {
            guard token.kind == .string else { throw Fault(.invalidField, option: .language) }
            settings.language = token.text(in: frame)
        }
        if let token = table[.motion], token.kind != .null {
            guard token.kind == .string,
                let motion = MotionPreference(rawValue: token.text(in: frame))
            else { throw Fault(.invalidField, option: .motion) }
            settings.motion = motion
        }
        countMisplaced(in: table) {
            $0 == .mode || $0 == .rate || $0 == .language || $0 == .motion
        }
        return settings
    }

    private func mode(
        of token: FieldToken, in frame: Span<UInt8>
    ) throws(Fault) -> FramesMode {
        guard let mode = FramesMode(rawValue: token.text(in: frame)) else {
            throw Fault(.unsupportedFrames, field: .frames)
        }
        return mode
    }

    /// Reads the options of an object in the frame. The token is known to be well-formed. If it is
    /// not an object, this throws `fault`. If the reading of the object fails, this throws
    /// `fault` with the code of the failure, for example `duplicateField`.
    func options(
        of token: FieldToken, _ fault: Fault, in frame: Span<UInt8>
    ) throws(Fault) -> NameTable<OptionField> {
        guard token.kind == .object else { throw fault }
        var scanner = JSONScanner(frame, from: Int(token.start), limits: JSONLimits(limits))
        do throws(FaultCode) {
            let options = try NameTable(
                reading: &scanner, vocabulary.options(with: features), depth: 2)
            table.ignored.unknownOptions &+= options.unknownCount
            return options
        } catch {
            var fault = fault
            fault.code = error
            throw fault
        }
    }

    /// The value of an option. If the value is `null` and the option does not accept `null`,
    /// returns nil, as for an omitted option.
    private func value(
        of token: FieldToken, _ kind: OptionKind, _ option: OptionField, in frame: Span<UInt8>
    ) throws(Fault) -> OptionValue? {
        if token.kind == .null { return kind.acceptsNull ? OptionValue.none : nil }
        switch (kind, token.kind) {
        case (.flag, .bool): return .flag(token.number != 0)
        case (.length, .number), (.lengthOrNull, .number):
            return try number(token, within: limits.geometryPointsMax, option)
        case (.velocity, .number): return try number(token, within: limits.velocityMax, option)
        case (.fraction, .number): return try number(token, within: 1, option)
        case (.factor, .number):
            guard OptionKind.factors.contains(token.number) else {
                throw Fault(.valueOutOfRange, option: option)
            }
            return .number(token.number)
        case (.time, .number), (.interval, .number), (.timeOrNull, .number):
            var rounded = token
            rounded.number.round()
            return try number(rounded, within: OptionKind.timeMax, option)
        case (.count, .number):
            return try whole(token, in: OptionKind.counts, option).map { .number(Double($0)) }
        case (.keyword(let words), .string):
            let word = token.text(in: frame)
            guard words.contains(word) else { break }
            return .keyword(word)
        case (.name, .string): return .keyword(token.text(in: frame))
        case (.intents, .array): return .intents(try intents(of: token, in: frame))
        case (.floor, .object): return .floor(try floor(of: token, in: frame))
        default: break
        }
        throw Fault(.invalidField, option: option)
    }

    /// A number between `-bound` and `bound`.
    private func number(
        _ token: FieldToken, within bound: Int, _ option: OptionField
    ) throws(Fault) -> OptionValue {
        guard token.number.magnitude <= Double(bound) else {
            throw Fault(.valueOutOfRange, option: option)
        }
        return .number(token.number)
    }

    /// A whole number in `range`; nil for `null`.
    func whole(
        _ token: FieldToken, in range: ClosedRange<Int>, _ option: OptionField
    ) throws(Fault) -> Int? {
        guard token.kind != .null else { return nil }
        guard token.kind == .number else { throw Fault(.invalidField, option: option) }
        guard token.number >= Double(range.lowerBound), token.number <= Double(range.upperBound)
        else { throw Fault(.valueOutOfRange, option: option) }
        guard let whole = Int(exactly: token.number) else {
            throw Fault(.invalidField, option: option)
        }
        return whole
    }

    private func intents(
        of token: FieldToken, in frame: Span<UInt8>
    ) throws(Fault) -> Intents {
        var intents: Intents = []
        var scanner = JSONScanner(frame, from: Int(token.start), limits: JSONLimits(limits))
        do throws(FaultCode) {
            try scanner.expect(0x5B)
            if scanner.consumeByte(0x5D) { return [] }
            repeat {
                scanner.skipSpace()
                guard scanner.peek == 0x22,
                    let intent = vocabulary.intents.keyword(try scanner.readString(), in: frame)
                else { throw .invalidField }
                intents.formUnion(Intents(intent))
            } while scanner.consumeByte(0x2C)
        } catch {
            throw Fault(error, option: .intents)
        }
        return intents
    }
}
