import Glibc
import Testing

@testable import RefreshServer

@Suite("Folders in which no file can be created")
struct WritabilityCheckTests {
    @Test(
        "The error of a failed creation includes advice",
        arguments: [
            (ENOSPC, "No space left on device; make room there, or name another folder"),
            (EDQUOT, "Disk quota exceeded; make room there, or name another folder"),
            (EACCES, "Permission denied; let this user write there, or name another folder"),
            (ENOENT, "No such file or directory; create its parent folder, or name another one"),
            (EROFS, "Read-only file system; name a folder that this user may write in"),
        ])
    func advice(errno: Int32, message: String) {
        #expect(WritabilityCheck.messageWithAdvice(errno) == message)
    }

    @Test("A path of a file instead of a folder is refused with the same advice")
    func file() {
        #expect(
            WritabilityCheck.refusal(of: "/proc/self/status")
                == "Not a directory; name a folder that this user may write in")
    }
}
