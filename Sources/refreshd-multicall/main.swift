internal import DaemonCommand
internal import Dispatch
internal import Glibc
internal import ProbeCommand

// One executable that contains the programs `refreshd` and `refresh-probe`. The Debian packages
// install it under both names (docs/packaging.md). The name in the command line selects the
// program.
let name = CommandLine.arguments.first?.split(separator: "/").last
guard name == "refresh-probe" else {
    DaemonEntry.main()
    exit(EXIT_SUCCESS)
}
// The daemon must not run within a task, because it blocks the main thread. `refresh-probe` runs in
// a task on the main actor, as with an asynchronous `@main`.
Task { @MainActor in
    await ProbeEntry.main()
    exit(EXIT_SUCCESS)
}
dispatchMain()
