internal import Glibc

/// A thread of our own that runs one closure to its end.
package final class ServiceThread: Sendable {
    private let thread: pthread_t

    /// Starts `body`. Nil when the system has no thread to give.
    package init?(_ body: @escaping @Sendable () -> Void) {
        let start = Start(body)
        var thread: pthread_t = 0
        let status = unsafe pthread_create(
            &thread, nil, serviceThreadMain, Unmanaged.passRetained(start).toOpaque())
        guard status == 0 else {
            unsafe Unmanaged.passUnretained(start).release()
            return nil
        }
        self.thread = thread
    }

    /// Whether the caller runs on this thread.
    package var isCurrent: Bool { pthread_equal(pthread_self(), thread) != 0 }

    /// Waits for the end of the closure. Once, and never on this thread itself.
    package func join() { pthread_join(thread, nil) }

    /// Lets the thread end by itself. Instead of `join`.
    package func detach() { pthread_detach(thread) }

    fileprivate final class Start: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}

private func serviceThreadMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument = unsafe argument else { return nil }
    let start = unsafe Unmanaged<ServiceThread.Start>.fromOpaque(argument).takeRetainedValue()
    start.body()
    return nil
}
