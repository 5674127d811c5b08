/* bytes: a buffer that grows and is used again. */
#define _GNU_SOURCE
#include "bytes.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base.h"

enum { CHUNK = 65536, KEPT = 1 << 20 };

void reserve(bytes *b, size_t more) {
    if (b->length + more <= b->room) return;
    size_t room = b->room ? b->room : CHUNK;
    while (room < b->length + more) room *= 2;
    uint8_t *at = realloc(b->at, room);
    if (!at) die("Cannot hold %zu bytes: %m", room);
    b->at = at;
    b->room = room;
}
void append(bytes *b, const void *from, size_t length) {
    if (!length) return;
    reserve(b, length);
    memcpy(b->at + b->length, from, length);
    b->length += length;
}
void append32(bytes *b, uint32_t value) { append(b, &value, 4); }
void append64(bytes *b, uint64_t value) { append(b, &value, 8); }

void empty(bytes *b) {
    b->length = 0;
    if (b->room <= KEPT) return;
    free(b->at);
    *b = (bytes){0};
}

int append_from(bytes *b, int fd) {
    reserve(b, CHUNK);
    ssize_t n = read(fd, b->at + b->length, CHUNK);
    if (n > 0) b->length += n;
    return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}
