/// A file with trusted certificates.
enum CertificateFile {
    /// Throws an error unless the file is readable and looks like PEM. A feed without any trusted
    /// certificate should not start.
    static func check(_ path: String) throws(BackendConfigurationError) {
        let mark = Array("-----BEGIN CERTIFICATE-----".utf8)
        let content: FileContent?
        do throws(LoadFailure) {
            content = try FileContent.read(path, bytesMax: 16_777_216)
        } catch {
            throw BackendConfigurationError("ca", error.message)
        }
        guard let content else { throw BackendConfigurationError("ca", "There is no such file.") }
        let lines = content.bytes.split(separator: UInt8(ascii: "\n"))
        guard lines.contains(where: { $0.starts(with: mark) }) else {
            throw BackendConfigurationError("ca", "The file contains no certificate in PEM.")
        }
    }
}
