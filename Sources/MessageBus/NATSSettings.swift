internal import CNATS
internal import Glibc

/// The options of libnats for connections to one server.
///
/// libnats connects once with them, and does not connect again: `BusLoop` replaces a connection
/// that is lost. While libnats itself reconnects, it blocks every call on the connection. It also
/// keeps messages for later, gives up after two refused passwords, and does not report why
/// a connection was lost.
@safe final class NATSSettings {
    let pointer: OpaquePointer

    /// The time that a write may wait for a full socket, in milliseconds. Writes of the handshake
    /// wait, and over TLS all writes. `BusService` limits what is written at a time.
    private static let writeDeadlineMs: Int64 = 5000

    /// The maximum number of messages of a subscription that wait in libnats. `NATSLink` sets the
    /// maximum of their bytes. They wait only until the end of the call that has read them.
    static let pendingMessagesMax: Int32 = 65_536

    private let credentials: BusOptions.Credentials
    /// Whether the options require TLS.
    let isSecure: Bool

    /// Sets all options, and reads the files for TLS. libnats also reads the authorities of the
    /// system, which may take 50 ms.
    init(_ options: BusOptions, server: BusServer) throws(NATSFailure) {
        try NATSFailure.check("libnats", NATSLibrary.status)
        var created: OpaquePointer?
        let status = unsafe natsOptions_Create(&created)
        guard status == NATS_OK, let created = unsafe created else {
            throw NATSFailure("libnats", status)
        }
        unsafe pointer = created
        credentials = options.credentials
        isSecure = options.tls != nil || server.isSecure
        try setConnection(options, server)
        if isSecure {
            try setTLS(options.tls ?? BusOptions.TLS(), host: server.host)
        } else {
            // If a server requires TLS, libnats uses TLS in any case, and its calls may then wait.
            // No certificate is valid for this host, so the handshake fails.
            try check(unsafe natsOptions_SetExpectedHostname(pointer, "tls-is-not-configured."))
        }
    }

    /// Prepares one attempt to connect, and reads the files of the credentials. `link` is a number
    /// in `NATSLinkTable`.
    func prepare(link: UInt) throws(NATSFailure) {
        try setIdentity()
        let closure = unsafe UnsafeMutableRawPointer(bitPattern: link)
        try check(unsafe natsOptions_SetClosedCB(pointer, natsLinkClosed, closure))
        try check(unsafe natsOptions_SetErrorHandler(pointer, natsLinkFailed, closure))
        // libnats then has no threads for the connection: `BusService` reads and writes.
        try check(
            unsafe natsOptions_SetEventLoop(
                pointer, closure, natsLinkAttached, natsLinkReads, natsLinkWrites,
                natsLinkDetached))
    }

    deinit { unsafe natsOptions_Destroy(pointer) }

    private func setConnection(_ options: BusOptions, _ server: BusServer) throws(NATSFailure) {
        // If one option were rejected, the connection would behave in another way than documented.
        try check(unsafe natsOptions_SetURL(pointer, server.url))
        try check(unsafe natsOptions_SetName(pointer, Self.escaped(options.name)))
        try check(unsafe natsOptions_SetTimeout(pointer, Int64(options.connectTimeoutMs)))
        try check(unsafe natsOptions_SetAllowReconnect(pointer, false))
        try check(unsafe natsOptions_SetIgnoreDiscoveredServers(pointer, true))
        try check(unsafe natsOptions_SetNoEcho(pointer, true))
        // The pings of libnats come from a thread of its own. It would end a connection that the
        // serving thread uses. `BusLoop` sends pings.
        try check(unsafe natsOptions_SetPingInterval(pointer, 0))
        try check(unsafe natsOptions_SetMaxPendingMsgs(pointer, Self.pendingMessagesMax))
        // Without this option, a thread of libnats sends messages a millisecond later.
        try check(unsafe natsOptions_SetSendAsap(pointer, true))
        try check(unsafe natsOptions_SetWriteDeadline(pointer, Self.writeDeadlineMs))
        // One thread of libnats passes on the answers of all connections.
        try check(unsafe natsOptions_UseGlobalMessageDelivery(pointer, true))
    }

    private func setIdentity() throws(NATSFailure) {
        switch credentials {
        case .none: break
        case .file(let path):
            try check(unsafe natsOptions_SetUserCredentialsFromFiles(pointer, path, nil))
        case .nkey(let path):
            guard let bytes = Self.read(path) else {
                throw NATSFailure("The file \(path) with the seed of an nkey cannot be read.")
            }
            guard let key = NKey(file: bytes)?.publicText else {
                throw NATSFailure("The file \(path) has no valid seed of a user's nkey (SU...).")
            }
            try check(unsafe natsOptions_SetNKeyFromSeed(pointer, key, path))
        case .password(let user, let password):
            try check(
                unsafe natsOptions_SetUserInfo(
                    pointer, Self.escaped(user), Self.escaped(password)))
        }
    }

    private func setTLS(_ tls: BusOptions.TLS, host: String) throws(NATSFailure) {
        try check(unsafe natsOptions_SetSecure(pointer, true))
        // Debian's libnats checks the host in any case, but it can be built without this.
        try check(unsafe natsOptions_SetExpectedHostname(pointer, host))
        if let ca = tls.ca {
            try NATSFailure.check(
                "The authorities \(ca)",
                unsafe natsOptions_LoadCATrustedCertificates(pointer, ca))
        }
        if let certificate = tls.certificate, let key = tls.key {
            try NATSFailure.check(
                "The certificate \(certificate) with its key",
                unsafe natsOptions_LoadCertificatesChain(pointer, certificate, key))
        }
    }

    private func check(_ status: natsStatus) throws(NATSFailure) {
        try NATSFailure.check("libnats refuses an option", status)
    }

    /// Returns a text as the contents of a JSON string. libnats writes names and passwords into a
    /// JSON object without escaping them.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": escaped += "\\\(scalar)"
            case "\u{0}"..<" ":
                let digits = String(scalar.value, radix: 16)
                escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Returns the contents of a small file. Nil if it cannot be read.
    private static func read(_ path: String) -> [UInt8]? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var count = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, filled in
            count = unsafe Glibc.read(file, buffer.baseAddress, buffer.count)
            filled = max(0, count)
        }
        return count >= 0 ? bytes : nil
    }
}
