/* wipe: empties folders that a bot has written in, or leaves in them what is kept and nothing else. */
#define _GNU_SOURCE
#include "wipe.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tree.h"

static unsigned long wiped; /* how much was removed or moved: a round that does nothing is the last */

static int is_dots(const char *name) { return !strcmp(name, ".") || !strcmp(name, ".."); }

/* Where it fails, what is tried next fails too, and is looked at there. */
static void set_mode(int folder, const char *name, mode_t mode) {
    if (fchmodat(folder, name, mode, 0)) return;
}

/* What lies deep is first moved to the top, so that neither descriptors nor the stack run out. */
static void wipe_level(int top, int fd, int depth) {
    static unsigned moved;
    fchmod(fd, 0700);
    DIR *dir = fdopendir(fd);
    if (!dir) {
        close(fd);
        return;
    }
    struct dirent *entry;
    while ((entry = readdir(dir))) {
        const char *name = entry->d_name;
        if (is_dots(name)) continue;
        if (!unlinkat(fd, name, 0) || !unlinkat(fd, name, AT_REMOVEDIR)) {
            wiped++;
            continue;
        }
        if (errno != ENOTEMPTY) continue;
        char here[32];
        set_mode(fd, name, 0700);
        int below = depth < 8 ? openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
        if (below >= 0) wipe_level(top, below, depth + 1);
        else snprintf(here, sizeof here, "moved%u", moved++), wiped += !renameat(fd, name, top, here);
        wiped += !unlinkat(fd, name, AT_REMOVEDIR);
    }
    closedir(dir);
}

/* How much is left in a folder, but what is mounted in it, a bot's own source: that stays. Takes the descriptor. */
static int count_left(int top) {
    struct stat here, s;
    struct dirent *entry;
    int left = 0, known = !fstat(top, &here);
    DIR *dir = fdopendir(top);
    while (dir && (entry = readdir(dir)))
        left += !is_dots(entry->d_name) && !(known && !fstatat(dirfd(dir), entry->d_name, &s, AT_SYMLINK_NOFOLLOW) &&
                                             s.st_dev != here.st_dev);
    if (dir) closedir(dir);
    else close(top);
    return left;
}

static void wipe_at(int at, const char *folder) {
    for (int round = 0; round < 100000; round++) {
        int top = openat(at, folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (top < 0) return;
        unsigned long before = wiped;
        wipe_level(top, dup(top), 0);
        lseek(top, 0, SEEK_SET);
        /* What holds a mount stays too: nothing more can be done where a round does nothing. */
        if (count_left(top) == 0 || wiped == before) return;
    }
}
void wipe_tree(const char *folder) { wipe_at(AT_FDCWD, folder); }

/* `path`: the bytes of the folder's own path in the tree. */
static uint64_t tidy_level(int at, const char *folder, size_t path, int depth) {
    int fd = openat(at, folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd < 0 ? 0 : fdopendir(fd);
    static const struct timespec zero[2] = {{0, 0}, {0, 0}};
    uint64_t names = 0;
    struct stat s;
    struct dirent *entry;
    if (!dir) {
        if (fd >= 0) close(fd);
        return 0;
    }
    while ((entry = readdir(dir))) {
        const char *name = entry->d_name;
        size_t length = strlen(name);
        if (is_dots(name) || fstatat(fd, name, &s, AT_SYMLINK_NOFOLLOW)) continue;
        int fits = path + length < MAX_PATH_KEPT;
        if (S_ISDIR(s.st_mode)) {
            set_mode(fd, name, 0700);
            if (fits && depth < MAX_DEPTH) names += tidy_level(fd, name, path + length + 1, depth + 1);
            else wipe_at(fd, name);
            if (!unlinkat(fd, name, AT_REMOVEDIR)) continue;
        } else if (!fits || !S_ISREG(s.st_mode)) {
            unlinkat(fd, name, 0);
            continue;
        } else set_mode(fd, name, 0600);
        utimensat(fd, name, zero, AT_SYMLINK_NOFOLLOW);
        names += length;
    }
    closedir(dir);
    return names;
}
uint64_t tidy_tree(const char *folder) { return tidy_level(AT_FDCWD, folder, 0, 0); }
