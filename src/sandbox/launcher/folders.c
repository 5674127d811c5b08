/*
 * folders: those that a bot may write: the private ones, emptied after a turn, and the state that it may keep; and
 * their plain files as bytes.
 *
 * A packed file is u32 length of its path, u32 length of its contents, path, contents.
 */
#include "launcher.h"

enum {
    MAX_DEPTH = 32,       /* of folders that are packed */
    MAX_PATH_KEPT = 4000, /* bytes of a path in them, and one less at most */
    FREE_NAMES = 1024,    /* bytes of names in a state folder that do not count */
};

static unsigned long wiped; /* how much was removed or moved */

static const struct timespec never[2] = {{0, 0}, {0, 0}}; /* access and change */

static int is_dots(const char *name) { return !strcmp(name, ".") || !strcmp(name, ".."); }

/* Where it fails, the next call fails too, and is looked at. */
static void set_mode(int folder, const char *name, mode_t mode) {
    if (fchmodat(folder, name, mode, 0)) return;
}

/* Opens a folder, but none behind a link. Gives 0 where it cannot be opened. */
static DIR *open_folder(int at, const char *name) {
    int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd < 0 ? 0 : fdopendir(fd);
    if (fd >= 0 && !dir) close(fd);
    return dir;
}

/* Closes the folder. Moves what lies deep to the top first, so that neither descriptors nor the stack run out. */
static void wipe_level(int top, DIR *dir, int depth) {
    static unsigned moved;
    int fd = dirfd(dir);
    fchmod(fd, 0700);
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
        DIR *below = depth < 8 ? open_folder(fd, name) : 0;
        if (below) wipe_level(top, below, depth + 1);
        else snprintf(here, sizeof here, "moved%u", moved++), wiped += !renameat(fd, name, top, here);
        wiped += !unlinkat(fd, name, AT_REMOVEDIR);
    }
    closedir(dir);
}

static void wipe_at(int at, const char *folder) {
    for (int round = 0; round < 100000; round++) {
        DIR *dir = open_folder(at, folder);
        unsigned long before = wiped;
        if (dir) wipe_level(dirfd(dir), dir, 0);
        if (wiped == before) return; /* what is left is mounted, or holds a mount */
    }
}
/* Empties a folder, if it is there, but what is mounted in it: a bot's own source. */
static void wipe_tree(const char *folder) { wipe_at(AT_FDCWD, folder); }

/*
 * Makes a state folder hold only what is kept of it: plain files of one mode and one time, in folders that hold some.
 * Removes links, pipes, sockets, empty folders, and what lies too deep or has too long a path. Gives the bytes of all
 * names. `path`: the bytes of the folder's own path in the tree.
 */
static uint64_t tidy_level(int at, const char *folder, size_t path, int depth) {
    DIR *dir = open_folder(at, folder);
    if (!dir) return 0;
    int fd = dirfd(dir);
    uint64_t names = 0;
    struct stat s;
    struct dirent *entry;
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
        utimensat(fd, name, never, AT_SYMLINK_NOFOLLOW);
        names += length;
    }
    closedir(dir);
    return names;
}

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

/*
 * Packs the plain files below a folder, but what is mounted in it. Gives the bytes of all, also of those beyond `most`,
 * which are not packed; what is too deep or has too long a path makes it more than `most`.
 */
