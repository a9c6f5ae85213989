internal import Glibc

/// Where a service manager has the daemon keep what is to outlive it. Source: systemd.exec(5),
/// "StateDirectory=".
enum StateFolder {
    /// The first of `STATE_DIRECTORY`; nil where none was given.
    static var ofServiceManager: String? {
        guard let text = unsafe getenv("STATE_DIRECTORY").map({ unsafe String(cString: $0) })
        else { return nil }
        return text.split(separator: ":").first.map(String.init)
    }
}
