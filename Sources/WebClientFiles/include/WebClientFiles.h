/*
 * The files of clients/web that the daemon serves.
 */
#ifndef WEB_CLIENT_FILES_H
#define WEB_CLIENT_FILES_H

#include <stddef.h>
#include <stdint.h>

struct web_client_file {
	/* The file's name in its folder. */
	const char *name;
	const uint8_t *bytes;
	size_t count;
};

/* The number of files of the demo page and the gallery. */
size_t web_client_site_count(void);

/* One of these files. The index is below that number. */
struct web_client_file web_client_site_at(size_t index);

/* A JSON file that describes several hundred real Debian packages. */
struct web_client_file web_client_packages(void);

#endif
