/// A value that one thread owns through a reference and changes in place.
///
/// A class's stored property is checked for overlapping accesses at run time, at every access. A
/// check takes about eighty instructions; together they were a twentieth of the cost of a message.
/// Code that keeps a value here guarantees what the check would enforce: no access begins before
/// the last one has ended. A loop's sessions guarantee it by running on one thread, to completion,
/// without being called back.
@safe
struct UnsafeBox<Value: ~Copyable>: ~Copyable {
    private let place: UnsafeMutablePointer<Value>

    init(_ value: consuming Value) {
        unsafe place = .allocate(capacity: 1)
        unsafe place.initialize(to: value)
    }

    deinit {
        unsafe place.deinitialize(count: 1)
        unsafe place.deallocate()
    }

    var value: Value {
        @inline(__always)
        unsafeAddress { unsafe UnsafePointer(place) }
        @inline(__always)
        nonmutating unsafeMutableAddress { unsafe place }
    }
}
