/* base: what all parts use: an end with a word, the clock, descriptors, whole writes, and buffers that grow. */
#include "launcher.h"
#include <stdarg.h>

void die(const char *format, ...) {
    static char text[8192]; /* holds any path of the system with the message about it */
    int why = errno;
    va_list words;
    va_start(words, format);
    errno = why;
    vsnprintf(text, sizeof text, format, words);
    va_end(words);
    dprintf(2, "launcher: %s\n", text);
    _exit(70);
}

uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * SECOND + t.tv_nsec;
}

int high(int fd) {
    int moved = fcntl(fd, F_DUPFD_CLOEXEC, 200);
    if (moved < 0) die("Cannot copy descriptor %d to 200 or above: %m", fd);
    close(fd);
    return moved;
}

void close_from(int first, int on_exec) {
    if (!syscall(436 /* close_range */, first, ~0u, on_exec ? 4 : 0)) return;
    DIR *dir = opendir("/proc/self/fd");
    struct dirent *entry;
    if (!dir) die("Cannot list the open descriptors: %m");
    while ((entry = readdir(dir))) {
        int fd = atoi(entry->d_name);
        if (fd < first || fd == dirfd(dir)) continue;
        if (on_exec) fcntl(fd, F_SETFD, FD_CLOEXEC);
        else close(fd);
    }
    closedir(dir);
}

int write_all(int fd, const uint8_t *from, size_t length) {
    while (length) {
        ssize_t n = write(fd, from, length);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) {
            struct pollfd p = {fd, POLLOUT, 0};
            poll(&p, 1, -1);
            continue;
        }
        if (n <= 0) return -1;
        from += n;
        length -= n;
    }
    return 0;
}

size_t read_small(char *into, size_t room, const char *path, ...) {
    char whole[64];
    va_list words;
    va_start(words, path);
    vsnprintf(whole, sizeof whole, path, words);
    va_end(words);
    int fd = open(whole, O_RDONLY | O_CLOEXEC);
    size_t n = read_again(fd, into, room);
    if (fd >= 0) close(fd);
    return n;
}

size_t read_again(int fd, char *into, size_t room) {
    ssize_t n = fd < 0 ? 0 : pread(fd, into, room - 1, 0);
    into[n > 0 ? n : 0] = 0;
    return n > 0 ? n : 0;
}

int readable(int fd) {
    struct pollfd p = {fd, POLLIN, 0};
    return poll(&p, 1, 0) > 0;
}

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
