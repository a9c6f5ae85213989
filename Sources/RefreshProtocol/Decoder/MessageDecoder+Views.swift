/// Descriptions of views: `attach`, `geometry`, and their parts.
extension MessageDecoder {
    func headers(in frame: Span<UInt8>) throws(Fault) -> [HeaderField] {
        var headers: [HeaderField] = []
        for (name, value) in try texts(.headers, most: limits.headersMax, table, in: frame) {
            guard let header = HeaderField(checking: name, value) else {
                throw Fault(.invalidField, field: .headers)
            }
            guard !headers.contains(where: { $0.name == header.name }) else {
                throw Fault(.duplicateField, field: .headers)
            }
            headers.append(header)
        }
        return headers
    }

    /// Reads `views`. Returns nil if `views` is not present.
    func views(in frame: Span<UInt8>) throws(Fault) -> [Attach]? {
        guard let token = table[.views] else { return nil }
        guard token.kind == .array else { throw Fault(.invalidField, field: .views) }
        var attaches: [Attach] = []
        var scanner = JSONScanner(frame, from: Int(token.start), limits: JSONLimits(limits))
        do throws(FaultCode) {
            try scanner.expect(0x5B)
            if scanner.consumeByte(0x5D) { return [] }
        } catch {
            throw Fault(error, field: .views)
        }
        repeat {
            guard attaches.count < limits.batchMessagesMax else {
                throw Fault(.batchTooLong, field: .views)
            }
            let range: Range<Int>
            do throws(FaultCode) {
                range = try scanner.skipValue(depth: 2)
            } catch {
                throw Fault(error, field: .views)
            }
            let element = FieldToken(
                kind: frame[range.lowerBound] == 0x7B ? .object : .array, at: range)
            attaches.append(
                try attach(
                    try fields(of: element, .views, in: frame), at: range.lowerBound, in: frame))
        } while scanner.consumeByte(0x2C)
        return attaches
    }

    /// `start`: where the object of the fields begins.
    func attach(
        _ fields: FieldTable, at start: Int, in frame: Span<UInt8>
    ) throws(Fault) -> Attach {
        var attach = Attach(
            view: try required(try fields.viewID(in: frame), .view),
            profile: try required(try fields.text(.profile, in: frame), .profile))
        attach.feed = try fields.text(.feed, in: frame)
        attach.parameters = try parameters(fields, in: frame)
        if let token = fields[.geometry] {
            attach.geometry = try geometry(
                try self.fields(of: token, .geometry, in: frame), in: frame)
        }
        attach.offset = try fields.number(.offset, within: limits.geometryPointsMax)
        attach.layout = ViewLayout(
            axis: try fields.keyword(.axis, from: vocabulary.axes, in: frame) ?? .vertical,
            isReversed: try fields.bool(.reversed) ?? false)
        attach.edges = try edgeSettings(fields, in: frame)
        attach.paging = try paging(fields, in: frame)
        attach.pan = try pan(fields, in: frame)
        attach.hasPan = fields[.pan] != nil
        attach.attention = try fields.keyword(
            .attention, from: vocabulary.attentions, in: frame)
        attach.haptics = try fields.bool(.haptics)
        attach.announcements = try fields.bool(.announcements)
        attach.initial = try initial(at: start, in: frame)
        return attach
    }

    func parameters(
        _ fields: FieldTable, in frame: Span<UInt8>
    ) throws(Fault) -> [Parameter] {
        try texts(.parameters, most: limits.parametersMax, fields, in: frame).map {
            Parameter(name: $0.name, value: $0.value)
        }
    }

    /// Reads the members of an object whose values are strings, in the order in which they are
    /// written. A name that occurs twice is a fault.
    private func texts(
        _ field: Field, most: Int, _ fields: FieldTable, in frame: Span<UInt8>
    ) throws(Fault) -> [(name: String, value: String)] {
        guard let token = fields[field] else { return [] }
        guard token.kind == .object else { throw Fault(.invalidField, field: field) }
        var texts: [(name: String, value: String)] = []
        var scanner = JSONScanner(frame, from: Int(token.start), limits: JSONLimits(limits))
        do throws(FaultCode) {
            try scanner.expect(0x7B)
            if scanner.consumeByte(0x7D) { return [] }
            repeat {
                scanner.skipSpace()
                let name = try scanner.readString().text(in: frame)
                try scanner.expect(0x3A)
                scanner.skipSpace()
                guard scanner.peek == 0x22 else { throw .invalidField }
                let value = try scanner.readString().text(in: frame)
                guard !texts.contains(where: { $0.name == name }) else {
                    throw .duplicateField
                }
                texts.append((name, value))
                guard texts.count <= most else { throw .valueOutOfRange }
            } while scanner.consumeByte(0x2C)
        } catch {
            throw Fault(error, field: field)
        }
        return texts
    }

