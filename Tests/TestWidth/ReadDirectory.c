#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <string.h>

// Before it starts a process, Foundation reads /proc/self/fd and copies 256 bytes of each name,
// however short it is. With some 1,300 open files, the C library's buffer is full, and memory
// behind the last name may be unmapped. The tests then crash. This library therefore returns a
// complete copy of each entry. A daemon does not need it, but the test process has hundreds of
// daemons with their files.
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
