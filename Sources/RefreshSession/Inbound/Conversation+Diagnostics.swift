import RefreshBroker
import RefreshEngine
import RefreshProtocol

/// Counts the input of clients that the daemon ignores, and reports it to clients that asked for
/// diagnostics. Source: docs/protocol.md, "diagnostic".
extension Conversation {
    /// Counts and reports one ignored input.
    @inline(never)
    mutating func reportDiagnostic(_ diagnostic: Diagnostic, at now: Instant) {
        services.metrics.recordDiagnostic(diagnostic.code)
        sendDiagnostics([diagnostic], of: 1, at: now)
    }

    /// Handles a message of a client that asked for diagnostics, or that has not sent `hello` yet.
    /// A `hello` may ask for diagnostics.
    @inline(never)
    mutating func handleWithDiagnostics(
        _ message: ClientMessage, in frame: Span<UInt8>, using scratch: inout FrameScratch,
        at now: Instant
    ) {
        let start = scratch.decoder.objectStart
        let header = message.header
        let mistakes = inbound.wantsDiagnostics ? mistakes(in: message, at: now) : []
        if renderMode.settings.mode == .local, let hint = scratch.decoder.hint(in: frame) {
            handle(message, with: hint, at: now)
        } else {
            handle(message, at: now)
        }
        if inbound.movements != nil { finishMovement(of: header, mistakes, at: now) }
        reportSkippedFields(message.type, in: frame, at: start, seq: header?.seq, now)
    }

    /// Reports the fields that the decoder skipped in a message. The decoder has already counted
    /// these fields.
    @inline(never)
    mutating func reportSkippedFields(
        _ type: MessageType, in frame: Span<UInt8>, at start: Int, seq: UInt64? = nil,
        _ now: Instant
    ) {
        guard inbound.wantsDiagnostics, phase.isOpen else { return }
        let inspector = MessageInspector(
            type, in: frame, at: start, seq: seq, features: inbound.features,
            most: availableDiagnostics(at: now))
        sendDiagnostics(inspector.diagnostics, of: inspector.count, at: now)
    }

    /// Reports the skipped fields of a `hello` that had to wait for its answer. `text` is the
    /// message as received.
    mutating func reportSkippedHelloFields(_ text: [UInt8], at now: Instant) {
        guard inbound.wantsDiagnostics, !text.isEmpty else { return }
        reportSkippedFields(.hello, in: text.span, at: 0, now)
    }

    /// Adds the decoder's counts of ignored input to the metrics.
    mutating func recordIgnoredInput(using scratch: inout FrameScratch) {
        guard scratch.decoder.hasIgnored else { return }
        services.metrics.recordIgnored(scratch.decoder.consumeIgnored())
    }

    private mutating func availableDiagnostics(at now: Instant) -> Int {
        inbound.diagnosticBudget.available(limit: services.limits.diagnosticsMax, at: now)
    }

    /// Sends as many diagnostics as the budget allows. `count` is the number of ignored inputs. The
    /// inputs for which no diagnostic is sent are counted as dropped.
    private mutating func sendDiagnostics(
        _ diagnostics: [Diagnostic], of count: Int, at now: Instant
    ) {
        guard inbound.wantsDiagnostics, phase.isOpen, count > 0 else { return }
        let sent = diagnostics.prefix(availableDiagnostics(at: now))
        for diagnostic in sent {
            let dropped = inbound.diagnosticBudget.spend()
            outbox.append(.passing(ServerText.diagnostic(diagnostic, dropped: dropped)))
        }
        inbound.diagnosticBudget.recordDropped(count - sent.count)
        services.metrics.recordDroppedDiagnostics(count - sent.count)
    }

    /// Reports paging options that the client set although the configuration of the feed determines
    /// them.
    mutating func reportIgnoredPaging(
        _ overrides: PagingOverrides, ofViewAt index: Int, seq: UInt64?, at now: Instant
    ) {
        let paging = views[index].engine.options.paging
        let ignored: [(name: OptionField, isIgnored: Bool)] = [
            (.style, overrides.style.map { $0 != paging.style } ?? false),
            (.first, overrides.first.map { $0 != paging.first } ?? false),
            (.size, overrides.size.map { $0 != paging.size } ?? false),
        ]
        for option in ignored where option.isIgnored {
            reportDiagnostic(
                Diagnostic(
                    .notConfigurable, seq: seq, view: views[index].id,
                    field: "paging." + option.name.wireName), at: now)
        }
    }

    /// Reports the options in a resuming client's `hello` that differ from the options of the
    /// session's views. The views keep their own options.
    mutating func reportIgnoredOptions(of hello: Hello, at now: Instant) {
        for attach in hello.views {
            guard let index = viewIndex(attach.view) else { continue }
            for field in differingFields(of: attach, from: views[index]) {
                reportDiagnostic(
                    Diagnostic(.resumedOtherwise, view: attach.view, field: field.wireName),
                    at: now)
            }
        }
    }

    private func differingFields(of attach: Attach, from view: ViewSlot) -> [Field] {
        let options = view.engine.options
        var fields: [Field] = []
        if attach.profile != view.profile.rawValue { fields.append(.profile) }
        if attach.feed != view.feed?.name {
            fields.append(.feed)
        } else if inbound.features?.contains(.query) != true,
            !hasSameParameters(attach, as: view.feed)
        {
            fields.append(.parameters)
        }
        if attach.layout.axis != options.layout.axis { fields.append(.axis) }
        if attach.layout.isReversed != options.layout.isReversed { fields.append(.reversed) }
        if let attention = attach.attention, attention != options.attention {
            fields.append(.attention)
        }
        if let haptics = attach.haptics, haptics != options.playsHaptics {
            fields.append(.haptics)
        }
        if let announcements = attach.announcements, announcements != options.announces {
            fields.append(.announcements)
        }
        return fields
    }

    /// Whether the parameters equal those of the view, in any order.
    private func hasSameParameters(_ attach: Attach, as use: FeedUse?) -> Bool {
        let feed = use.flatMap { services.feed(ofView: $0.name) }
        guard let named = try? parameters(attach.parameters, for: feed) else { return false }
        return Set(named) == Set(use?.parameters ?? [])
    }
}
