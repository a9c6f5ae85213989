package import Foundation

/// The files to which the configurations in docs/ refer.
package enum ExampleFolder {
    /// The public key of RFC 7515, A.3.
    private static let publicKeys =
        #"{"keys":[{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","#
        + #""y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]}"#

    /// Creates a folder with the files to which examples refer.
    package static func make() throws -> URL {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["hello.json", "brand.json"] {
            try Data(#"{"letters":{"text":"HELLO"}}"#.utf8)
                .write(to: folder.appendingPathComponent(name))
        }
        try Data(Self.publicKeys.utf8).write(to: folder.appendingPathComponent("keys.json"))
        let pair = try pair.get()
        try Data(pair.certificate).write(to: folder.appendingPathComponent("chain.pem"))
        try Data(pair.certificate).write(to: folder.appendingPathComponent("ca.pem"))
        try Data(pair.key).write(to: folder.appendingPathComponent("key.pem"))
        try Data(ClusterFiles.credentials.utf8)
            .write(to: folder.appendingPathComponent("cluster.creds"))
        return folder
    }

    /// A certificate and its key. They are created once, because examples are read concurrently.
    private static let pair = Result {
        let pair = try CertificateFolder().make("own")
        return (certificate: try pair.certificateBytes, key: try pair.keyBytes)
    }
}