    func geometry(
        _ fields: FieldTable, in frame: Span<UInt8>
    ) throws(Fault) -> GeometryChange {
        var change = GeometryChange()
        change.viewport = try size(.viewport, fields, in: frame)
        change.content = try size(.content, fields, in: frame)
        change.insets = try edgeInsets(.insets, fields, in: frame)
        change.safeArea = try edgeInsets(.safeArea, fields, in: frame)
        change.bars = try bars(fields, in: frame)
        change.direction = try fields.keyword(
            .direction, from: vocabulary.directions, in: frame)
        if let scale = try fields.number(.scale) {
            guard scale > 0, scale <= 100 else { throw Fault(.valueOutOfRange, field: .scale) }
            change.scale = scale
        }
        change.offset = try fields.number(.offset, within: limits.geometryPointsMax)
        change.anchor = try anchor(fields, in: frame)
        return change
    }

    private func anchor(
        _ fields: FieldTable, in frame: Span<UInt8>
    ) throws(Fault) -> Anchor? {
        guard let token = fields[.anchor] else { return nil }
        let inner = try self.fields(of: token, .anchor, in: frame)
        let position = try inner.number(.position, within: limits.geometryPointsMax)
        return Anchor(
            try required(try inner.text(.id, in: frame), .id),
            at: try required(position, .position))
    }

    private func size(
        _ field: Field, _ fields: FieldTable, in frame: Span<UInt8>
    ) throws(Fault) -> SizeChange? {
        guard let token = fields[field] else { return nil }
        let inner = try self.fields(of: token, field, in: frame)
        return SizeChange(
            width: try zeroIfNull(length(.width, inner), .width, inner),
            height: try zeroIfNull(length(.height, inner), .height, inner))
    }

    private func edgeInsets(
        _ field: Field, _ fields: FieldTable, in frame: Span<UInt8>
    ) throws(Fault) -> EdgeInsets? {
        guard let token = fields[field] else { return nil }
        let inner = try self.fields(of: token, field, in: frame)
        return EdgeInsets(
            top: try points(.top, inner), left: try points(.left, inner),
            bottom: try points(.bottom, inner), right: try points(.right, inner))
    }

    private func bars(
        _ fields: FieldTable, in frame: Span<UInt8>
    ) throws(Fault) -> Bars? {
        guard let token = fields[.bars] else { return fields.isNull(.bars) ? Bars.none : nil }
        let inner = try self.fields(of: token, .bars, in: frame)
        var bars = Bars()
        bars.status = try zeroIfNull(length(.status, inner), .status, inner)
        if let token = inner[.navigation] {
            let navigation = try self.fields(of: token, .navigation, in: frame)
            bars.navigationY = try points(.y, navigation)
            bars.navigationHeight = try zeroIfNull(length(.height, navigation), .height, navigation)
        } else if inner.isNull(.navigation) {
            bars.navigationY = 0
            bars.navigationHeight = 0
        }
        if let token = inner[.search] {
            let search = try self.fields(of: token, .search, in: frame)
            bars.searchHeight = try zeroIfNull(length(.height, search), .height, search)
            bars.isSearchActive = try search.bool(.active) ?? (search.isNull(.active) ? false : nil)
        } else if inner.isNull(.search) {
            bars.searchHeight = 0
            bars.isSearchActive = false
        }
        return bars
    }

    /// Returns 0 for a member that is `null`. For an omitted member, returns nil, and the member
    /// keeps its value.
    private func zeroIfNull(_ value: Double?, _ field: Field, _ fields: FieldTable) -> Double? {
        value ?? (fields.isNull(field) ? 0 : nil)
    }

    private func points(_ field: Field, _ fields: FieldTable) throws(Fault) -> Double? {
        zeroIfNull(try fields.number(field, within: limits.geometryPointsMax), field, fields)
    }

    /// Reads a length. A negative length is a fault.
    private func length(_ field: Field, _ fields: FieldTable) throws(Fault) -> Double? {
        guard let value = try fields.number(field, within: limits.geometryPointsMax) else {
            return nil
        }
        guard value >= 0 else { throw Fault(.valueOutOfRange, field: field) }
        return value
    }
}
