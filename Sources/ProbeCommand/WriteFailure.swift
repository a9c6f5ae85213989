import Foundation

/// Why a file cannot be written, with advice.
enum WriteFailure {
    static func text(_ error: any Error) -> String {
        let system = (error as? CocoaError)?.underlying as? POSIXError
        return switch system?.code {
        case .ENOSPC, .EDQUOT: "there is no space left on the disk; free some, or write elsewhere"
        case .ENOENT, .ENOTDIR: "there is no such folder; create it, or write elsewhere"
        case .EACCES, .EPERM, .EROFS:
            "this user may not write there; grant the permission, or write elsewhere"
        default: error.localizedDescription
        }
    }
}
