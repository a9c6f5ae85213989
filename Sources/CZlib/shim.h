/*
 * Compression of sealed snapshots and of reports by zlib, each in one go: raw deflate, which has no header and no sum (what is
 * sealed is authenticated). Header only; nothing here decides anything. See docs/decisions/0010-deflate.md.
 */
#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#include <string.h>
#include <zlib.h>

/* A window of 32 KiB, as the dictionary may be farther back than the text is long. */
#define CZLIB_WINDOW (-15)

/*
 * Deflates count bytes into out, with a dictionary that the reader must have too. Returns how many bytes it took;
 * -1 if capacity is not enough, or memory.
 */
static inline long czlib_deflate(const unsigned char *bytes, unsigned count, const unsigned char *dictionary,
				 unsigned dictionary_count, unsigned char *out, unsigned capacity)
{
	z_stream stream;
	int result;

	memset(&stream, 0, sizeof(stream));
	/* deflateInit2 is a macro, which Swift does not see. 7: half the usual memory, for short texts. */
	if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, CZLIB_WINDOW, 7, Z_DEFAULT_STRATEGY) != Z_OK)
		return -1;
	deflateSetDictionary(&stream, dictionary, dictionary_count);
	stream.next_in = (unsigned char *)bytes;
	stream.avail_in = count;
	stream.next_out = out;
	stream.avail_out = capacity;
	result = deflate(&stream, Z_FINISH);
	deflateEnd(&stream);
	return result == Z_STREAM_END ? (long)stream.total_out : -1;
}

/*
 * Inflates all of count bytes into out, never more than capacity. Returns how many came out; -1 if the bytes are not
 * one whole deflated text, or it is longer.
 */
static inline long czlib_inflate(const unsigned char *bytes, unsigned count, const unsigned char *dictionary,
				 unsigned dictionary_count, unsigned char *out, unsigned capacity)
{
	z_stream stream;
	int result;

	memset(&stream, 0, sizeof(stream));
	if (inflateInit2(&stream, CZLIB_WINDOW) != Z_OK)
		return -1;
	inflateSetDictionary(&stream, dictionary, dictionary_count);
	stream.next_in = (unsigned char *)bytes;
	stream.avail_in = count;
	stream.next_out = out;
	stream.avail_out = capacity;
	result = inflate(&stream, Z_FINISH);
	inflateEnd(&stream);
	return result == Z_STREAM_END && stream.avail_in == 0 ? (long)stream.total_out : -1;
}

#endif
