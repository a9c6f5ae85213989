#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

// Swift cannot call variadic C functions. libcurl has two: one sets options, one reads infos.
// Each function below wraps one of the two for one type of argument. libcurl's manual states the
// type for each option and info.

#include <curl/curl.h>

// CURL_GLOBAL_DEFAULT is a macro with shifts, which Swift does not import.
static inline CURLcode ccurl_global_init(void) {
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}

// Options whose argument is a `long`: switches and milliseconds.
static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

// Options whose argument is a `curl_off_t`: sizes.
static inline CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

// Options whose argument is a string, which libcurl copies.
static inline CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

// Options whose argument is a pointer that libcurl keeps: `CURLOPT_WRITEDATA`,
// `CURLOPT_HEADERDATA`.
static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

// Options whose argument is a list that libcurl keeps: `CURLOPT_HTTPHEADER`.
static inline CURLcode ccurl_set_lines(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}

// Options whose argument is bytes, which libcurl copies: `CURLOPT_COPYPOSTFIELDS`.
static inline CURLcode ccurl_set_bytes(CURL *easy, CURLoption option, const void *value) {
    return curl_easy_setopt(easy, option, value);
}

// `CURLOPT_WRITEFUNCTION` and `CURLOPT_HEADERFUNCTION`: a function pointer, which must not be
// passed as `void *`.
static inline CURLcode ccurl_set_function(
    CURL *easy, CURLoption option,
    size_t (*function)(char *bytes, size_t size, size_t count, void *context)) {
    return curl_easy_setopt(easy, option, function);
}

// Infos of the type `long`: the status.
static inline CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

// Infos of the type `curl_off_t`: `CURLINFO_RETRY_AFTER` and times.
static inline CURLcode ccurl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

// Infos of a string type. The string belongs to the handle.
static inline CURLcode ccurl_get_string(CURL *easy, CURLINFO info, char **value) {
    return curl_easy_getinfo(easy, info, value);
}

// `CURLMsg.data` is an anonymous union, which Swift imports without names.
static inline CURLcode ccurl_message_result(const CURLMsg *message) {
    return message->data.result;
}

#endif
