/* A bare libwebsockets server, with which refreshd is compared. It answers each text message with
 * one text message of a fixed size, which it writes at once in the receive callback.
 *
 *   echo --reply-bytes N [--port P] [--rx-buffer N] [--all 1]
 *
 * With --all 1, it sends the answer to all its connections, one after another.
 * It is built like refreshd: libuv, one loop, no TLS, no extensions, the same receive buffer, and its own
 * SO_REUSEPORT listener, whose accepted sockets libwebsockets adopts. The only difference is the handling
 * of a message. The first line on standard output contains address and port. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <libwebsockets.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { REPLY_BYTES_MAX = 65536 };

static unsigned char frame[LWS_PRE + REPLY_BYTES_MAX];
static size_t reply_bytes;
static long answers_all;

static void fail(const char *what)
{
    fprintf(stderr, "echo: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* The number of replies that are not written yet, because an earlier reply is still partly in a
 * buffer. */
struct debt {
    unsigned replies;
};

static int answer(struct lws *wsi)
{
    int written = lws_write(wsi, frame + LWS_PRE, reply_bytes, LWS_WRITE_TEXT);
    return written < (int)reply_bytes ? -1 : 0;
}

static void accept_all(struct lws_vhost *vhost, int listener)
{
    for (;;) {
        int client = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (client < 0) {
            if (errno == EINTR || errno == ECONNABORTED)
                continue;
            return;
        }
        int one = 1;
        setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        lws_adopt_socket_vhost(vhost, client);
    }
}

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t length)
{
    struct debt *debt = user;
    (void)in;
    (void)length;
    switch (reason) {
    case LWS_CALLBACK_RAW_RX_FILE:
        accept_all(lws_get_vhost(wsi), lws_get_socket_fd(wsi));
        return 0;
    case LWS_CALLBACK_ESTABLISHED:
        debt->replies = 0;
        return 0;
    case LWS_CALLBACK_RECEIVE:
        if (lws_remaining_packet_payload(wsi) || !lws_is_final_fragment(wsi))
            return 0;
        if (answers_all) {
            lws_callback_all_protocol(lws_get_context(wsi), lws_get_protocol(wsi),
                                      LWS_CALLBACK_USER);
            return 0;
        }
        if (debt->replies == 0 && lws_partial_buffered(wsi) == 0)
            return answer(wsi);
        debt->replies++;
        lws_callback_on_writable(wsi);
        return 0;
    case LWS_CALLBACK_USER:
        return lws_partial_buffered(wsi) ? 0 : answer(wsi);
    case LWS_CALLBACK_SERVER_WRITEABLE:
        if (debt->replies == 0)
            return 0;
        if (--debt->replies > 0)
            lws_callback_on_writable(wsi);
        return answer(wsi);
    default:
        return 0;
    }
}

static int open_listener(unsigned short *port)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int one = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(*port)};
    socklen_t size = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0)
        fail("socket");
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof one);
    if (bind(fd, (struct sockaddr *)&address, sizeof address) || listen(fd, 1024))
        fail("listen");
    getsockname(fd, (struct sockaddr *)&address, &size);
    *port = ntohs(address.sin_port);
    return fd;
}

static long number_option(int argc, char **argv, const char *name, long fallback)
{
    for (int i = 1; i + 1 < argc; i += 2)
        if (!strcmp(argv[i], name))
            return strtol(argv[i + 1], NULL, 10);
    return fallback;
}

int main(int argc, char **argv)
{
    unsigned short port = (unsigned short)number_option(argc, argv, "--port", 0);
    long reply = number_option(argc, argv, "--reply-bytes", 0);
    struct lws_protocols protocols[] = {
        {.name = "refresh.v1",
         .callback = on_event,
         .per_session_data_size = sizeof(struct debt),
         .rx_buffer_size = (size_t)number_option(argc, argv, "--rx-buffer", 1024)},
        {.name = NULL},
    };
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .protocols = protocols,
        .options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
                   LWS_SERVER_OPTION_UV_NO_SIGSEGV_SIGFPE_SPIN,
    };
    sigset_t ending;

    if (reply <= 0 || reply > REPLY_BYTES_MAX) {
        fprintf(stderr, "usage: echo --reply-bytes N [--port P] [--rx-buffer N] [--all 1]\n");
        return 2;
    }
    reply_bytes = (size_t)reply;
    answers_all = number_option(argc, argv, "--all", 0);
    memset(frame + LWS_PRE, 'r', reply_bytes);

    /* For these signals, libwebsockets's libuv plugin would install handlers that do not end the
     * process. The signals are blocked here. Below, their default action is restored and they are
     * unblocked, so that they end the process at once. */
    sigemptyset(&ending);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGINT);
    sigprocmask(SIG_BLOCK, &ending, NULL);

    lws_set_log_level(LLL_ERR, NULL);
    struct lws_context *context = lws_create_context(&info);
    if (!context)
        fail("context");
    struct lws_vhost *vhost = lws_create_vhost(context, &info);
    if (!vhost)
        fail("vhost");
    lws_sock_file_fd_type listener = {.filefd = open_listener(&port)};
    if (!lws_adopt_descriptor_vhost(vhost, LWS_ADOPT_RAW_FILE_DESC, listener, protocols[0].name,
                                    NULL))
        fail("adopt");

    signal(SIGTERM, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &ending, NULL);

    printf("{\"address\":\"127.0.0.1\",\"port\":%u}\n", port);
    fflush(stdout);
    while (lws_service(context, 0) >= 0)
        ;
    return 1;
}
