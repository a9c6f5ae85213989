/* Writes the number of allocated bytes to the file named by LIVE_BYTES, ten times a second. Resident memory
   also includes free memory of the allocator, which varies with fragmentation. The number of allocated bytes
   can be compared between measurements. This library is preloaded before all others. */
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
        /* The sum over all arenas. Memory in the threads' caches (tcache) would count as allocated. */
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
    /* The daemon's own threads must receive its signals. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    pthread_create(&thread, NULL, count, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
