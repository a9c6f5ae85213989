/*
 * Compression by zlib in a single call, for sealed snapshots and conformance reports. The format is
 * raw deflate, which has no header and no checksum, because sealed data is authenticated. The
 * module has no code besides this header, and the functions make no decisions. See
 * docs/decisions/0010-deflate.md.
 */
#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#include <string.h>
#include <zlib.h>

/* A window of 32 KiB, because the distance to the dictionary may exceed the length of the text. The
 * sign selects raw deflate. */
#define CZLIB_WINDOW (-15)

/*
 * Deflates count bytes into out, with a dictionary that czlib_inflate must also receive. Returns
 * the number of bytes written to out, or -1 if the capacity or the memory is not sufficient.
 */
static inline long czlib_deflate(const unsigned char *bytes, unsigned count, const unsigned char *dictionary,
				 unsigned dictionary_count, int level, unsigned char *out, unsigned capacity)
{
	z_stream stream;
	int result;

	memset(&stream, 0, sizeof(stream));
	/* deflateInit2 is a macro, which Swift does not import. 7 selects half the usual memory,
	 * which suits short texts. */
	if (deflateInit2(&stream, level, Z_DEFLATED, CZLIB_WINDOW, 7, Z_DEFAULT_STRATEGY) != Z_OK)
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
 * Inflates count bytes into out, which has room for capacity bytes. Returns the number of bytes
 * written to out, or -1 if the input is not exactly one complete deflated text, or if the text is
 * longer than capacity.
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
