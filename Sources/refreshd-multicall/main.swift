internal import DaemonCommand
internal import Dispatch
internal import Glibc
internal import ProbeCommand

// One executable with two names, as the Debian packages install it (docs/packaging.md). The name in
// the command line selects the program.
let name = CommandLine.arguments.first?.split(separator: "/").last
guard name == "refresh-probe" else {
    DaemonEntry.main()
    exit(EXIT_SUCCESS)
}
// The daemon must not run within a task, because it keeps the main thread. This does what an
// asynchronous `@main` does.
Task { @MainActor in
    await ProbeEntry.main()
    exit(EXIT_SUCCESS)
}
dispatchMain()
