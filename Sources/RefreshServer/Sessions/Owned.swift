/// A value that one thread owns through a reference, to be changed in place.
///
/// A class's stored property is checked for overlapping accesses at run time, at every access:
/// about eighty instructions each, a twentieth of a message in all. Whoever keeps a value here
/// promises what the check would find out: no access begins before the last one has ended. A loop's
/// sessions keep it by running on one thread, to completion, without being called back.
@safe
struct Owned<Value: ~Copyable>: ~Copyable {
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
