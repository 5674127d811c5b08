/* tree: the plain files below a folder, packed into bytes and unpacked again. */
#define _GNU_SOURCE
#include "tree.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base.h"
#include "wipe.h"

/* Packs one file of that size; what it has come short of since is zeros. */
static void pack_file(int folder, const char *name, const char *path, size_t size, bytes *into) {
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOATIME | O_CLOEXEC);
    if (file < 0) return;
    append32(into, strlen(path));
    append32(into, size);
    append(into, path, strlen(path));
    reserve(into, size);
    size_t got = 0;
    for (ssize_t n; got < size && (n = read(file, into->at + into->length + got, size - got)) > 0;) got += n;
    memset(into->at + into->length + got, 0, size - got);
    into->length += size;
    close(file);
}

static uint64_t pack_level(int at, const char *folder, const char *prefix, bytes *into, uint64_t most, int depth) {
    int fd = openat(at, folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return 0;
    DIR *dir = fdopendir(fd);
    uint64_t sum = 0;
    struct stat here, s;
    struct dirent *entry;
    int known = !fstat(fd, &here);
    while (dir && (entry = readdir(dir))) {
        const char *name = entry->d_name;
        if (!strcmp(name, ".") || !strcmp(name, "..")) continue;
        if (fstatat(fd, name, &s, AT_SYMLINK_NOFOLLOW) || (known && s.st_dev != here.st_dev)) continue;
        char path[4096];
        if (snprintf(path, sizeof path, "%s%s%s", prefix, *prefix ? "/" : "", name) >= MAX_PATH_KEPT) {
            sum += most + 1; /* not all can be packed, which its size says */
            continue;
        }
        if (S_ISDIR(s.st_mode))
            sum += depth < MAX_DEPTH ? pack_level(fd, name, path, into, most, depth + 1) : most + 1;
        if (!S_ISREG(s.st_mode)) continue;
        sum += s.st_size;
        if (into->length + s.st_size <= most) pack_file(fd, name, path, s.st_size, into);
    }
    if (dir) closedir(dir);
    else close(fd);
    return sum;
}

uint64_t pack_tree(const char *folder, bytes *into, uint64_t most) {
    return pack_level(AT_FDCWD, folder, "", into, most, 0);
}

static int open_new(const char *path) {
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
}

int put_file(const char *path, const uint8_t *content, size_t length) {
    char part[4096];
    for (const char *slash = path; (slash = strchr(slash + 1, '/'));) {
        if ((size_t)(slash - path) >= sizeof part) return -1;
        memcpy(part, path, slash - path);
        part[slash - path] = 0;
        mkdir(part, 0700);
    }
    unlink(path);
    int fd = open_new(path);
    if (fd < 0 && errno == EEXIST) {
        wipe_tree(path);
        rmdir(path);
        fd = open_new(path);
    }
    if (fd < 0) return -1;
    int failed = write_all(fd, content, length);
    close(fd);
    return failed;
}

int unpack_tree(const char *folder, const uint8_t *from, size_t length) {
    while (length >= 8) {
        uint32_t path, content;
        memcpy(&path, from, 4);
        memcpy(&content, from + 4, 4);
        if (path > MAX_PATH_KEPT || (uint64_t)path + content > length - 8) return -1;
        char name[8192];
        int n = snprintf(name, sizeof name, "%s/%.*s", folder, (int)path, from + 8);
        if (n < (int)sizeof name && !strstr(name, "/../")) put_file(name, from + 8 + path, content);
        from += 8 + path + content;
        length -= 8 + path + content;
    }
    return 0;
}
