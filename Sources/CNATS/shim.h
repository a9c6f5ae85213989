/*
 * libnats, the C client of the messaging system NATS. Only the module MessageBus imports this module.
 */
#ifndef CNATS_SHIM_H
#define CNATS_SHIM_H

#include <fcntl.h>
#include <nats/nats.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

/* Names the calling thread. The threads that it creates, among them those of libnats, inherit the name. Swift cannot
 * call prctl, which is variadic. pthread_setname_np is declared again here, because glibc declares it under _GNU_SOURCE
 * only. */
extern int pthread_setname_np(pthread_t, const char *);
static inline void cnats_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

/* Returns a new eventfd, or -1. Swift's module of glibc does not have eventfd. */
static inline int cnats_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

static void cnats_handle_interruption(int signal) { (void)signal; }

/* From now on, cnats_interrupt ends a call of the system in which this thread waits. The signal has no other effect. */
static inline void cnats_allow_interruption(void) {
    struct sigaction action = {.sa_handler = cnats_handle_interruption};
    sigset_t signals;
    sigaction(SIGURG, &action, NULL);
    sigemptyset(&signals);
    sigaddset(&signals, SIGURG);
    pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

static inline void cnats_interrupt(pthread_t thread) { pthread_kill(thread, SIGURG); }

/* Returns another descriptor of the same file, or -1. Swift cannot call fcntl, which is variadic, with this command. */
static inline int cnats_duplicate(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 0); }

/* Returns the number of bytes that a socket has received and nothing has read, or -1. */
static inline int cnats_unread(int descriptor) {
    int count = 0;
    return ioctl(descriptor, FIONREAD, &count) == 0 ? count : -1;
}

/* The bytes of a TCP socket. */
struct cnats_traffic {
    unsigned long long acknowledged; /* the peer's kernel has them */
    unsigned long long waiting;      /* written, and not acknowledged yet */
    unsigned long long received;
};

/* Returns zeros if the descriptor is no TCP socket. The header of glibc has only the first part of the kernel's struct
 * tcp_info. */
static inline struct cnats_traffic cnats_traffic(int descriptor) {
    struct {
        unsigned char head[104];
        unsigned long long rates[2], acknowledged, received;
    } info = {{0}, {0}, 0, 0};
    socklen_t length = sizeof(info);
    int waiting = 0;
    getsockopt(descriptor, IPPROTO_TCP, 11 /* TCP_INFO */, &info, &length);
    ioctl(descriptor, TIOCOUTQ, &waiting);
    struct cnats_traffic traffic = {info.acknowledged, waiting > 0 ? (unsigned long long)waiting : 0, info.received};
    return traffic;
}

#endif
