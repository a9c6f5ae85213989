/*
 * The parts of libwebsockets that Swift cannot import. The module has no code besides this header,
 * and the functions make no decisions. libuv is included because each event loop has a libuv loop
 * of its own: see docs/decisions/0003-transport.md.
 */
#ifndef CLWS_SHIM_H
#define CLWS_SHIM_H

#include <libwebsockets.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <uv.h>

/* Swift does not import the macro LWS_PRE, because it has conditional parts. */
static inline size_t clws_headroom(void) { return LWS_PRE; }

/* The value that makes lws_write send a close frame. libwebsockets's own name for this value is not
 * in its public headers. */
static inline enum lws_write_protocol clws_write_close(void) { return (enum lws_write_protocol)4; }

/* accept4 is declared under _GNU_SOURCE only, which Swift's importer does not set. */
extern int accept4(int, struct sockaddr *, socklen_t *, int);
static inline int clws_accept(int listener)
{
	return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

/* Creates an epoll instance. It makes one report each time a watched socket becomes readable
 * or writable, or the peer ends its side of the connection. A state that exists when the watch begins
 * is also reported. The four functions on epoll are in C because Swift does not import EPOLLET, the
 * largest flag, as a number. */
static inline int clws_make_watch(void) { return epoll_create1(EPOLL_CLOEXEC); }

/* Starts to watch a socket. If it is watched already, its current state is reported once more. */
static inline int clws_watch(int watch, int socket, int is_watched)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data = { .fd = socket } };
	return epoll_ctl(watch, is_watched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event);
}

static inline int clws_unwatch(int watch, int socket) { return epoll_ctl(watch, EPOLL_CTL_DEL, socket, NULL); }

/* Stores the sockets with pending events, at most 32, and returns their number. */
static inline int clws_watched(int watch, int *sockets)
{
	struct epoll_event events[32];
	int count = epoll_wait(watch, events, 32, 0);
	for (int i = 0; i < count; i++)
		sockets[i] = events[i].data.fd;
	return count;
}

/* Returns whether the peer of a socket has ended its side of the connection. */
static inline int clws_has_ended(int socket)
{
	struct pollfd state = { .fd = socket, .events = 0x2000 /* POLLRDHUP, declared under _GNU_SOURCE only */ };
	return poll(&state, 1, 0) > 0 && (state.revents & (0x2000 | POLLHUP | POLLERR));
}

/* Returns the number of bytes that were read from a TCP socket since it was opened, or -1 if the
 * number is unknown. The result is the number of received bytes minus that of pending bytes. The
 * kernel counts the FIN of the peer as one byte. glibc does not declare the field (linux/tcp.h:
 * tcpi_bytes_received, Linux 4.1). */
static inline int64_t clws_bytes_taken(int socket)
{
	enum { at = 128, state_close_wait = 8 };
	unsigned char info[at + 8], again[at + 8];
	for (int i = 0; i < 8; i++) {
		socklen_t size = sizeof info, size_again = sizeof again;
		uint64_t received;
		int waiting;
		if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, info, &size) || ioctl(socket, FIONREAD, &waiting)
		    || getsockopt(socket, IPPROTO_TCP, TCP_INFO, again, &size_again) || size != sizeof info)
			return -1;
		if (info[0] != again[0] || memcmp(info + at, again + at, 8))
			continue;
		memcpy(&received, info + at, 8);
		return (int64_t)received - waiting - (info[0] == state_close_wait);
	}
	return -1;
}

/* Names the calling thread. Swift cannot call prctl, which is variadic. pthread_setname_np is
 * declared again here, because glibc declares it under _GNU_SOURCE only. */
extern int pthread_setname_np(pthread_t, const char *);
static inline void clws_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

/* The following functions wrap macros of OpenSSL. Swift does not import these macros, because they
 * contain casts. The SSL contexts are those that libwebsockets creates. */
static inline int clws_tls_set_version_floor(SSL_CTX *context)
{
	return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

static inline void clws_tls_set_server_options(SSL_CTX *context)
{
	SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION
				     | SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA);
	SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
	SSL_CTX_set_tlsext_servername_callback(context, NULL);
}

static inline long clws_tls_ticket_key_bytes(SSL_CTX *context)
{
	return SSL_CTX_set_tlsext_ticket_keys(context, NULL, 0);
}

static inline int clws_tls_set_ticket_keys(SSL_CTX *context, unsigned char *keys, long count)
{
	return (int)SSL_CTX_set_tlsext_ticket_keys(context, keys, count);
}

/* Returns whether OpenSSL's last error only means that a PEM file has no further item of the
 * requested kind. */
static inline int clws_pem_is_at_end(void)
{
	unsigned long error = ERR_peek_last_error();
	return ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
}

/* The options that request TLS for a virtual host. Swift does not import the macro of one of them,
 * because it contains several shifts. */
static inline uint64_t clws_tls_vhost_options(void) { return LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT; }
static inline uint64_t clws_tls_server_options(void) { return LWS_SERVER_OPTION_CREATE_VHOST_SSL_CTX; }

#endif
