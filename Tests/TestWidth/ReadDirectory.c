#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <string.h>

// Foundation looks through /proc/self/fd before it starts a process, and copies 256 bytes of each name however
// short it is. At the end of a full buffer of the C library, which some 1,300 open files fill, there may be nothing
// behind the name, and the tests die. So each entry is given out as a whole one. (A daemon has its files for as
// long as its process lives, and the tests have hundreds of daemons.)
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
