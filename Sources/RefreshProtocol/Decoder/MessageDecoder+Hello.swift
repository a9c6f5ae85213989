/// The first message: the client's identity, its views, and the session that it resumes.
extension MessageDecoder {
    mutating func hello(in frame: Span<UInt8>) throws(Fault) -> Hello {
        let version = try required(
            try table.integer(.protocol, in: 0...Int(Int32.max)), .protocol)
        let own = try helloFields(at: objectStart, in: frame)
        // The field table has counted all fields that only `hello` has as unknown fields.
        table.forgetUnknown(own.count { HelloField.ofHello.contains($0) })
        let client = try table.text(.client, in: frame)
        let frames = try frames(in: frame)
        let usual = self.features
        let features = try features(own[.features], in: frame)
        self.features = features ?? usual
        defer { self.features = usual }
        return Hello(
            version: version, client: client, frames: frames, features: features,
            headers: try headers(in: frame),
            views: try views(in: frame),
            token: try own.text(.token, most: limits.tokenBytesMax, in: frame),
            resume: try resume(own[.resume], in: frame),
            wantsSnapshots: try own.bool(.snapshots) ?? false,
            wantsDiagnostics: try own.bool(.diagnostics) ?? false)
    }

    private func resume(
        _ token: FieldToken?, in frame: Span<UInt8>
    ) throws(Fault) -> ResumeRequest? {
        guard let token, token.kind != .null else { return nil }
        guard token.kind == .object else { throw Fault(.invalidField, hello: .resume) }
        let fields: NameTable<HelloField>
        do throws(Fault) {
            fields = try helloFields(at: Int(token.start), in: frame)
        } catch {
            throw Fault(error.code, hello: .resume)
        }
        table.ignored.unknownFields &+=
            fields.unknownCount + fields.count { !HelloField.ofResume.contains($0) }
        guard let session = try fields.text(.session, most: limits.stringBytesMax, in: frame) else {
            throw Fault(.missingField, hello: .session)
        }
        guard let secret = try fields.text(.token, most: limits.stringBytesMax, in: frame) else {
            throw Fault(.missingField, hello: .token)
        }
        return ResumeRequest(
            session: session, token: secret, ack: try fields.sequence(.ack) ?? 0,
            received: try received(fields[.received], in: frame),
            snapshot: try fields.text(.snapshot, most: limits.snapshotBytesMax, in: frame))
    }

    /// The known names among the client's features. Nil if the field is absent or `null`.
    private func features(
        _ token: FieldToken?, in frame: Span<UInt8>
    ) throws(Fault) -> ClientFeatures? {
        guard let token, token.kind != .null else { return nil }
        guard token.kind == .array else { throw Fault(.invalidField, hello: .features) }
        var features: ClientFeatures = []
        var count = 0
        try readStrings(of: token, .features, in: frame) { (name) throws(FaultCode) in
            count += 1
            guard count <= ClientFeatures.namesMax else { throw .valueOutOfRange }
            if let known = vocabulary.features.keyword(name, in: frame) {
                features.formUnion(ClientFeatures(known))
            }
        }
        return features
    }

    /// Reads the load identifiers of `received`, at most one for each view that a session can have.
    private func received(
        _ token: FieldToken?, in frame: Span<UInt8>
    ) throws(Fault) -> [LoadID] {
        guard let token, token.kind != .null else { return [] }
        guard token.kind == .array else { throw Fault(.invalidField, hello: .received) }
        var loads: [LoadID] = []
        try readStrings(of: token, .received, in: frame) { (name) throws(FaultCode) in
            guard let load = LoadID(name.text(in: frame)) else { throw .invalidField }
            loads.append(load)
            guard loads.count <= limits.viewsPerSessionMax else { throw .valueOutOfRange }
        }
        return loads
    }

    /// Reads an array of strings, and passes each to `element`. A fault names the field.
    private func readStrings(
        of token: FieldToken, _ field: HelloField, in frame: Span<UInt8>,
        _ element: (JSONStringRange) throws(FaultCode) -> Void
    ) throws(Fault) {
        var scanner = JSONScanner(frame, from: Int(token.start), limits: jsonLimits)
        do throws(FaultCode) {
            try scanner.expect(0x5B)
            if scanner.consumeByte(0x5D) { return }
            repeat {
                scanner.skipSpace()
                guard scanner.peek == 0x22 else { throw .invalidField }
                try element(try scanner.readString())
            } while scanner.consumeByte(0x2C)
        } catch {
            throw Fault(error, hello: field)
        }
    }

    /// Reads the well-formed object that begins at `start`.
    private func helloFields(
        at start: Int, in frame: Span<UInt8>
    ) throws(Fault) -> NameTable<HelloField> {
        var scanner = JSONScanner(frame, from: start, limits: jsonLimits)
        do throws(FaultCode) {
            return try NameTable(
                reading: &scanner, vocabulary.helloFields, depth: 2)
        } catch {
            throw Fault(error)
        }
    }
}

/// Typed access to fields. The value of an absent or `null` field is nil.
extension NameTable<HelloField> {
    /// A string of at most `most` bytes as encoded in the frame.
    fileprivate func text(
        _ name: HelloField, most: Int, in frame: Span<UInt8>
    ) throws(Fault) -> String? {
        guard let token = self[name], token.kind != .null else { return nil }
        guard token.kind == .string else { throw Fault(.invalidField, hello: name) }
        guard Int(token.end - token.start) <= most else { throw Fault(.stringTooLong, hello: name) }
        return token.text(in: frame)
    }

    fileprivate func bool(_ name: HelloField) throws(Fault) -> Bool? {
        guard let token = self[name], token.kind != .null else { return nil }
        guard token.kind == .bool else { throw Fault(.invalidField, hello: name) }
        return token.number != 0
    }

    /// 0, or a sequence number.
    fileprivate func sequence(_ name: HelloField) throws(Fault) -> UInt64? {
        guard let token = self[name], token.kind != .null else { return nil }
        guard token.kind == .number else { throw Fault(.invalidField, hello: name) }
        guard token.number >= 0, token.number <= Double(MessageDecoder.sequenceMax) else {
            throw Fault(.valueOutOfRange, hello: name)
        }
        let whole = UInt64(token.number)
        guard Double(whole) == token.number else { throw Fault(.invalidField, hello: name) }
        return whole
    }
}
