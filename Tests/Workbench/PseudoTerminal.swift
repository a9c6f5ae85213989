package import Foundation
internal import Glibc

/// A terminal of 100 columns. The test reads what a process writes to it.
package final class PseudoTerminal {
    /// The terminal could not be created.
    package struct Unavailable: Error {}

    // The values of TIOCSPTLCK and TIOCGPTN, which Swift does not import. Source: ioctl_tty(2).
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    private let master: Int32
    /// The end that a process uses as its terminal.
    package let end: FileHandle

    package init() throws {
        master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        guard master >= 0, unsafe ioctl(master, Self.setLock, &isLocked) == 0,
            unsafe ioctl(master, Self.getNumber, &number) == 0
        else { throw Unavailable() }
        let slave = unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard slave >= 0 else { throw Unavailable() }
        var size = winsize(ws_row: 30, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
        _ = unsafe ioctl(slave, UInt(TIOCSWINSZ), &size)
        end = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
    }

    deinit { close(master) }

    /// Returns all data until the last process has closed the terminal. The test must release `end`
    /// before it calls this method.
    package func readToEnd() -> String {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            // If no process has the other end open, the read fails with EIO.
            let count = unsafe read(master, &buffer, buffer.count)
            guard count > 0 else { return String(decoding: all, as: UTF8.self) }
            all += buffer[..<count]
        }
    }
}
