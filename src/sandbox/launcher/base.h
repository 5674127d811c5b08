/* base: what every part of the launcher uses: an end with a word, the clock, descriptors, whole writes, and buffers that grow. */
#ifndef AGON_BASE_H
#define AGON_BASE_H
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "clock.h"

#define SECOND CLOCK_SECOND /* ns */
#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

/* Prints what failed and why (printf; `%m` is errno) on standard error, and ends the launcher with exit code 70. */
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Nanoseconds of the monotonic clock. */
uint64_t now(void);

/* Moves a descriptor out of the way of a program's own; it is closed by an exec. Dies where there is no room. */
int high(int fd);

/*
 * Closes all descriptors from one on, or has the next exec close them: the program that started agon may have left
 * any of its own open.
 */
void close_from(int first, int on_exec);

/* Writes all bytes, also to a descriptor that does not block. Gives 0, or -1 with errno. */
int write_all(int fd, const uint8_t *from, size_t length);

/* Reads the beginning of a file as a text of less than `room` bytes. Gives its length; 0 where it cannot be read. */
size_t read_small(const char *path, char *into, size_t room);

/* The same of a descriptor that stays open, from the file's beginning; -1: none. */
size_t read_again(int fd, char *into, size_t room);

/* Whether something can be read at this moment. */
int readable(int fd);

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
