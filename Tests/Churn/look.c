/* The daemon ends with _exit and runs no exit handlers, because they would destroy objects that other threads
   use. The leak sanitizer's check is an exit handler, so it would never run. This library is preloaded and
   runs the check in _exit, after the drain, when all sessions have ended. If memory is lost, the sanitizer
   reports it and ends the process with 23. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((noreturn)) void _exit(int status) {
    void (*look)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "__lsan_do_leak_check");
    if (look == NULL) {
        fputs("look.c: this daemon has no leak sanitizer\n", stderr);
        status = 24;
    } else {
        /* If the check finds a leak, the check itself ends the process. */
        look();
        fputs("look.c: looked for leaks\n", stderr);
    }
    syscall(SYS_exit_group, status);
    __builtin_unreachable();
}
