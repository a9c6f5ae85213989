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

/* A timer and whom to tell. The library hands back the address of the first member only, and
 * the layout of a Swift structure is not promised to begin with its first member. */
struct clws_timer {
	lws_sorted_usec_list_t sul;
	void *owner;
};

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
