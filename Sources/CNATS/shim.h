/*
 * libnats, the C client of the messaging system NATS. Only the module MessageBus imports this module.
 */
#ifndef CNATS_SHIM_H
#define CNATS_SHIM_H

#include <nats/nats.h>
#include <pthread.h>
#include <sys/eventfd.h>

/* Names the calling thread. The threads that it creates, among them those of libnats, inherit the name. Swift cannot
 * call prctl, which is variadic. pthread_setname_np is declared again here, because glibc declares it under _GNU_SOURCE
 * only. */
extern int pthread_setname_np(pthread_t, const char *);
static inline void cnats_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

/* Returns a new eventfd, or -1. Swift's module of glibc does not have eventfd. */
static inline int cnats_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

#endif
