/*
 * What Swift cannot reach in libwebsockets by itself. Header only; nothing here decides anything.
 * libuv is here because each loop brings its own: see docs/decisions/0003-transport.md.
 */
#ifndef CLWS_SHIM_H
#define CLWS_SHIM_H

#include <libwebsockets.h>
#include <pthread.h>
#include <sys/socket.h>
#include <uv.h>

/* LWS_PRE is a macro with conditional parts: Swift imports no such macro. */
static inline size_t clws_headroom(void) { return LWS_PRE; }

/* A close frame. The library's own name for this value is not in its public headers. */
static inline enum lws_write_protocol clws_write_close(void) { return (enum lws_write_protocol)4; }

/* accept4 is declared under _GNU_SOURCE only, which the importer does not set. */
extern int accept4(int, struct sockaddr *, socklen_t *, int);
static inline int clws_accept(int listener)
{
	return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

/* prctl takes variable arguments, pthread_setname_np is declared under _GNU_SOURCE only. */
extern int pthread_setname_np(pthread_t, const char *);
static inline void clws_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

#endif
