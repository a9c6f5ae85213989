#ifndef CPROCESS_SHIM_H
#define CPROCESS_SHIM_H

// Functions of the C library that Swift does not import. They concern this process and its
// children. Swift's importer does not enable the extensions of glibc, so the functions are declared
// again here.

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

// Opens a descriptor that becomes readable when the process has ended. A call of exec closes the
// descriptor. Returns -1 if the kernel does not support such descriptors (before Linux 5.3).
static inline int cprocess_open(pid_t process) { return pidfd_open(process, 0); }

// The flag of posix_spawn that makes the process the leader of a new session, and therefore of a
// new process group.
static const short cprocess_new_session = 0x80;  // POSIX_SPAWN_SETSID

// Creates a pipe. A call of exec closes both ends. The flag for this is set at creation, because
// another thread may start a process at any time.
static inline int cprocess_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

static inline int cprocess_close_from(posix_spawn_file_actions_t *actions, int from) {
    return posix_spawn_file_actions_addclosefrom_np(actions, from);
}

static inline int cprocess_change_folder(
    posix_spawn_file_actions_t *actions, const char *folder) {
    return posix_spawn_file_actions_addchdir_np(actions, folder);
}

// Returns free memory of the heap to the system. Swift does not import malloc.h.
static inline void cprocess_trim_memory(void) { malloc_trim(0); }

// Returns the number of bytes of the heap that are not in use.
static inline size_t cprocess_free_heap(void) { return mallinfo2().fordblks; }

// Returns the exit code in a wait status, or -1 if a signal ended the process. Swift does not
// import the macros that read a wait status.
static inline int cprocess_exit_code(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Returns the signal in a wait status, or 0 if the process was not ended by a signal.
static inline int cprocess_signal(int status) {
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

#endif
