internal import DaemonCommand

DaemonEntry.main()
