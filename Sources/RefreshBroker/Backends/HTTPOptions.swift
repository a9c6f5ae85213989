/// How the `http` backend talks to its server. All of it comes from the configuration.
package struct HTTPOptions: Hashable, Sendable {
    /// Name resolution, TCP and TLS together, milliseconds, 1...600,000.
    package var connectTimeoutMs = 2_000
    /// The whole call, milliseconds, 1...3,600,000.
    package var totalTimeoutMs = 10_000
    /// Bytes of a body, 1...; a larger one is cut off while it comes in.
    package var responseBytesMax = 8_388_608
    /// Whether a 3xx is followed: at most `redirectsMax` times, to `http` and `https` only, and
    /// from `https` to `https` only.
    package var followsRedirects = false
    /// A proxy's URL; nil: none. The environment (`http_proxy` and its kin) is ignored either way.
    package var proxy: String?

    package static var redirectsMax: Int { 5 }

    package init() {}

    func check() throws(BackendConfigurationError) {
        guard 1...600_000 ~= connectTimeoutMs else {
            throw BackendConfigurationError("connectTimeoutMs", "It must be 1 to 600000.")
        }
        guard 1...3_600_000 ~= totalTimeoutMs else {
            throw BackendConfigurationError("totalTimeoutMs", "It must be 1 to 3600000.")
        }
        guard 1...1_073_741_824 ~= responseBytesMax else {
            throw BackendConfigurationError("responseBytesMax", "It must be 1 to 1073741824.")
        }
    }
}
