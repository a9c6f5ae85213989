/// A value that one thread owns through a reference and changes in place.
///
/// At run time, every access to a stored property of a class is checked for overlapping accesses. A
/// check takes about eighty instructions. All checks together would be a twentieth of the cost of a
/// message. Code that stores a value here must itself guarantee that accesses do not overlap. The
/// sessions of a loop guarantee this: they run on one thread, and each call runs to completion.
/// While a session handles a call, the objects that it uses do not call the session.
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
