/* Writes how many bytes are allocated into the file that LIVE_BYTES names, ten times a second. What is
   resident says how much the allocator has of the system, which rises and falls with how it was cut up;
   this says how much is in use, to the byte. Loaded before all others. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int file = -1;

static void *count(void *unused) {
    (void)unused;
    for (;;) {
        /* Of all arenas; what a thread keeps to itself for its next allocations counts as used. */
        struct mallinfo2 all = mallinfo2();
        char line[32];
        int size = snprintf(line, sizeof line, "%-20zu\n", all.uordblks + all.hblkhd);
        if (pwrite(file, line, size, 0) != size) return NULL;
        usleep(100000);
    }
}

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("LIVE_BYTES");
    if (path == NULL) return;
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) return;
    unsetenv("LIVE_BYTES");
    /* Signals are for the daemon's own threads. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    pthread_create(&thread, NULL, count, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
