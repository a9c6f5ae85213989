internal import Glibc

/// The folder that the service manager provides for state that outlives the process. Source:
/// systemd.exec(5), "StateDirectory=".
enum StateFolder {
    /// The first folder of `STATE_DIRECTORY`; nil if it is not set.
    static var ofServiceManager: String? {
        guard let text = unsafe getenv("STATE_DIRECTORY").map({ unsafe String(cString: $0) })
        else { return nil }
        return text.split(separator: ":").first.map(String.init)
    }
}
