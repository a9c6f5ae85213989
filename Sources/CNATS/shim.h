/*
 * libnats, the C client of the messaging system NATS. Only the module MessageBus imports this module.
 */
#ifndef CNATS_SHIM_H
#define CNATS_SHIM_H

#include <nats/nats.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <time.h>

/* Names the calling thread. The threads that it creates, among them those of libnats, inherit the name. Swift cannot
 * call prctl, which is variadic. pthread_setname_np is declared again here, because glibc declares it under _GNU_SOURCE
 * only. */
extern int pthread_setname_np(pthread_t, const char *);
static inline void cnats_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

/* Returns a new eventfd, or -1. Swift's module of glibc does not have eventfd. */
static inline int cnats_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/* Waits for a condition until a time of the system's monotonic clock, whatever clock the condition has. Returns 0 or an
 * error number. Libraries that simulate another time of day replace pthread_cond_timedwait, and take this clock for it. */
extern int pthread_cond_clockwait(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);
static inline int cnats_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time) {
    return pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, time);
}

#endif
