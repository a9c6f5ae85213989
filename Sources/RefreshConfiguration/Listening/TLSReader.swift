internal import WebSocketTransport
internal import Yams

/// Reads `tls` of a configuration file, and checks its files.
struct TLSReader {
    let folder: ConfigurationFolder

    /// Returns the settings, or reports the problems and returns nil.
    func settings(_ node: Node, with reader: inout SettingsReader) -> TLSSettings? {
        guard
            let mapping = reader.mapping(node, key: "tls", known: ["certificate", "key"])
        else { return nil }
        for name in ["certificate", "key"] where mapping[name] == nil {
            reader.report("`\(name)` is missing", key: "tls", at: node)
        }
        guard let certificate = reader.string("certificate", in: mapping),
            let key = reader.string("key", in: mapping)
        else { return nil }
        let settings = TLSSettings(
            certificate: folder.resolve(certificate), key: folder.resolve(key))
        do throws(TLSSettings.Mistake) {
            _ = try settings.identity()
            return settings
        } catch {
            reader.report(
                error.description, key: mapping.key(error.name), at: mapping[error.name] ?? node)
            return nil
        }
    }
}
