/* bytes: a buffer that grows and is used again. */
#ifndef AGON_BYTES_H
#define AGON_BYTES_H
#include <stddef.h>
#include <stdint.h>

/* `room` bytes at `at`, of which the first `length` are taken. All zero: an empty one. */
typedef struct { uint8_t *at; size_t length, room; } bytes;

/* Makes room for so many bytes behind those that are taken. Dies where there is no memory. */
void reserve(bytes *b, size_t more);
void append(bytes *b, const void *from, size_t length);
void append32(bytes *b, uint32_t value);
void append64(bytes *b, uint64_t value);

/* Empties it. A buffer that a flood has made large is given back. */
void empty(bytes *b);

/* Reads once what is there, 64 KiB at most. Gives 0 at the end. */
int append_from(bytes *b, int fd);

#endif
