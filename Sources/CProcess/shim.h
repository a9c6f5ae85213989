#ifndef CPROCESS_SHIM_H
#define CPROCESS_SHIM_H

// What Swift's view of the C library leaves out of the care for processes, children and this one: it does not ask
// for the extensions of glibc, which are declared here once more.

#include <fcntl.h>
#include <malloc.h>
#include <sched.h>
#include <spawn.h>
#include <sys/types.h>
#include <sys/wait.h>

int pidfd_open(pid_t process, unsigned int flags);
int pipe2(int ends[2], int flags);
int sched_getaffinity(pid_t process, size_t bytes, cpu_set_t *processors);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
int posix_spawn_file_actions_addchdir_np(
    posix_spawn_file_actions_t *actions, const char *folder);

// Readable once the process has ended. -1 where the kernel has none (before 5.3). Closed by exec.
static inline int cprocess_open(pid_t process) { return pidfd_open(process, 0); }

// The flag of posix_spawn that makes the process the leader of a session, and so of a group, of its own.
static const short cprocess_new_session = 0x80;  // POSIX_SPAWN_SETSID

// Both ends are closed by exec, from the first moment: another thread may start a process any time.
static inline int cprocess_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

static inline int cprocess_close_from(posix_spawn_file_actions_t *actions, int from) {
    return posix_spawn_file_actions_addclosefrom_np(actions, from);
}

static inline int cprocess_change_folder(
    posix_spawn_file_actions_t *actions, const char *folder) {
    return posix_spawn_file_actions_addchdir_np(actions, folder);
}

// Gives what is free back to the system. malloc.h is not in Swift's view of the C library.
static inline void cprocess_trim_memory(void) { malloc_trim(0); }

// Bytes that the heap has and does not use.
static inline size_t cprocess_free_heap(void) { return mallinfo2().fordblks; }

// The macros that read a status are not imported. -1: it did not exit.
static inline int cprocess_exit_code(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// 0: no signal ended it.
static inline int cprocess_signal(int status) {
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

#endif
