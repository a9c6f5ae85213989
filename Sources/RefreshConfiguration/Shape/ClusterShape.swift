/// The keys of `cluster`. `ClusterReader` checks which keys may be combined. Source:
/// docs/configuration.md, "cluster".
enum ClusterShape {
    static let keys = [
        SettingsKey(
            "name", .text(pattern: "^[a-z0-9_-]{1,32}$"), isRequired: true,
            meaning: "the name of the cluster; daemons with the same name and the same servers are "
                + "its nodes"),
        SettingsKey(
            "servers",
            .list(.text(pattern: "^(nats|tls)://[^@/?#]+$"), orOne: true, isNeverEmpty: true),
            isRequired: true, secrecy: .address,
            meaning: "NATS servers, nats://HOST:PORT or tls://HOST:PORT; at most "
                + "\(ClusterSettings.serversMax); the daemon is connected to one of them"),
        SettingsKey(
            "node", .text(pattern: ConfiguredName.pattern),
            meaning: "the name of this node in logs and answers; without the key, the name of the "
                + "host"),
        SettingsKey(
            "credentials", .text(),
            meaning: "credentials file of NATS, with the token and the seed of a user"),
        SettingsKey(
            "nkey", .text(),
            meaning: "file with the seed of the nkey of a user; the seed begins with SU"),
        SettingsKey(
            "user", .text(pattern: "^[!-~]{1,64}$"),
            meaning: "the name of a user; requires passwordFile"),
        SettingsKey(
            "passwordFile", .text(), meaning: "file with the password of user, in one line"),
        SettingsKey(
            "tls", .table(tls), meaning: "certificates for the connections to servers with tls://"),
        SettingsKey(
            "connectTimeoutMs", .integer(100...60_000),
            meaning: "ms within which an attempt to connect to a server must succeed",
            standard: ClusterSettings.standardConnectTimeoutMs.description),
    ]

    private static let tls = [
        SettingsKey(
            "ca", .text(),
            meaning: "PEM file of the certificates that are trusted in addition to the system's"),
        SettingsKey(
            "certificate", .text(),
            meaning: "file with the certificate chain with which the daemon authenticates, its own "
                + "certificate first; PEM; requires key"),
        SettingsKey(
            "key", .text(),
            meaning: "file with the private key of certificate, readable only by the daemon's "
                + "user; PEM; requires certificate"),
    ]
}
