#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <string.h>

// Before Foundation starts a process, it reads the directory /proc/self/fd. It copies 256 bytes of
// the name of each entry, even if the name is shorter. With some 1,300 open files, the names fill
// the C library's buffer, and the memory after the last name may be unmapped. The tests then crash.
// The functions of this file replace those of the C library. They return a copy of each entry, in
// memory that is large enough. Only the test process needs them, because hundreds of daemons with
// their open files run in it.
static struct dirent *whole(struct dirent *entry) {
    static _Thread_local struct dirent copy;
    if (entry == NULL) return NULL;
    memset(&copy, 0, sizeof copy);
    memcpy(&copy, entry, entry->d_reclen < sizeof copy ? entry->d_reclen : sizeof copy);
    return &copy;
}

typedef struct dirent *(*reader)(DIR *);

struct dirent *readdir(DIR *directory) {
    return whole(((reader)dlsym(RTLD_NEXT, "readdir"))(directory));
}

struct dirent64 *readdir64(DIR *directory) {
    return (struct dirent64 *)whole(((reader)dlsym(RTLD_NEXT, "readdir64"))(directory));
}
