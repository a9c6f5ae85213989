/* Reports each wait for a Mutex to the thread sanitizer. The code that locks a free mutex is
   compiled into this project's code, so the sanitizer sees it. The code that waits is in the Swift
   library, which is not instrumented. Without this library, all accesses under a contended mutex
   would be reported as races. The tests preload this library before all others. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

/* Functions of the sanitizer. The programs that tests start do not have them. */
__attribute__((weak)) void __tsan_acquire(void *);
__attribute__((weak)) void __tsan_release(void *);

typedef SWIFT void (*Locking)(uint32_t thread, SELF);
typedef SWIFT void (*Unlocking)(SELF);

/* _MutexHandle._lockSlow(_:) */
SWIFT void lock(uint32_t thread, SELF self) __asm__(LOCK);
SWIFT void lock(uint32_t thread, SELF self) {
    static Locking original;
    Locking known = __atomic_load_n(&original, __ATOMIC_RELAXED);
    if (known == 0) {
        known = (Locking)dlsym(RTLD_NEXT, LOCK);
        __atomic_store_n(&original, known, __ATOMIC_RELAXED);
    }
    known(thread, self);
    if (__tsan_acquire != 0) __tsan_acquire(self);
}

/* _MutexHandle._unlockSlow() */
SWIFT void unlock(SELF self) __asm__(UNLOCK);
SWIFT void unlock(SELF self) {
    static Unlocking original;
    Unlocking known = __atomic_load_n(&original, __ATOMIC_RELAXED);
    if (known == 0) {
        known = (Unlocking)dlsym(RTLD_NEXT, UNLOCK);
        __atomic_store_n(&original, known, __ATOMIC_RELAXED);
    }
    if (__tsan_release != 0) __tsan_release(self);
    known(self);
}
