#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

// Swift cannot call variadic C functions. libcurl has three of them: `curl_easy_setopt` and
// `curl_multi_setopt` set an option, and `curl_easy_getinfo` reads an info. Each function
// `ccurl_set_…`, `ccurl_multi_set_…` and `ccurl_get_…` below wraps one of them for one type of
// value. libcurl's manual states the type of each option and info.

#include <curl/curl.h>

// Swift does not import the macro CURL_GLOBAL_DEFAULT, because it contains shifts.
static inline CURLcode ccurl_global_init(void) {
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}

// Sets an option whose value is a `long`: a switch or a number of milliseconds.
static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

// Sets an option whose value is a `curl_off_t`: a size.
static inline CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

// Sets an option whose value is a string. libcurl copies the string.
static inline CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

// Sets an option whose value is a pointer, which must stay valid: `CURLOPT_WRITEDATA` or
// `CURLOPT_HEADERDATA`.
static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

// Sets an option whose value is a list, which must stay valid: `CURLOPT_HTTPHEADER`.
static inline CURLcode ccurl_set_lines(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}

// Sets an option whose value is an array of bytes: `CURLOPT_COPYPOSTFIELDS`. libcurl copies the
// bytes.
static inline CURLcode ccurl_set_bytes(CURL *easy, CURLoption option, const void *value) {
    return curl_easy_setopt(easy, option, value);
}

// Sets `CURLOPT_WRITEFUNCTION` or `CURLOPT_HEADERFUNCTION`. The value is a function pointer, which
// must not be passed as `void *`.
static inline CURLcode ccurl_set_function(
    CURL *easy, CURLoption option,
    size_t (*function)(char *bytes, size_t size, size_t count, void *context)) {
    return curl_easy_setopt(easy, option, function);
}

// Reads an info of the type `long`: the HTTP status.
static inline CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

// Reads an info of the type `curl_off_t`: `CURLINFO_RETRY_AFTER` or a time.
static inline CURLcode ccurl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

// Reads an info that is a string. The string belongs to the handle.
static inline CURLcode ccurl_get_string(CURL *easy, CURLINFO info, char **value) {
    return curl_easy_getinfo(easy, info, value);
}

// Sets an option of the multi interface whose value is a `long`: `CURLMOPT_MAXCONNECTS`.
static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// Returns the result in a message. The result is a member of `CURLMsg.data`, an anonymous union,
// which Swift imports without names.
static inline CURLcode ccurl_message_result(const CURLMsg *message) {
    return message->data.result;
}

#endif
