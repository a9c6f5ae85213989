/* Simulates a power failure for one folder: data that was not synced is lost.

   This library is preloaded. It records each change that the daemon makes to the folder POWER_LOSS_FOLDER or to its name.
   When the power fails, it undoes every change that no fsync has made durable, and ends the process with SIGKILL:

   - A new name (open, link, rename, mkdir) disappears, unless its folder was synced after the change.
   - A removed name reappears, unless its folder was synced after the change.
   - A file keeps only the content of its last fsync.

   The power fails before change number POWER_LOSS_AT, or at SIGUSR2. Changes are counted from 1, and a sync counts too. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum kind { MADE, REMOVED, WRITTEN };

/* A change that a power failure would undo. The record of a change is kept until a sync makes the change durable. */
struct change {
    enum kind kind;
    char path[1024];   /* of the name or of the file */
    char stash[1100];  /* REMOVED: where the file is kept until then */
    off_t size;        /* WRITTEN: the synced size */
};

static struct change changes[256];
static int change_count;
static long counted;
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static const char *folder(void) { return getenv("POWER_LOSS_FOLDER"); }

static int is_inside(const char *path) {
    const char *top = folder();
    size_t length = top ? strlen(top) : 0;
    return length > 0 && strncmp(path, top, length) == 0 && (path[length] == 0 || path[length] == '/');
}

/* Sets `path` to the path of an open file, which may be outside the folder. False if the path is unknown. */
static int path_of(int descriptor, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, 1023);
    if (length <= 0) return 0;
    path[length] = 0;
    return 1;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)status; (void)type; (void)place;
    return remove(path);
}

static void lose_power(void) {
    for (int index = change_count - 1; index >= 0; index--) {
        struct change *change = &changes[index];
        switch (change->kind) {
        case MADE: nftw(change->path, remove_one, 16, FTW_DEPTH | FTW_PHYS); break;
        case REMOVED: REAL(rename)(change->stash, change->path); break;
        case WRITTEN: if (truncate(change->path, change->size) != 0) break; break;
        }
    }
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

/* The daemon's own threads block SIGUSR2, so a thread of this library waits for it. */
static void *wait_for_signal(void *signals) {
    int number;
    if (sigwait(signals, &number) == 0) lose_power();
    return NULL;
}

__attribute__((constructor)) static void begin(void) {
    static sigset_t signals;
    pthread_t thread;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR2);
    /* Threads that are created later inherit this mask. */
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    if (pthread_create(&thread, NULL, wait_for_signal, &signals) != 0) abort();
}

/* Counts a change that is about to be made. The power fails if the change has the number POWER_LOSS_AT. */
static void count(void) {
    const char *at = getenv("POWER_LOSS_AT");
    counted += 1;
    if (at != NULL && counted == atol(at)) lose_power();
}

static struct change *remember(enum kind kind, const char *path) {
    if (change_count == 256) abort();
    struct change *change = &changes[change_count++];
    memset(change, 0, sizeof *change);
    change->kind = kind;
    snprintf(change->path, sizeof change->path, "%s", path);
    return change;
}

/* Whether `path` is directly in the folder `parent`. */
static int is_in(const char *path, const char *parent) {
    const char *slash = strrchr(path, '/');
    size_t length = strlen(parent);
    return slash != NULL && (size_t)(slash - path) == length && strncmp(path, parent, length) == 0;
}

/* The file or folder was synced. Removes the changes that are now durable. */
static void synced(const char *path) {
    int kept = 0;
    for (int index = 0; index < change_count; index++) {
        struct change *change = &changes[index];
        int lasts = change->kind == WRITTEN ? strcmp(change->path, path) == 0 : is_in(change->path, path);
        if (lasts && change->kind == REMOVED) REAL(unlink)(change->stash);
        if (!lasts) changes[kept++] = *change;
    }
    change_count = kept;
}

static int open_any(int (*real)(const char *, int, ...), const char *path, int flags, mode_t mode) {
    if (!is_inside(path) || !(flags & O_CREAT)) return real(path, flags, mode);
    pthread_mutex_lock(&lock);
    count();
    int is_new = access(path, F_OK) != 0;
    int descriptor = real(path, flags, mode);
    int error = errno;
    if (descriptor >= 0 && is_new) remember(MADE, path);
    pthread_mutex_unlock(&lock);
    errno = error;
    return descriptor;
}

int open(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    return open_any(REAL(open), path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    return open_any(REAL(open64), path, flags, mode);
}

ssize_t write(int descriptor, const void *bytes, size_t length) {
    char path[1024];
    if (folder() == NULL || !path_of(descriptor, path) || !is_inside(path)) return REAL(write)(descriptor, bytes, length);
    pthread_mutex_lock(&lock);
    count();
    struct stat status;
    if (fstat(descriptor, &status) == 0) remember(WRITTEN, path)->size = status.st_size;
    ssize_t result = REAL(write)(descriptor, bytes, length);
    int error = errno;
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}

static int sync_any(int (*real)(int), int descriptor) {
    char path[1024];
    if (folder() == NULL || !path_of(descriptor, path)) return real(descriptor);
    pthread_mutex_lock(&lock);
    if (is_inside(path) || is_in(folder(), path)) count();
    int result = real(descriptor);
    int error = errno;
    if (result == 0) synced(path);
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}

int fsync(int descriptor) { return sync_any(REAL(fsync), descriptor); }
int fdatasync(int descriptor) { return sync_any(REAL(fdatasync), descriptor); }

int mkdir(const char *path, mode_t mode) {
    if (!is_inside(path)) return REAL(mkdir)(path, mode);
    pthread_mutex_lock(&lock);
    count();
    int result = REAL(mkdir)(path, mode);
    int error = errno;
    if (result == 0) remember(MADE, path);
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}

int link(const char *from, const char *to) {
    if (!is_inside(to)) return REAL(link)(from, to);
    pthread_mutex_lock(&lock);
    count();
    int result = REAL(link)(from, to);
    int error = errno;
    if (result == 0) {
        remember(MADE, to);
        /* Both names have the same content, so unsynced data of one is unsynced data of the other. */
        for (int index = 0, end = change_count; index < end; index++)
            if (changes[index].kind == WRITTEN && strcmp(changes[index].path, from) == 0)
                remember(WRITTEN, to)->size = changes[index].size;
    }
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}

static void stash(struct change *change) {
    static int number;
    snprintf(change->stash, sizeof change->stash, "%s.forgotten-%d-%d", folder(), (int)getpid(), number++);
}

int unlink(const char *path) {
    if (!is_inside(path)) return REAL(unlink)(path);
    pthread_mutex_lock(&lock);
    count();
    int result = access(path, F_OK);
    if (result == 0) {
        struct change *change = remember(REMOVED, path);
        stash(change);
        result = REAL(rename)(path, change->stash);
    }
    int error = errno;
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}

int rename(const char *from, const char *to) {
    if (!is_inside(to)) return REAL(rename)(from, to);
    pthread_mutex_lock(&lock);
    count();
    if (access(to, F_OK) == 0) {
        struct change *change = remember(REMOVED, to);
        stash(change);
        if (REAL(rename)(to, change->stash) != 0) abort();
    }
    int result = REAL(rename)(from, to);
    int error = errno;
    if (result == 0) remember(MADE, to);
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}
