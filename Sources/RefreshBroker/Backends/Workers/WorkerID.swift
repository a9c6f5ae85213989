/// The identity of one worker of a backend, a process or a connection. It is never reused.
package struct WorkerID: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }
}