static uint64_t pack_level(int at, const char *folder, const char *prefix, bytes *into, uint64_t most, int depth) {
    DIR *dir = open_folder(at, folder);
    if (!dir) return 0;
    int fd = dirfd(dir);
    uint64_t sum = 0;
    struct stat here, s;
    struct dirent *entry;
    int known = !fstat(fd, &here);
    while ((entry = readdir(dir))) {
        const char *name = entry->d_name;
        if (is_dots(name)) continue;
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
    closedir(dir);
    return sum;
}

static uint64_t pack_tree(const char *folder, bytes *into, uint64_t most) {
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

/* Writes a packed tree's files below a folder, but what cannot be written, or is no tree. */
static void unpack_tree(const char *folder, const uint8_t *from, size_t length) {
    while (length >= 8) {
        uint32_t path, content;
        memcpy(&path, from, 4);
        memcpy(&content, from + 4, 4);
        if (path > MAX_PATH_KEPT || (uint64_t)path + content > length - 8) return;
        char name[8192];
        int n = snprintf(name, sizeof name, "%s/%.*s", folder, (int)path, from + 8);
        if (n < (int)sizeof name && !strstr(name, "/../")) put_file(name, from + 8 + path, content);
        from += 8 + path + content;
        length -= 8 + path + content;
    }
}

const char *private_folders[MAX_PRIVATE];
int private_fds[MAX_PRIVATE], private_count;
static struct timespec ctimes[MAX_PRIVATE], atimes[MAX_PRIVATE]; /* of the private folders, when they were empty last */

const char *state_folder;
uint64_t state_limit;
static bytes state_good; /* its contents after the last turn that kept within the limit */

void open_private_folders(void) {
    for (int i = 0; i < private_count; i++) {
        private_fds[i] = open(private_folders[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        struct stat s;
        if (private_fds[i] < 0 || fstat(private_fds[i], &s)) die("Cannot open the folder %s: %m", private_folders[i]);
        private_fds[i] = high(private_fds[i]);
        ctimes[i] = s.st_ctim;
        atimes[i] = s.st_atim;
    }
}

void clean_private_folders(void) {
    for (int i = 0; i < private_count; i++) {
        struct stat s;
        if (fstat(private_fds[i], &s) || (!memcmp(&s.st_ctim, &ctimes[i], sizeof s.st_ctim) &&
                                          !memcmp(&s.st_atim, &atimes[i], sizeof s.st_atim)))
            continue;
        wipe_tree(private_folders[i]);
        fchmod(private_fds[i], 0700);
        futimens(private_fds[i], never);
        syscall(SYS_fremovexattr, private_fds[i], "user.note");
        if (fstat(private_fds[i], &s)) continue;
        ctimes[i] = s.st_ctim;
        atimes[i] = s.st_atim;
    }
}

uint32_t keep_state(void) {
    static bytes fresh;
    if (!state_folder) return LENGTH_NONE;
    fresh.length = 0;
    uint64_t names = tidy_level(AT_FDCWD, state_folder, 0, 0);
    uint64_t held = pack_tree(state_folder, &fresh, state_limit + 65536) + clock_less(names, FREE_NAMES);
    if (held > state_limit) {
        wipe_tree(state_folder);
        unpack_tree(state_folder, state_good.at, state_good.length);
        return held > LENGTH_LARGE ? LENGTH_LARGE : held;
    }
    bytes swap = state_good;
    state_good = fresh;
    fresh = swap;
    return LENGTH_NONE;
}

void fresh_folders(void) {
    for (int i = 0; i < private_count; i++) ctimes[i].tv_nsec = -1;
    clean_private_folders();
    if (!state_folder) return;
    wipe_tree(state_folder);
    state_good.length = 0;
}

void tell_files(const frame *f) {
    static bytes tree;
    uint8_t *at = f->body, *end = f->body + f->length;
    uint32_t most;
    if (f->length < 6 || end[-1] || !take32(&at, end, &most)) die("A request for folders' files names no folder");
    answer(ANSWER_FILES);
    for (const char *folder; at < end && (folder = take_text(&at, end));) {
        tree.length = 0;
        append64(&outbox, pack_tree(folder, &tree, most));
        append32(&outbox, tree.length);
        append(&outbox, tree.at, tree.length);
    }
    empty(&tree);
    send_answer();
}

void put_files(const frame *f) {
    const char *folder = (char *)f->body;
    if (!f->length || !memchr(f->body, 0, f->length)) die("A request with files for a folder names no folder");
    size_t begin = strlen(folder) + 1, length = f->length - begin;
    wipe_tree(folder);
    unpack_tree(folder, f->body + begin, length);
    if (!state_folder || strcmp(folder, state_folder)) return;
    state_good.length = 0;
    append(&state_good, f->body + begin, length);
}
