/*
 * launcher: starts a bot's programs in its cell, watches them and leaves nothing of them behind.
 *
 * Theory of operation. Node asks by frames on descriptor 0 and is answered on descriptor 1 (docs/cells.md specifies both). In a
 * cell this program is process 1 of a pid namespace that nothing else lives in, so its end is the end of everything there, and
 * after each turn kill(-1) reaches whatever the turn has left, however often that forked. Outside a namespace it is a subreaper
 * and kills all its descendants, which does the same as long as they cannot fork faster than they are found.
 *
 * It runs as the same user as the bot and holds no privilege: it must not trust, but need not hide, what lies in the cell. The
 * restrictions are put on itself once, at the start, and inherited, so that they cost nothing a turn: resource limits, Landlock,
 * a seccomp filter. A turn is a clone that borrows this small process's memory until the exec, and a poll over its standard
 * output, its standard error, its pidfd and the frames from Node, with a timeout that is the rest of its time.
 *
 * Who killed a program is known: what of its family sends SIGKILL, or prepares it, is told to this process by a second filter (see
 * `notice_kills`) before it happens. What died of it and was killed neither so nor by this process was killed from outside.
 *
 * Time is CLOCK_MONOTONIC. A program is charged for wall time less what it waited for a core because of others (clock.h), and is
 * stopped for good at three times its limit plus a second.
 *
 * Called as `launcher room …` it is instead the last program outside: it enters the cell's cgroups, makes the pipes, lays
 * out what the bot's user could not reach itself, takes on that user, and becomes bubblewrap, which starts it again inside as
 * `launcher cell …`.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "calls.h"
#include "clock.h"

#define VERSION 2
#define MAX_FRAME (96u << 20)
#define STDERR_KEPT 65536u
#define NONE 0xffffffffu
#define MAX_DEPTH 32         /* of folders that are packed */
#define MAX_PATH_KEPT 4000   /* bytes of a path in them */
#define FREE_NAMES 1024u     /* bytes of names in a state folder that do not count */
#define SECOND CLOCK_SECOND
#define LONG 2000000ull /* ns: what is done sooner has waited for nobody worth asking */
#define CLONE_PIDFD_FLAG 0x1000

enum how { EXITED, SIGNALLED, NOT_STARTED };
enum limit { NO_LIMIT, TIME_LIMIT, STDOUT_LIMIT, STDERR_LIMIT, ASKED, HARD_STOP };
enum { WIPE = 1, STDIN = 2, PUT = 4, FETCH = 8, WARM = 16 };

typedef struct { uint8_t *at; size_t length, room; } bytes;

static int requests = 0, answers = 1; /* the frames' descriptors */
static int bot_in = -1, bot_out = -1; /* the pipes of a program that stays */
static int nothing = -1;              /* /dev/null */
static int alone;                     /* process 1 of a namespace of its own */
static char *state_folder;            /* the folder that a process per turn may keep, or 0 */
static uint64_t state_limit;
static bytes state_good; /* its contents after the last turn that kept within the limit */
static char *private_folders[8];
static int private_fds[8], private_count;
static struct timespec private_ctimes[8], private_atimes[8];

static void die(const char *what) {
    dprintf(2, "launcher: %s: %s\n", what, strerror(errno));
    _exit(70);
}

/* Moves a descriptor out of the way of a program's own. */
static int high(int fd) {
    int moved = fcntl(fd, F_DUPFD_CLOEXEC, 200);
    if (moved < 0) die("descriptors");
    close(fd);
    return moved;
}

/* Closes all descriptors from one on, or has the next exec close them: whoever started agon may have left any of its own open. */
static void close_from(int first, int on_exec) {
    if (!syscall(436 /* close_range */, first, ~0u, on_exec ? 4 : 0)) return;
    DIR *dir = opendir("/proc/self/fd");
    struct dirent *entry;
    struct rlimit most;
    int end = getrlimit(RLIMIT_NOFILE, &most) || most.rlim_cur > 1 << 20 ? 1 << 20 : (int)most.rlim_cur;
    for (int fd = first; !dir && fd < end; fd++) on_exec ? fcntl(fd, F_SETFD, FD_CLOEXEC) : close(fd);
    while (dir && (entry = readdir(dir))) {
        int fd = atoi(entry->d_name);
        if (fd >= first && fd != dirfd(dir)) on_exec ? fcntl(fd, F_SETFD, FD_CLOEXEC) : close(fd);
    }
    if (dir) closedir(dir);
}

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * SECOND + t.tv_nsec;
}

/* ---- bytes ---- */

static void reserve(bytes *b, size_t more) {
    if (b->length + more <= b->room) return;
    size_t room = b->room ? b->room : 65536;
    while (room < b->length + more) room *= 2;
    uint8_t *at = realloc(b->at, room);
    if (!at) { errno = ENOMEM; die("memory"); }
    b->at = at;
    b->room = room;
}
static void append(bytes *b, const void *from, size_t length) {
    reserve(b, length);
    memcpy(b->at + b->length, from, length);
    b->length += length;
}
static void append32(bytes *b, uint32_t value) { append(b, &value, 4); }
static void append64(bytes *b, uint64_t value) { append(b, &value, 8); }
/* A buffer that a flood has made large is given back. */
static void empty(bytes *b) {
    b->length = 0;
    if (b->room <= 1 << 20) return;
    free(b->at);
    *b = (bytes){0};
}

static int write_all(int fd, const uint8_t *from, size_t length) {
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

/* ---- frames: u32 length of what follows, u8 kind, body ---- */

static bytes inbox; /* what was read and is not yet consumed */
static size_t inbox_at;

/* Whether a whole frame is there. Gives its kind and body. */
static int frame_ready(uint8_t *kind, uint8_t **body, size_t *length) {
    size_t there = inbox.length - inbox_at;
    uint32_t size;
    if (there < 4) return 0;
    memcpy(&size, inbox.at + inbox_at, 4);
    if (size < 1 || size > MAX_FRAME) {
        errno = EBADMSG;
        die("a frame's length");
    }
    if (there - 4 < size) return 0;
    *kind = inbox.at[inbox_at + 4];
    *body = inbox.at + inbox_at + 5;
    *length = size - 1;
    return 1;
}
static void frame_done(size_t length) {
    inbox_at += 5 + length;
    if (inbox_at == inbox.length) inbox_at = inbox.length = 0;
}
/* Reads once. Node's end is this program's end. */
static void read_requests(void) {
    if (inbox_at > 1 << 16) {
        memmove(inbox.at, inbox.at + inbox_at, inbox.length -= inbox_at);
        inbox_at = 0;
    }
    reserve(&inbox, 65536);
    ssize_t n = read(requests, inbox.at + inbox.length, inbox.room - inbox.length);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (n <= 0) _exit(0);
    inbox.length += n;
}

static bytes outbox;
static void answer(uint8_t kind) {
    outbox.length = 0;
    append32(&outbox, 0);
    append(&outbox, &kind, 1);
}
static void send_answer(void) {
    uint32_t size = outbox.length - 4;
    memcpy(outbox.at, &size, 4);
    if (write_all(answers, outbox.at, outbox.length)) _exit(0);
    empty(&outbox);
}

/* ---- trees: u32 path length, u32 content length, path, content; one after the other ---- */

/* Packs the plain files below a folder, but what is mounted in it; gives their bytes in all, also of those beyond `most`, which are
 * not packed. */
static uint64_t pack_tree(int at, const char *folder, const char *prefix, bytes *into, uint64_t most, int depth) {
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
        if (S_ISDIR(s.st_mode)) sum += depth < MAX_DEPTH ? pack_tree(fd, name, path, into, most, depth + 1) : most + 1;
        if (!S_ISREG(s.st_mode)) continue;
        sum += s.st_size;
        if (into->length + s.st_size > most) continue;
        int file = openat(fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOATIME | O_CLOEXEC);
        if (file < 0) continue;
        append32(into, strlen(path));
        append32(into, s.st_size);
        append(into, path, strlen(path));
        reserve(into, s.st_size);
        size_t got = 0;
        for (ssize_t n; got < (size_t)s.st_size && (n = read(file, into->at + into->length + got, s.st_size - got)) > 0;) got += n;
        memset(into->at + into->length + got, 0, s.st_size - got);
        into->length += s.st_size;
        close(file);
    }
    if (dir) closedir(dir);
    else close(fd);
    return sum;
}

/* Empties a folder. What lies deep is first moved to the top, so that neither descriptors nor the stack run out. */
static unsigned long wiped;
static void wipe_level(int top, int fd, int depth) {
    static unsigned moved;
    fchmod(fd, 0700);
    DIR *dir = fdopendir(fd);
    if (!dir) { close(fd); return; }
    struct dirent *entry;
    while ((entry = readdir(dir))) {
        const char *name = entry->d_name;
        if (!strcmp(name, ".") || !strcmp(name, "..")) continue;
        if (!unlinkat(fd, name, 0) || !unlinkat(fd, name, AT_REMOVEDIR)) {
            wiped++;
            continue;
        }
        if (errno == ENOTEMPTY) {
            char here[32];
            fchmodat(fd, name, 0700, 0);
            int below = depth < 8 ? openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
            if (below >= 0) wipe_level(top, below, depth + 1);
            else snprintf(here, sizeof here, "moved%u", moved++), wiped += !renameat(fd, name, top, here);
            wiped += !unlinkat(fd, name, AT_REMOVEDIR);
        }
    }
    closedir(dir);
}
static void wipe_at(int at, const char *folder) {
    for (int round = 0; round < 100000; round++) {
        int top = openat(at, folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), left = 0;
        if (top < 0) return;
        unsigned long before = wiped;
        wipe_level(top, dup(top), 0);
        lseek(top, 0, SEEK_SET);
        struct stat here, s;
        struct dirent *entry;
        int known = !fstat(top, &here);
        DIR *dir = fdopendir(top);
        /* What is mounted in the folder, a bot's own source, stays. */
        while (dir && (entry = readdir(dir)))
            left += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") &&
                    !(known && !fstatat(dirfd(dir), entry->d_name, &s, AT_SYMLINK_NOFOLLOW) && s.st_dev != here.st_dev);
        if (dir) closedir(dir);
        else close(top);
        /* What holds a mount stays too: nothing more can be done where a round does nothing. */
        if (left == 0 || wiped == before) return;
    }
}
static void wipe_tree(const char *folder) { wipe_at(AT_FDCWD, folder); }

/*
 * Makes a state folder hold what is kept of it, and nothing else that could be read back: plain files of one mode and one time,
 * in folders that hold some. Links, pipes, sockets, empty folders, and what lies too deep or has too long a path are removed.
 * Gives the bytes of all names.
 */
static uint64_t tidy_tree(int at, const char *folder, size_t path, int depth) {
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
        if (!strcmp(name, ".") || !strcmp(name, "..") || fstatat(fd, name, &s, AT_SYMLINK_NOFOLLOW)) continue;
        int fits = path + length < MAX_PATH_KEPT;
        if (S_ISDIR(s.st_mode)) {
            fchmodat(fd, name, 0700, 0);
            if (fits && depth < MAX_DEPTH) names += tidy_tree(fd, name, path + length + 1, depth + 1);
            else wipe_at(fd, name);
            if (!unlinkat(fd, name, AT_REMOVEDIR)) continue;
        } else if (!fits || !S_ISREG(s.st_mode)) {
            unlinkat(fd, name, 0);
            continue;
        } else fchmodat(fd, name, 0600, 0);
        utimensat(fd, name, zero, AT_SYMLINK_NOFOLLOW);
        names += length;
    }
    closedir(dir);
    return names;
}

/* Writes a plain file in place of whatever is there, its folders too. */
static int put_file(const char *path, const uint8_t *content, size_t length) {
    char part[4096];
    for (const char *slash = path; (slash = strchr(slash + 1, '/'));) {
        if ((size_t)(slash - path) >= sizeof part) return -1;
        memcpy(part, path, slash - path);
        part[slash - path] = 0;
        mkdir(part, 0700);
    }
    unlink(path);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0 && errno == EEXIST) {
        wipe_tree(path);
        rmdir(path);
        fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    }
    if (fd < 0) return -1;
    int failed = write_all(fd, content, length);
    close(fd);
    return failed;
}

static int unpack_tree(const char *folder, const uint8_t *from, size_t length) {
    while (length >= 8) {
        uint32_t path, content;
        memcpy(&path, from, 4);
        memcpy(&content, from + 4, 4);
        if (path > 4000 || (uint64_t)path + content > length - 8) return -1;
        char name[8192];
        int n = snprintf(name, sizeof name, "%s/%.*s", folder, (int)path, from + 8);
        if (n < (int)sizeof name && !strstr(name, "/../")) put_file(name, from + 8 + path, content);
        from += 8 + path + content;
        length -= 8 + path + content;
    }
    return 0;
}

/* ---- the family: every process of the cell but this one ---- */

static pid_t keeper; /* the warm parent, where there is one: it is no part of the family */
static uint64_t password; /* what this process's own SIGKILL carries past its filter */

static void send_signal(pid_t pid, int signal) { syscall(SYS_kill, (long)pid, (long)signal, password); }

static size_t read_small(const char *path, char *into, size_t room) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    ssize_t n = read(fd, into, room - 1);
    close(fd);
    into[n > 0 ? n : 0] = 0;
    return n > 0 ? n : 0;
}

/* Calls for each process of the family. */
static void each_child(pid_t parent, void (*call)(pid_t, void *), void *with, int depth) {
    char path[64];
    bytes list = {0};
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", parent, parent);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : 1;
    for (; n > 0; list.length += n > 0 ? n : 0) { /* a page at a time, however much is asked for */
        reserve(&list, 4097);
        n = read(fd, list.at + list.length, 4096);
    }
    if (fd >= 0) close(fd);
    if (list.at) list.at[list.length] = 0;
    for (char *at = (char *)list.at, *end; at && *at; at = end) {
        pid_t pid = strtol(at, &end, 10);
        if (end == at) break;
        if (depth < 64) each_child(pid, call, with, depth + 1);
        if (pid != keeper) call(pid, with);
    }
    free(list.at);
}
static void each_process(void (*call)(pid_t, void *), void *with) {
    if (!alone) return each_child(getpid(), call, with, 0);
    DIR *dir = opendir("/proc");
    struct dirent *entry;
    while (dir && (entry = readdir(dir))) {
        pid_t pid = atoi(entry->d_name);
        if (pid > 1 && pid != keeper) call(pid, with);
    }
    if (dir) closedir(dir);
}
static void signal_one(pid_t pid, void *with) { send_signal(pid, *(int *)with); }
static void signal_family(int signal) {
    if (alone && !keeper) send_signal(-1, signal);
    else each_process(signal_one, &signal);
}

static uint64_t in_ns(struct timeval t) { return t.tv_sec * SECOND + t.tv_usec * 1000ull; }

typedef struct { uint64_t cpu, maxrss; } usage;
static void add_usage(usage *u, const struct rusage *r) {
    u->cpu += in_ns(r->ru_utime) + in_ns(r->ru_stime);
    if ((uint64_t)r->ru_maxrss > u->maxrss) u->maxrss = r->ru_maxrss;
}

/* Kills and reaps what is left of the family; what it used is added. */
static void sweep(usage *u) {
    struct rusage r;
    for (int round = 0;; round++) {
        int status, left = 0;
        pid_t pid;
        while ((pid = wait4(-1, &status, WNOHANG | __WALL, &r)) > 0) {
            add_usage(u, &r);
            if (pid == keeper) keeper = 0;
        }
        left = pid == 0;
        if (!left) return;
        if (keeper) { /* more than the warm parent? It dies with the rest: it can be had again. */
            char list[128], path[64], *end;
            size_t n = read_small("/proc/1/task/1/children", list, sizeof list);
            if (n && strtol(list, &end, 10) == keeper && (*end == 0 || end[1] == 0)) {
                snprintf(path, sizeof path, "/proc/%d/task/%d/children", keeper, keeper);
                if (!read_small(path, list, sizeof list)) return;
            }
            send_signal(keeper, SIGKILL);
            keeper = 0;
        }
        signal_family(SIGKILL);
        struct timespec pause = {0, round < 20 ? 20000 : 1000000};
        nanosleep(&pause, 0);
    }
}

/*
 * ---- the books of the family's time ----
 *
 * For each task /proc tells how long it ran and how long it waited for a core. CPU of what has ended counts, too: a process's
 * own total has its ended threads, and its children's total those that it has waited for, both cut to ticks, so that they are a
 * lower bound. Where the cell has a cgroup that counts CPU, that has everything, to the nanosecond.
 */
enum { TICK = 10000000 }; /* ns: what /proc/PID/stat counts in */
typedef struct { int32_t id; uint64_t ran, waited, unbooked; int runnable; } entry; /* id: a task, or minus a process, with what its children ran as `waited` */
typedef struct { entry *at; size_t count, room; uint64_t when; } books;
typedef struct {
    books base, last;           /* at the beginning, and at the last look */
    uint64_t began, head;       /* of the question; what is credited of the time before `base` */
    uint64_t group, own;        /* CPU of the cgroup, and of this process in it, at `base` */
    uint64_t sure, maybe, cpu;  /* what the last look came to; `cpu` since `base` */
    uint64_t longest;           /* what the task ran that ran longest, since `base` */
} timing;

static int group_cpu = -1; /* the file that tells the CPU time of the cell's cgroup, or -1 */
static int own_books = -1; /* this process's schedstat */

/* What a process has waited for a core, by its open schedstat. */
static uint64_t wait_of(int books) {
    char text[128], *end;
    ssize_t n = books < 0 ? 0 : pread(books, text, sizeof text - 1, 0);
    if (n <= 0) return 0;
    text[n] = 0;
    strtoull(text, &end, 10);
    return strtoull(end, 0, 10);
}
/* What this process itself has waited for a core: so long what it sees may have happened before. */
static uint64_t own_wait(void) { return wait_of(own_books); }

static entry *entry_new(books *b, int32_t id, uint64_t ran, uint64_t waited) {
    if (b->count == b->room) {
        b->room = b->room ? 2 * b->room : 64;
        b->at = realloc(b->at, b->room * sizeof *b->at);
        if (!b->at) { errno = ENOMEM; die("memory"); }
    }
    b->at[b->count] = (entry){id, ran, waited, 0, 0};
    return &b->at[b->count++];
}
/* Two samples have nearly the same order: the search begins where the last one ended. */
static const entry *entry_of(const books *b, int32_t id, size_t *hint) {
    for (size_t i = 0; i < b->count; i++) {
        size_t at = (*hint + i) % b->count;
        if (b->at[at].id != id) continue;
        *hint = at + 1;
        return &b->at[at];
    }
    return 0;
}

/* The state and the times of a process or task, from behind its name, which may hold anything. */
static int read_stat(const char *path, char *state, uint64_t *own, uint64_t *children) {
    char text[1024], *at;
    unsigned long long utime, stime, cutime, cstime;
    if (!read_small(path, text, sizeof text) || !(at = strrchr(text, ')'))) return 0;
    if (sscanf(at, ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu", state, &utime, &stime, &cutime, &cstime) != 5)
        return 0;
    *own = (utime + stime) * TICK;
    *children = (cutime + cstime) * TICK;
    return 1;
}

static void book_process(pid_t pid, void *with) {
    books *b = with;
    char path[80], text[128], state, *end;
    uint64_t own, children;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    if (!read_stat(path, &state, &own, &children)) return;
    entry_new(b, -pid, own, children);
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *dir = opendir(path);
    struct dirent *task;
    while (dir && (task = readdir(dir))) {
        if (*task->d_name == '.') continue;
        snprintf(path, sizeof path, "/proc/%d/task/%.20s/schedstat", pid, task->d_name);
        if (!read_small(path, text, sizeof text)) continue;
        uint64_t ran = strtoull(text, &end, 10), waited = strtoull(end, 0, 10);
        entry_new(b, atoi(task->d_name), ran, waited);
    }
    if (dir) closedir(dir);
}

/* CPU of the cell's cgroup, less this process's own; 0 where there is none. */
static uint64_t read_group(uint64_t *own) {
    char text[512];
    struct timespec t;
    if (group_cpu < 0) return 0;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    *own = t.tv_sec * SECOND + t.tv_nsec;
    ssize_t n = pread(group_cpu, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = 0;
    return strncmp(text, "usage_usec ", 11) ? strtoull(text, 0, 10) : 1000 * strtoull(text + 11, 0, 10);
}

/* Begins the books of a family that is not there yet, or whose books are `last` already. */
static void timing_begin(timing *t, uint64_t began) {
    t->began = began;
    t->head = t->sure = t->maybe = t->cpu = 0;
    t->base.when = t->last.when = began;
    t->group = read_group(&t->own);
}
static void timing_base(timing *t) {
    t->base.count = 0;
    for (size_t i = 0; i < t->last.count; i++) *entry_new(&t->base, 0, 0, 0) = t->last.at[i];
    t->base.when = t->last.when;
    t->group = read_group(&t->own);
}

/* CPU of the family since `base`, at least. */
static uint64_t family_cpu(const timing *t, const books *b) {
    uint64_t family = 0, own = 0;
    size_t hint = 0;
    for (size_t i = 0; i < b->count;) {
        const entry *process = &b->at[i++], *was = entry_of(&t->base, process->id, &hint);
        /* A difference of two cut numbers may be too large by as many ticks as there are numbers. */
        uint64_t cut = was ? 2 * TICK : 0, tasks = 0;
        uint64_t all = clock_less(clock_less(process->ran, was ? was->ran : 0), cut);
        uint64_t children = clock_less(clock_less(process->waited, was ? was->waited : 0), cut);
        for (; i < b->count && b->at[i].id > 0; i++) {
            was = entry_of(&t->base, b->at[i].id, &hint);
            tasks += was && was->ran <= b->at[i].ran ? b->at[i].ran - was->ran : b->at[i].ran;
        }
        family += (tasks > all ? tasks : all) + children;
    }
    if (group_cpu >= 0) {
        uint64_t now = read_group(&own), group = clock_less(clock_less(now, t->group), clock_less(own, t->own));
        if (group > family) family = group;
    }
    return family;
}

/*
 * Whether each task has a core or waits for one. What has stopped doing so since its books were read, while this process had no core
 * itself, has new books: they show all that it waited.
 */
static void see_runnable(books *b) {
    char path[64], text[128], state, *end;
    uint64_t own, children;
    for (size_t i = 0; i < b->count; i++) {
        entry *e = &b->at[i];
        if (e->id < 0) continue;
        snprintf(path, sizeof path, "/proc/%d/stat", e->id); /* found by any task's number */
        e->runnable = read_stat(path, &state, &own, &children) && state == 'R';
        snprintf(path, sizeof path, "/proc/%d/schedstat", e->id);
        if (e->runnable || !read_small(path, text, sizeof text)) continue;
        e->ran = strtoull(text, &end, 10);
        e->waited = strtoull(end, 0, 10);
    }
}

/*
 * Looks at the family: what it is credited since the beginning, as of `last.when`. This process may wait for its core in the midst of
 * that: whoever judges by it goes by that time, not by a later one. `doubt`: also what is not booked yet.
 */
static void timing_look(timing *t, int doubt) {
    static books b; /* taken over from look to look */
    size_t hint = 0, hint_last = 0;
    uint64_t sure = 0, maybe = 0;
    b.count = 0;
    b.when = now();
    each_process(book_process, &b);
    if (doubt) see_runnable(&b);
    t->longest = 0;
    uint64_t family = family_cpu(t, &b), window = clock_less(b.when, t->base.when);
    if (family > t->cpu) t->cpu = family; /* what is gone has run nevertheless */
    for (size_t i = 0; i < b.count; i++) {
        entry *e = &b.at[i];
        if (e->id < 0) continue;
        const entry *base = entry_of(&t->base, e->id, &hint), *last = entry_of(&t->last, e->id, &hint_last);
        if (base && base->ran > e->ran) base = 0; /* another task of the same number */
        if (last && last->ran > e->ran) last = 0;
        uint64_t ran = e->ran - (base ? base->ran : 0), waited = clock_less(e->waited, base ? base->waited : 0);
        if (doubt)
            e->unbooked = clock_unbooked(last ? last->unbooked : 0, clock_less(b.when, t->last.when), e->ran - (last ? last->ran : 0),
                                         clock_less(e->waited, last ? last->waited : 0), e->runnable);
        uint64_t claim = clock_claim(waited, ran, t->cpu, window), most = clock_claim(clock_sum(waited, e->unbooked), ran, t->cpu, window);
        if (ran > t->longest) t->longest = ran;
        if (claim > sure) sure = claim;
        if (most > maybe) maybe = most;
    }
    t->sure = clock_sum(t->head, sure);
    t->maybe = clock_sum(t->head, maybe);
    books swap = t->last;
    t->last = b;
    b = swap;
}

/*
 * ---- who killed it ----
 *
 * The family's calls that send SIGKILL, or make the kernel send it later, wait until this process has heard of them, and are then
 * carried out. What was heard since the program was started is all that is asked.
 */
static int notices = -1; /* where they are told; none: the kernel cannot */
static int family_kills; /* a SIGKILL may be the family's own */

struct notice { uint64_t id; uint32_t pid, flags; struct { int32_t call; uint32_t architecture; uint64_t at, words[6]; } data; };
struct reply { uint64_t id; int64_t value; int32_t error; uint32_t flags; };

static void heed(void) {
    struct notice n = {0};
    if (syscall(SYS_ioctl, notices, 0xc0502100ul, &n)) return; /* who asked has gone */
    family_kills = 1;
    struct reply go_on = {.id = n.id, .flags = 1};
    syscall(SYS_ioctl, notices, 0xc0182101ul, &go_on);
}

/* Waits for a descriptor, and hears what the family does meanwhile. Gives whether it is readable. */
static int wait_for(int fd, uint64_t ns) {
    for (uint64_t end = now() + ns, at; (at = now()) < end;) {
        struct pollfd p[2] = {{fd, POLLIN, 0}, {notices, POLLIN, 0}};
        struct timespec left = {(end - at) / SECOND, (end - at) % SECOND};
        if (ppoll(p, 2, &left, 0) <= 0) continue;
        if (p[1].revents) heed();
        if (p[0].revents) return 1;
    }
    return 0;
}

/* In an answer, beside how a program ended: 2 where a SIGKILL may have been its family's own, 4 where that is known for sure. */
static uint32_t killers(void) { return (family_kills ? 2 : 0) | (notices >= 0 ? 4 : 0); }

/* ---- a turn's request ---- */

typedef struct {
    uint32_t id, flags, out_cap, err_cap, input_length, file_length;
    uint64_t limit;
    char *folder, *file;
    char **argv, **env;
    uint32_t argc, envc;
    uint8_t *input, *content;
} request;

static int take32(uint8_t **at, uint8_t *end, uint32_t *value) {
    if (end - *at < 4) return 0;
    memcpy(value, *at, 4);
    *at += 4;
    return 1;
}
static char *take_text(uint8_t **at, uint8_t *end) {
    uint8_t *zero = *at < end ? memchr(*at, 0, end - *at) : 0;
    char *text = (char *)*at;
    if (!zero) return 0;
    *at = zero + 1;
    return text;
}
/* Points into the frame; gives 0 where the frame is not well formed. */
static int parse_request(uint8_t *at, size_t length, request *r, char ***words, size_t *room) {
    uint8_t *end = at + length;
    if (length < 8) return 0;
    memcpy(&r->limit, at, 8);
    at += 8;
    if (!take32(&at, end, &r->id) || !take32(&at, end, &r->flags) || !take32(&at, end, &r->out_cap) || !take32(&at, end, &r->err_cap) ||
        !take32(&at, end, &r->argc) || !take32(&at, end, &r->envc) || !take32(&at, end, &r->input_length) || !take32(&at, end, &r->file_length))
        return 0;
    if (r->argc < 1 || r->argc > length || r->envc > length) return 0;
    size_t need = (size_t)r->argc + r->envc + 3;
    if (need > *room) {
        free(*words);
        *words = malloc(need * sizeof(char *));
        *room = *words ? need : 0;
        if (!*words) return 0;
    }
    if (!(r->folder = take_text(&at, end)) || !(r->file = take_text(&at, end))) return 0;
    r->argv = *words + 1;
    for (uint32_t i = 0; i < r->argc; i++)
        if (!(r->argv[i] = take_text(&at, end))) return 0;
    r->argv[r->argc] = 0;
    r->env = r->argv + r->argc + 1;
    for (uint32_t i = 0; i < r->envc; i++)
        if (!(r->env[i] = take_text(&at, end))) return 0;
    r->env[r->envc] = 0;
    if ((uint64_t)(end - at) != (uint64_t)r->input_length + r->file_length) return 0;
    r->input = at;
    r->content = at + r->input_length;
    return 1;
}

/* ---- starting a program ---- */

typedef struct { request *r; int in, out, err, failed; } start;

/* Runs on a stack of its own in this process's memory, which stands still until the exec. */
static int start_child(void *with) {
    start *s = with;
    setsid();
    if (!alone) prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (dup2(s->in, 0) >= 0 && dup2(s->out, 1) >= 0 && dup2(s->err, 2) >= 0) execve(s->r->argv[0], s->r->argv, s->r->env);
    if (errno == ENOEXEC) { /* a script that does not say whose: the shell's, as everywhere */
        s->r->argv[-1] = "/bin/sh";
        execve("/bin/sh", s->r->argv - 1, s->r->env);
    }
    s->failed = errno;
    _exit(127);
}

static char child_stack[65536] __attribute__((aligned(64)));

/*
 * Where memory runs out, the kernel is to end what the bot has started, and not this process: a program inherits how willingly it is
 * ended, so this process takes on the most for the moment of its start. A bot cannot change it back: Landlock closes /proc to it.
 */
static int willing = -1; /* this process's own oom_score_adj, or -1: it cannot be set */
static char unwilling[16];

static void open_willing(void) {
    willing = open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC);
    if (willing < 0) return;
    willing = high(willing);
    ssize_t n = pread(willing, unwilling, sizeof unwilling - 1, 0);
    if (n > 0 && pwrite(willing, "1000", 4, 0) == 4 && pwrite(willing, unwilling, n, 0) == n) return;
    close(willing);
    willing = -1;
}
static void be_willing(int most) {
    const char *text = most ? "1000" : unwilling;
    if (willing >= 0 && pwrite(willing, text, strlen(text), 0) < 0) willing = -1;
}

/* Gives the pid and its pidfd, or 0 with errno. */
static pid_t launch(start *s, int *pidfd) {
    static char here[4096]; /* this process's own folder, which its children begin in */
    s->failed = 0;
    *pidfd = -1;
    if (strcmp(here, s->r->folder)) {
        if (chdir(s->r->folder)) return 0;
        snprintf(here, sizeof here, "%s", s->r->folder);
    }
    be_willing(1);
    pid_t pid = clone(start_child, child_stack + sizeof child_stack, CLONE_VM | CLONE_VFORK | CLONE_PIDFD_FLAG | SIGCHLD, s, pidfd);
    int error = errno;
    be_willing(0);
    if (pid > 0 && !s->failed) return pid;
    if (pid > 0) error = s->failed;
    if (pid > 0) {
        waitpid(pid, 0, __WALL);
        close(*pidfd);
    }
    errno = error;
    return 0;
}

/*
 * ---- the warm parent ----
 *
 * An interpreter that is started and has run nothing of the bot's. It is sent a turn's arguments as one packet with the three
 * descriptors of its standard streams, forks, and tells by a packet how its child ended: i32 status, u64 CPU, u64 peak memory. A
 * socket cannot be opened through /proc, so a turn reaches neither its requests nor its memory, which Landlock keeps from being
 * written. What cannot be sent, or a parent that is gone or does not answer, is a fresh start.
 */
static int warm_socket = -1;
static bytes warm_command; /* the request that started it: it is started again when it has gone */
typedef struct __attribute__((packed)) { int32_t status; uint64_t cpu, maxrss; } warm_end;

static int warm_books = -1;  /* its schedstat */
static uint64_t warm_ran;    /* what it had run when its last turn ended */

static uint64_t warm_cpu(void) {
    char text[128];
    ssize_t n = warm_books < 0 ? 0 : pread(warm_books, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = 0;
    return strtoull(text, 0, 10);
}

/* Whether the warm parent is what it was when its last turn ended: one thread, which has waited since. Its time is charged to nobody. */
static int warm_quiet(void) {
    char path[64];
    struct stat tasks;
    snprintf(path, sizeof path, "/proc/%d/task", keeper);
    return !stat(path, &tasks) && tasks.st_nlink == 3 && clock_less(warm_cpu(), warm_ran) < LONG;
}

static void warm_forget(void) {
    if (warm_books >= 0) close(warm_books);
    warm_books = -1;
    if (keeper) {
        send_signal(keeper, SIGKILL);
        waitpid(keeper, 0, __WALL);
    }
    if (warm_socket >= 0) close(warm_socket);
    keeper = 0;
    warm_socket = -1;
}

/* Starts the warm parent; it says a word when it is ready. Gives whether it is. */
static int warm_begin(void) {
    static char **words;
    static size_t room;
    request r;
    int pair[2], pidfd, ready = 0;
    char word[16], path[64];
    warm_forget();
    if (!warm_command.length || !parse_request(warm_command.at, warm_command.length, &r, &words, &room)) return 0;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) return 0;
    start s = {&r, pair[1], nothing, nothing, 0};
    keeper = launch(&s, &pidfd);
    close(pair[1]);
    if (keeper) {
        close(pidfd);
        ready = wait_for(pair[0], r.limit) && read(pair[0], word, sizeof word) > 0;
        snprintf(path, sizeof path, "/proc/%d/schedstat", keeper);
        warm_books = open(path, O_RDONLY | O_CLOEXEC);
        if (warm_books >= 0) warm_books = high(warm_books);
        warm_ran = warm_cpu();
    }
    warm_socket = pair[0];
    if (!ready) {
        warm_command.length = 0; /* it is not tried again */
        warm_forget();
    }
    return ready;
}

static int warm_send(request *r, start *s) {
    int fds[3] = {s->in, s->out, s->err};
    uint32_t counts[2] = {r->argc, r->envc};
    char *last = r->envc ? r->env[r->envc - 1] : r->argv[r->argc - 1];
    struct iovec parts[3] = {{counts, sizeof counts}, {r->folder, strlen(r->folder) + 1}, {r->argv[0], last + strlen(last) + 1 - r->argv[0]}};
    union { struct cmsghdr head; char room[CMSG_SPACE(sizeof fds)]; } control = {{0}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 3, .msg_control = &control, .msg_controllen = sizeof control};
    control.head = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof fds), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.head), fds, sizeof fds);
    return parts[2].iov_len < 60000 && sendmsg(warm_socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL) > 0;
}
static int warm_ready(void) {
    if (!warm_command.length) return 0;
    if (keeper && !warm_quiet()) {
        warm_command.length = 0; /* it is no parent that does nothing by itself: there is none from now on */
        warm_forget();
        return 0;
    }
    return keeper || warm_begin();
}
/* How the turn ended. */
static int warm_wait(usage *used) {
    warm_end end;
    int status = 0, there = wait_for(warm_socket, SECOND);
    if (there && read(warm_socket, &end, sizeof end) == sizeof end) {
        used->cpu += end.cpu;
        if (end.maxrss > used->maxrss) used->maxrss = end.maxrss;
        warm_ran = warm_cpu();
        return end.status;
    }
    /* The parent has gone in the middle of a turn. What ended it otherwise than by SIGKILL can only have been the turn. */
    if (there && keeper && waitpid(keeper, &status, __WALL) == keeper) {
        keeper = 0;
        if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) family_kills = 1;
    }
    warm_forget();
    return SIGKILL;
}

/* ---- one turn ---- */

typedef struct {
    bytes out, err;
    uint64_t err_total, began, ended;
    uint64_t due; /* when it was to be looked at again */
    uint64_t known, waited; /* when it was last seen to run, and what the launcher had waited for its own core by then */
    uint64_t parent, credited; /* what its warm parent had waited for a core when it was asked to fork, and since then */
    timing time;
    int looked; /* the books of its time are open: it took long */
    usage used;
    enum how how;
    enum limit limit;
    int code;
} turn;

static turn t; /* its buffers are used again */

static void keep_tail(bytes *b) {
    if (b->length <= 2 * STDERR_KEPT) return;
    memmove(b->at, b->at + b->length - STDERR_KEPT, STDERR_KEPT);
    b->length = STDERR_KEPT;
}

/* Reads once what is there. Gives 0 at the end. */
static int read_output(int fd, bytes *into) {
    reserve(into, 65536);
    ssize_t n = read(fd, into->at + into->length, 65536);
    if (n > 0) into->length += n;
    return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}
static int read_errors(int fd, turn *t) {
    size_t before = t->err.length;
    int more = read_output(fd, &t->err);
    t->err_total += t->err.length - before;
    keep_tail(&t->err);
    return more;
}
static int readable(int fd) {
    struct pollfd p = {fd, POLLIN, 0};
    return poll(&p, 1, 0) > 0;
}

/* Whether a request is about the program of this id: one that was sent for its forerunner may come late. */
static int asked_for(uint32_t id, const uint8_t *body, size_t length) {
    uint32_t asked;
    if (length < 4) { errno = EBADMSG; die("a request about a program"); }
    memcpy(&asked, body, 4);
    return asked == id;
}

/*
 * It has ended, since it was last seen to run. What the launcher waited for its core meanwhile has passed since then, at most: that is
 * charged to nobody.
 */
static void note_end(void) {
    t.ended = clock_less(now(), clock_less(own_wait(), t.waited));
    if (t.ended < t.known) t.ended = t.known;
}

/* What the warm parent has waited for a core since it was asked to fork. */
static uint64_t parent_waited(void) { return clock_less(wait_of(warm_books), t.parent); }

/*
 * Looks at a turn's books. A turn of a warm parent begins when that gets its core, and is over before that gets it again: it sleeps
 * meanwhile. What it waits is credited, and while it has a core or waits for one nothing that passes is the turn's.
 */
static void look_at_turn(int warmed) {
    char path[64], state;
    uint64_t own, children, before = t.time.sure;
    timing_look(&t.time, 1);
    if (!warmed) return;
    snprintf(path, sizeof path, "/proc/%d/stat", keeper);
    int busy = !read_stat(path, &state, &own, &children) || state == 'R';
    t.credited = parent_waited();
    t.time.sure = clock_sum(t.time.sure, t.credited);
    if (!t.time.last.count && t.time.sure < before) t.time.sure = before; /* its books have gone with it */
    t.time.maybe = busy ? UINT64_MAX : clock_sum(t.time.maybe, t.credited);
}

/* Watches a started program to its end. `done` is readable when it has ended. */
static void watch(request *r, pid_t pid, int warmed, int done, int in, int out, int err) {
    struct pollfd p[6] = {{done, POLLIN, 0},     {out, POLLIN, 0},     {err, POLLIN, 0},
                          {requests, POLLIN, 0}, {notices, POLLIN, 0}, {in, POLLOUT, 0}};
    struct pollfd soon[2] = {{done, POLLIN, 0}, {notices, POLLIN, 0}};
    size_t written = 0;
    uint8_t kind, *body;
    size_t length;
    /* Most turns are short and fit into their pipes: waking up for what they print would only take their core away. */
    struct timespec first = {0, r->limit < LONG ? r->limit : LONG};
    t.due = clock_sum(t.began, first.tv_nsec);
    if (in < 0 && ppoll(soon, 2, &first, 0) > 0 && soon[0].revents) return note_end();
    t.time.base.count = t.time.last.count = 0;
    timing_begin(&t.time, t.began);
    t.looked = 1;
    look next = clock_look(t.began, r->limit, now(), 0, 0);
    while (t.limit == NO_LIMIT) {
        uint64_t at = now(), waited = own_wait();
        if (at >= next.until || next.verdict != IN_TIME) {
            if (readable(done)) return note_end();
            t.known = at;
            t.waited = waited;
            look_at_turn(warmed);
            next = clock_look(t.began, r->limit, t.time.last.when, t.time.sure, t.time.maybe);
            at = now();
            waited = own_wait();
            if (next.verdict != IN_TIME && readable(done)) return note_end();
            if (next.verdict != IN_TIME) { t.limit = next.verdict == BUSY ? HARD_STOP : TIME_LIMIT; break; }
        }
        uint64_t left = clock_less(next.until, at);
        t.due = next.until;
        struct timespec timeout = {left / SECOND, left % SECOND};
        if (ppoll(p, in >= 0 ? 6 : 5, &timeout, 0) <= 0) continue;
        if (!p[0].revents) {
            t.known = at;
            t.waited = waited;
        }
        if (p[4].revents) heed();
        if (p[1].revents && !read_output(out, &t.out)) p[1].fd = -1;
        if (p[2].revents && !read_errors(err, &t)) p[2].fd = -1;
        if (t.out.length > r->out_cap) t.limit = STDOUT_LIMIT;
        else if (t.err_total > r->err_cap) t.limit = STDERR_LIMIT;
        if (p[0].revents) return note_end();
        if (p[3].revents) {
            read_requests();
            if (frame_ready(&kind, &body, &length) && kind == 'K') {
                if (asked_for(r->id, body, length)) t.limit = ASKED;
                frame_done(length);
            } else if (inbox.length - inbox_at > MAX_FRAME) p[3].fd = -1;
        }
        if (in >= 0 && p[5].revents) {
            ssize_t n = write(in, r->input + written, r->input_length - written);
            if (n > 0) written += n;
            if ((n < 0 && errno != EAGAIN && errno != EINTR) || written == r->input_length) {
                close(in);
                in = p[5].fd = -1;
            }
        }
    }
    if (pid) send_signal(pid, SIGKILL);
    signal_family(SIGKILL);
}

/*
 * Judges a program that has ended by its books, which can still be read. Its end may be the first that the launcher sees of it:
 * where the machine stood still, no look came before. When it ended is known from when the launcher saw it: it did not end before it
 * had run for as long as its books say.
 */
static void judge_ended(const request *r) {
    uint64_t wall = clock_less(now(), t.began);
    if (t.limit != NO_LIMIT || wall <= LONG || (!t.looked && wall <= r->limit)) return;
    if (!t.looked) {
        t.time.base.count = t.time.last.count = 0;
        timing_begin(&t.time, t.began);
    }
    timing_look(&t.time, 0);
    uint64_t soonest = clock_sum(t.began, clock_sum(t.time.sure, t.time.longest));
    if (t.ended < soonest) t.ended = soonest;
    if (clock_charged(clock_less(t.ended, t.began), t.time.sure) > r->limit) t.limit = TIME_LIMIT;
}

/*
 * The same where the books have gone with it: it gets the benefit of the doubt that the last look left. What it is late by
 * because the launcher came too late to look is nobody's fault.
 */
static void judge_gone(const request *r) {
    t.time.sure = clock_sum(t.time.sure, clock_less(parent_waited(), t.credited));
    uint64_t wall = clock_less(t.ended, t.began), credit = t.time.maybe > t.time.sure ? t.time.maybe : t.time.sure;
    if (t.limit != NO_LIMIT || clock_charged(wall, t.time.sure) <= r->limit) return;
    t.time.sure = credit;
    if (clock_charged(wall, credit) <= r->limit) return;
    t.limit = clock_charged(wall, clock_sum(credit, clock_less(t.ended, t.due))) > r->limit ? TIME_LIMIT : HARD_STOP;
}

static void clean(void);
static int pin(pid_t thread, int core);

static void run_turn(request *r) {
    empty(&t.out);
    empty(&t.err);
    t = (turn){.out = t.out, .err = t.err, .time = t.time};
    t.time.sure = t.time.maybe = 0;
    family_kills = 0;
    int out[2] = {-1, -1}, err[2] = {-1, -1}, in[2] = {-1, -1}, pidfd = -1, status = 0;
    pid_t pid = 0;
    uint32_t put_failed = 0;
    if (r->flags & PUT) put_failed = put_file(r->file, r->content, r->file_length) != 0;
    if (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC) || ((r->flags & STDIN) && pipe2(in, O_CLOEXEC))) die("pipe");
    if (in[1] >= 0) fcntl(in[1], F_SETFL, O_NONBLOCK);
    start s = {r, in[0] >= 0 ? in[0] : nothing, out[1], err[1], 0};
    struct rusage used;
    int warmed = (r->flags & WARM) && warm_ready();
    t.began = t.known = now();
    t.waited = own_wait();
    t.parent = wait_of(warm_books);
    warmed = warmed && warm_send(r, &s);
    if (!warmed) pid = launch(&s, &pidfd);
    close(out[1]);
    close(err[1]);
    if (in[0] >= 0) close(in[0]);
    if (!pid && !warmed) {
        t.how = NOT_STARTED;
        t.code = errno;
        if (in[1] >= 0) close(in[1]);
    } else {
        watch(r, pid, warmed, warmed ? warm_socket : pidfd, in[1], out[0], err[0]);
        if (!t.ended) t.ended = now();
        if (warmed) {
            judge_gone(r);
            status = warm_wait(&t.used);
        } else {
            judge_ended(r);
            while (wait4(pid, &status, __WALL, &used) < 0 && errno == EINTR) {}
            add_usage(&t.used, &used);
            close(pidfd);
        }
        t.how = WIFEXITED(status) ? EXITED : SIGNALLED;
        t.code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
    }
    sweep(&t.used);
    /* Nobody is left who could write: what comes short of what was asked for is the last. */
    for (size_t more = 65536; more == 65536 && t.limit != STDOUT_LIMIT;) {
        more = t.out.length;
        if (alone || readable(out[0])) read_output(out[0], &t.out);
        more = t.out.length - more;
        if (t.out.length > r->out_cap && t.limit == NO_LIMIT) t.limit = STDOUT_LIMIT;
    }
    for (uint64_t more = 65536; more == 65536 && t.err_total <= r->err_cap;) {
        more = t.err_total;
        if (alone || readable(err[0])) read_errors(err[0], &t);
        more = t.err_total - more;
    }
    close(out[0]);
    close(err[0]);
    if (!t.ended) t.ended = now();

    uint64_t wall = t.ended - t.began;
    if (t.out.length > r->out_cap) t.out.length = r->out_cap;
    uint32_t kept = t.err.length > STDERR_KEPT ? STDERR_KEPT : t.err.length;
    answer('R');
    append32(&outbox, r->id);
    append32(&outbox, t.how | t.limit << 8 | (put_failed | killers()) << 16);
    append32(&outbox, t.code);
    append64(&outbox, wall);
    append64(&outbox, clock_charged(wall, t.time.sure));
    append64(&outbox, t.used.cpu);
    append64(&outbox, t.used.maxrss);
    append32(&outbox, t.out.length);
    append32(&outbox, kept);
    size_t file_at = outbox.length;
    append32(&outbox, NONE);
    size_t rolled_at = outbox.length;
    append32(&outbox, NONE);
    append(&outbox, t.out.at, t.out.length);
    append(&outbox, t.err.at + t.err.length - kept, kept);
    if (r->flags & FETCH) {
        struct stat file;
        int fd = open(r->file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (fd >= 0 && !fstat(fd, &file) && S_ISREG(file.st_mode)) {
            uint32_t length = file.st_size > r->out_cap ? NONE - 1 : file.st_size;
            if (length != NONE - 1) {
                reserve(&outbox, length);
                ssize_t n = read(fd, outbox.at + outbox.length, length);
                outbox.length += length = n > 0 ? n : 0;
            }
            memcpy(outbox.at + file_at, &length, 4);
        }
        if (fd >= 0) close(fd);
    }
    if (state_folder) {
        static bytes fresh;
        fresh.length = 0;
        uint64_t names = tidy_tree(AT_FDCWD, state_folder, 0, 0);
        uint64_t held = pack_tree(AT_FDCWD, state_folder, "", &fresh, state_limit + 65536, 0) + clock_less(names, FREE_NAMES);
        if (held > state_limit) {
            wipe_tree(state_folder);
            unpack_tree(state_folder, state_good.at, state_good.length);
            uint32_t told = held > NONE - 1 ? NONE - 1 : held;
            memcpy(outbox.at + rolled_at, &told, 4);
        } else {
            bytes swap = state_good;
            state_good = fresh;
            fresh = swap;
        }
    }
    if (r->flags & WIPE) clean();
    send_answer();
}

/*
 * Empties the private folders where anything about them has changed: their change time tells, and no program can set it. Reading one
 * changes no more than its access time, which the next turn could read.
 */
static void clean(void) {
    for (int i = 0; i < private_count; i++) {
        struct stat s;
        if (fstat(private_fds[i], &s) || (!memcmp(&s.st_ctim, &private_ctimes[i], sizeof s.st_ctim) &&
                                          !memcmp(&s.st_atim, &private_atimes[i], sizeof s.st_atim)))
            continue;
        wipe_tree(private_folders[i]);
        fchmod(private_fds[i], 0700);
        struct timespec zero[2] = {{0, 0}, {0, 0}};
        futimens(private_fds[i], zero);
        syscall(SYS_fremovexattr, private_fds[i], "user.note");
        if (fstat(private_fds[i], &s)) continue;
        private_ctimes[i] = s.st_ctim;
        private_atimes[i] = s.st_atim;
    }
}

/* ---- a program that stays ---- */

static struct {
    pid_t pid;
    int pidfd, err;
    uint64_t err_total, err_cap, err_next; /* not looked at before: a byte at a time would make a frame of each */
    /* A question that takes long: watched since, due, never after; 0: none. */
    uint64_t began, due, limit;
    timing time;
    uint32_t id, question;
    enum limit stopped;
    int resting; /* nobody asks it: its family stands still */
} stay = {.pidfd = -1, .err = -1};

static void stay_started(request *r) {
    int err[2], status;
    if (pipe2(err, O_CLOEXEC)) die("pipe");
    fcntl(bot_in, F_SETFL, 0); /* its forerunner shared these flags */
    fcntl(bot_out, F_SETFL, 0);
    start s = {r, bot_in, bot_out, err[1], 0};
    family_kills = 0;
    stay.id = r->id;
    stay.pid = launch(&s, &stay.pidfd);
    status = errno;
    close(err[1]);
    stay.err = err[0];
    stay.err_total = stay.err_next = stay.due = 0;
    stay.err_cap = r->err_cap;
    stay.time.last.count = 0;
    stay.stopped = NO_LIMIT;
    stay.resting = 0;
    answer('S');
    append32(&outbox, stay.pid ? 0 : status);
    send_answer();
    if (!stay.pid) {
        close(stay.err);
        stay.err = -1;
    }
}

/* After a few bytes the next are left in the pipe for a while. */
#define STDERR_PAUSE (SECOND / 50)
#define STDERR_MUCH 16384

static void stay_stderr(void) {
    static bytes chunk;
    chunk.length = 0;
    if (!read_output(stay.err, &chunk)) {
        close(stay.err);
        stay.err = -1;
    }
    stay.err_total += chunk.length;
    stay.err_next = chunk.length < STDERR_MUCH ? now() + STDERR_PAUSE : 0;
    if (!chunk.length) return;
    answer('E');
    append32(&outbox, stay.id);
    append(&outbox, chunk.at, chunk.length);
    send_answer();
    if (stay.err_total > stay.err_cap && stay.pid) {
        stay.stopped = STDERR_LIMIT;
        send_signal(stay.pid, SIGKILL);
        signal_family(SIGKILL);
    }
}

static void stay_ended(void) {
    int status;
    usage used = {0};
    struct rusage r;
    while (wait4(stay.pid, &status, __WALL, &r) < 0 && errno == EINTR) {}
    add_usage(&used, &r);
    sweep(&used);
    while (stay.err >= 0 && readable(stay.err)) stay_stderr();
    if (stay.err >= 0) close(stay.err);
    close(stay.pidfd);
    stay.pid = stay.due = 0;
    stay.err = stay.pidfd = -1;
    answer('X');
    append32(&outbox, stay.id);
    append32(&outbox, (WIFEXITED(status) ? EXITED : SIGNALLED) | stay.stopped << 8 | killers() << 16);
    append32(&outbox, WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    append64(&outbox, used.cpu);
    append64(&outbox, used.maxrss);
    send_answer();
}

/* Whether a request is about the process that stays now. */
static int about_stay(const uint8_t *body, size_t length) { return asked_for(stay.id, body, length) && stay.pid; }

static void stay_watch(uint8_t *body, size_t length) {
    if (length != 24) { errno = EBADMSG; die("a watch"); }
    memcpy(&stay.question, body + 4, 4);
    memcpy(&stay.began, body + 8, 8);
    memcpy(&stay.limit, body + 16, 8);
    timing *t = &stay.time;
    /* It is told of the question late: what the bot waited since the last look counts as far as the question is old. */
    timing_base(t);
    timing_begin(t, stay.began);
    timing_look(t, 1);
    uint64_t age = clock_less(t->last.when, stay.began), head = t->sure < age ? t->sure : age;
    timing_base(t);
    t->head = head;
    t->cpu = 0;
    /* A wait that goes on at this moment is booked later, and has room in all of the question's time. */
    t->base.when = clock_sum(stay.began, head);
    stay.due = clock_look(stay.began, stay.limit, t->last.when, head, clock_sum(head, CLOCK_LOOK)).until;
    if (stay.due <= t->last.when) stay.due = t->last.when + CLOCK_STEP;
}

/*
 * A bot runs while it is asked, and stands still while others are. All of its family are signalled in one call, in which the kernel
 * lets nothing fork away, and nothing in it can send the signal that ends a rest (see `refuse_continues`).
 */
static void stay_rest(int rests) {
    if (stay.resting == rests) return;
    stay.resting = rests;
    signal_family(rests ? SIGSTOP : SIGCONT);
}

/* The watched question's measures: CPU and waiting since it is watched. */
static void stay_tell(uint8_t kind, enum verdict verdict) {
    if (stay.err >= 0 && readable(stay.err)) stay_stderr();
    timing_look(&stay.time, 0);
    answer(kind);
    append32(&outbox, stay.id);
    append32(&outbox, stay.question);
    append64(&outbox, clock_less(stay.time.last.when, stay.began));
    append64(&outbox, stay.time.sure);
    append64(&outbox, stay.time.cpu);
    append32(&outbox, verdict == BUSY);
    send_answer();
}

/* The time may be up: the family stands still while Node looks whether the answer is there, so nothing is said too late. */
static void stay_due(void) {
    timing_look(&stay.time, 1);
    look next = clock_look(stay.began, stay.limit, stay.time.last.when, stay.time.sure, stay.time.maybe);
    if (next.verdict == IN_TIME) {
        stay.due = next.until;
        return;
    }
    stay.due = 0;
    signal_family(SIGSTOP);
    stay_tell('L', next.verdict);
}

/* ---- restrictions, put on this process and inherited ---- */

/* Binds a thread (0: this process) to a core; a negative one: to none. */
static uint64_t pin_key = sizeof(cpu_set_t);
static int pin(pid_t thread, int core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (core < 0 || i == core) CPU_SET(i, &set);
    return syscall(SYS_sched_setaffinity, thread, pin_key, &set) < 0;
}

static void set_limit(const char *name, uint64_t value) {
    static const struct { const char *name; int resource; } known[] = {
        {"data", RLIMIT_DATA}, {"processes", RLIMIT_NPROC}, {"files", RLIMIT_NOFILE}, {"file", RLIMIT_FSIZE}, {"stack", RLIMIT_STACK}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct rlimit old, limit = {value, value};
        if (strcmp(name, known[i].name)) continue;
        if (!getrlimit(known[i].resource, &old) && old.rlim_max < value) limit.rlim_cur = limit.rlim_max = old.rlim_max;
        if (setrlimit(known[i].resource, &limit)) die(name);
        return;
    }
    errno = EINVAL;
    die(name);
}
static void set_usual_limits(void) {
    static const int none[] = {RLIMIT_CORE, RLIMIT_MEMLOCK, RLIMIT_MSGQUEUE, RLIMIT_RTPRIO, RLIMIT_NICE};
    struct rlimit zero = {0, 0};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) setrlimit(none[i], &zero);
    /* Timers and queued signals, which the kernel counts by user. */
    struct rlimit pending = {4096, 4096}, old;
    if (!getrlimit(RLIMIT_SIGPENDING, &old) && old.rlim_max > pending.rlim_max) setrlimit(RLIMIT_SIGPENDING, &pending);
}

/* The kernel's own headers are not everywhere; these are its numbers. */
struct ruleset { uint64_t fs, net, scoped; };
struct __attribute__((packed)) beneath { uint64_t allowed; int32_t parent; };
enum { EXECUTE = 1, WRITE_FILE = 2, READ_FILE = 4, READ_DIR = 8, TRUNCATE = 1 << 14 };

static void allow(int rules, int parent, uint64_t what) {
    struct beneath rule = {what, parent};
    syscall(445, rules, 1, &rule, 0);
}
static void allow_path(int rules, const char *path, uint64_t what) {
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) return;
    allow(rules, fd, what);
    close(fd);
}

/* Landlock: reads everywhere in the cell, writes in its private folders alone, above all not in /proc. Gives its version, or 0. */
static int restrict_files(void) {
    int version = syscall(444, 0, 0, 1);
    if (version < 1) return 0;
    uint64_t files = version >= 3 ? 0x7fff : version == 2 ? 0x3fff : 0x1fff;
    struct ruleset set = {files, 0, version >= 6 ? 3 : 0};
    int rules = syscall(444, &set, version >= 6 ? 24 : version >= 4 ? 16 : 8, 0);
    if (rules < 0) return 0;
    allow_path(rules, "/", EXECUTE | READ_FILE | READ_DIR);
    /* Not /dev/zero: mapped for writing it is memory that counts for no process. */
    static const char *const devices[] = {"/dev/null", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"};
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) allow_path(rules, devices[i], (WRITE_FILE | TRUNCATE) & files);
    for (int i = 0; i < private_count; i++) allow(rules, private_fds[i], files);
    if (state_folder) allow_path(rules, state_folder, files);
    if (bot_in >= 0) {
        allow(rules, bot_in, READ_FILE);
        allow(rules, bot_out, WRITE_FILE);
    }
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    int failed = syscall(446, rules, 0);
    close(rules);
    return failed ? 0 : version;
}

struct step { uint16_t code; uint8_t yes, no; uint32_t value; };
enum { LOAD = 0x20, EQUAL = 0x15, ABOVE = 0x25, ANY_BIT = 0x45, KEEP_BITS = 0x54, RETURN = 0x06 };
#if defined __x86_64__
#define ARCHITECTURE 0xc000003eu
#elif defined __aarch64__
#define ARCHITECTURE 0xc00000b7u
#endif

/*
 * Has this process told of each call of the family that sends SIGKILL, or makes the kernel send it: kill and its kin with that
 * signal, a death signal, a signal of a descriptor or of a child's end that is it, a timer (whose signal lies in memory, so any), and
 * the limits of processor time. Its own calls carry a password in a register that kill does not read; no bot can read this process
 * or its filter. Where the kernel cannot, or who started agon listens already, nothing is noticed.
 */
static void notice_kills(void) {
#ifdef ARCHITECTURE
    enum { AND = 0x54, PASS = 0x7fff0000, NOTIFY = 0x7fc00000, NEW_LISTENER = 8 };
    static const struct { uint16_t call, word; } senders[] = {
        {SYS_tkill, 1}, {SYS_rt_sigqueueinfo, 1}, {424 /* pidfd_send_signal */, 1}, {SYS_tgkill, 2}, {SYS_rt_tgsigqueueinfo, 2}};
    static const struct { uint16_t call, first, second; uint32_t asks; } pairs[] = {
        {SYS_prctl, 0, 1, 1 /* PR_SET_PDEATHSIG */}, {SYS_fcntl, 1, 2, 10 /* F_SETSIG */}};
    static struct step program[128];
    int n = 0;
#define STEP(c, y, f, v) (program[n++] = (struct step){c, y, f, v})
#define LOW(i) (16 + 8 * (i))
#define HIGH(i) (20 + 8 * (i))
    STEP(LOAD, 0, 0, 4);
    STEP(EQUAL, 1, 0, ARCHITECTURE);
    STEP(RETURN, 0, 0, PASS); /* the other filter ends it */
    STEP(LOAD, 0, 0, 0);
    STEP(EQUAL, 0, 8, SYS_kill);
    STEP(LOAD, 0, 0, LOW(1));
    STEP(EQUAL, 0, 5, SIGKILL);
    STEP(LOAD, 0, 0, LOW(2));
    STEP(EQUAL, 0, 2, (uint32_t)password);
    STEP(LOAD, 0, 0, HIGH(2));
    STEP(EQUAL, 1, 0, (uint32_t)(password >> 32));
    STEP(RETURN, 0, 0, NOTIFY);
    STEP(RETURN, 0, 0, PASS);
    for (size_t i = 0; i < sizeof senders / sizeof *senders; i++) {
        STEP(EQUAL, 0, 4, senders[i].call);
        STEP(LOAD, 0, 0, LOW(senders[i].word));
        STEP(EQUAL, 0, 1, SIGKILL);
        STEP(RETURN, 0, 0, NOTIFY);
        STEP(RETURN, 0, 0, PASS);
    }
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        STEP(EQUAL, 0, 6, pairs[i].call);
        STEP(LOAD, 0, 0, LOW(pairs[i].first));
        STEP(EQUAL, 0, 3, pairs[i].asks);
        STEP(LOAD, 0, 0, LOW(pairs[i].second));
        STEP(EQUAL, 0, 1, SIGKILL);
        STEP(RETURN, 0, 0, NOTIFY);
        STEP(RETURN, 0, 0, PASS);
    }
    STEP(EQUAL, 0, 5, SYS_clone); /* the signal of its end, sent to its parent */
    STEP(LOAD, 0, 0, LOW(0));
    STEP(AND, 0, 0, 0xff);
    STEP(EQUAL, 0, 1, SIGKILL);
    STEP(RETURN, 0, 0, NOTIFY);
    STEP(RETURN, 0, 0, PASS);
    STEP(EQUAL, 0, 5, SYS_setrlimit);
    STEP(LOAD, 0, 0, LOW(0));
    STEP(EQUAL, 1, 0, RLIMIT_CPU);
    STEP(EQUAL, 0, 1, 15 /* RLIMIT_RTTIME */);
    STEP(RETURN, 0, 0, NOTIFY);
    STEP(RETURN, 0, 0, PASS);
    STEP(EQUAL, 0, 9, SYS_prlimit64);
    STEP(LOAD, 0, 0, LOW(1));
    STEP(EQUAL, 1, 0, RLIMIT_CPU);
    STEP(EQUAL, 0, 5, 15);
    STEP(LOAD, 0, 0, LOW(2)); /* no new limits: it only asks */
    STEP(EQUAL, 0, 2, 0);
    STEP(LOAD, 0, 0, HIGH(2));
    STEP(EQUAL, 1, 0, 0);
    STEP(RETURN, 0, 0, NOTIFY);
    STEP(RETURN, 0, 0, PASS);
    STEP(EQUAL, 0, 1, SYS_timer_create);
    STEP(RETURN, 0, 0, NOTIFY);
    STEP(RETURN, 0, 0, PASS);
#undef STEP
#undef LOW
#undef HIGH
    struct { uint16_t length; struct step *program; } filter = {n, program};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    notices = syscall(SYS_seccomp, 1, NEW_LISTENER, &filter);
    if (notices >= 0) notices = high(notices);
    memset(program, 0, sizeof program);
#endif
}

#ifdef ARCHITECTURE
enum { ANSWER = 0x00050000, ALLOW = 0x7fff0000, KILL = (int)0x80000000 };
static struct step filter_steps[2048];
static int filter_length;
static void step(uint16_t code, uint8_t yes, uint8_t no, uint32_t value) {
    filter_steps[filter_length++] = (struct step){code, yes, no, value};
}
/* Where an argument of a call is one of these, allows it, else answers with an error. The argument is the lower 32 bits. */
static void step_argument(uint32_t call, int argument, const uint32_t *values, int count, uint32_t other) {
    step(EQUAL, 0, count + 3, call);
    step(LOAD, 0, 0, 16 + 8 * argument);
    for (int i = 0; i < count; i++) step(EQUAL, count - i, 0, values[i]);
    step(RETURN, 0, 0, other);
    step(RETURN, 0, 0, ALLOW);
}
#define COUNT(list) ((int)(sizeof list / sizeof *list))

/* Which system calls a bot has (calls.h). Gives whether that holds. `alike`: no memory that is shared and has no file. */
static int restrict_calls(int alike) {
    static const uint32_t own[] = {0};
    static uint8_t table[CALLS];
    for (int i = 0; i < COUNT(passed); i++) table[passed[i]] = PASS;
    for (int i = 0; i < COUNT(refused); i++) table[refused[i]] = REFUSE;
    for (int i = 0; i < COUNT(ignored); i++) table[ignored[i]] = DONE;
    for (int i = 0; i < COUNT(unsupported); i++) table[unsupported[i]] = UNSUPPORTED;
    static const uint32_t answers_of[] = {[MISSING] = ANSWER | ENOSYS, [PASS] = ALLOW, [REFUSE] = ANSWER | EPERM, [DONE] = ANSWER,
                                          [UNSUPPORTED] = ANSWER | EOPNOTSUPP};

    step(LOAD, 0, 0, 4);
    step(EQUAL, 1, 0, ARCHITECTURE);
    step(RETURN, 0, 0, KILL); /* another architecture's calls */
    step(LOAD, 0, 0, 0);
    if (alike) { /* that kind of memory counts for no process, only for a cgroup */
        step(EQUAL, 0, 6, SYS_mmap);
        step(LOAD, 0, 0, 16 + 8 * 3);
        step(ANY_BIT, 0, 3, 0x20);
        step(KEEP_BITS, 0, 0, 1); /* MAP_SHARED, and MAP_SHARED_VALIDATE */
        step(EQUAL, 0, 1, 1);
        step(RETURN, 0, 0, ANSWER | ENOMEM);
        step(RETURN, 0, 0, ALLOW);
    }
    step_argument(SYS_ioctl, 1, ioctls, COUNT(ioctls), ANSWER | ENOTTY);
    step(EQUAL, 0, COUNT(fcntls) + COUNT(locks) + 4, SYS_fcntl);
    step(LOAD, 0, 0, 24);
    for (int i = 0; i < COUNT(fcntls); i++) step(EQUAL, COUNT(fcntls) - i + COUNT(locks) + 1, 0, fcntls[i]);
    for (int i = 0; i < COUNT(locks); i++) step(EQUAL, COUNT(locks) - i, 0, locks[i]);
    step(RETURN, 0, 0, ANSWER | EINVAL);
    step(RETURN, 0, 0, ANSWER);
    step(RETURN, 0, 0, ALLOW);
    step(EQUAL, 0, 4, SYS_clone); /* new namespaces */
    step(LOAD, 0, 0, 16);
    step(ANY_BIT, 0, 1, 0x7e020080);
    step(RETURN, 0, 0, ANSWER | EPERM);
    step(RETURN, 0, 0, ALLOW);
    step_argument(SYS_socket, 0, families, COUNT(families), ANSWER | EAFNOSUPPORT);
    step_argument(SYS_socketpair, 0, families, COUNT(families), ANSWER | EAFNOSUPPORT);
    step_argument(SYS_preadv2, 5, transfers, COUNT(transfers), ANSWER | EOPNOTSUPP);
    step_argument(SYS_pwritev2, 5, transfers, COUNT(transfers), ANSWER | EOPNOTSUPP);
    step_argument(SYS_prctl, 0, prctls, COUNT(prctls), ANSWER | EINVAL);
    step_argument(SYS_personality, 0, personalities, COUNT(personalities), ANSWER | EPERM);
    step_argument(SYS_prlimit64, 0, own, COUNT(own), ANSWER | EPERM); /* not of another process */
    /* A core is chosen by this program alone: the length that it gives is a secret, of which the kernel looks at the set's. */
    if (getentropy(&pin_key, sizeof pin_key)) return 0;
    pin_key |= 1u << 31;
    step(EQUAL, 0, 6, SYS_sched_setaffinity);
    step(LOAD, 0, 0, 24);
    step(EQUAL, 0, 3, (uint32_t)pin_key);
    step(LOAD, 0, 0, 28);
    step(EQUAL, 0, 1, pin_key >> 32);
    step(RETURN, 0, 0, ALLOW);
    step(RETURN, 0, 0, ANSWER);
    /* The numbers in their order, as runs that come to the same; x32's are above all. */
    for (int from = 0, i = 1; i <= CALLS; i++) {
        if (i < CALLS && table[i] == table[from]) continue;
        step(ABOVE, 1, 0, i - 1);
        step(RETURN, 0, 0, answers_of[table[from]]);
        from = i;
    }
    step(RETURN, 0, 0, ANSWER | ENOSYS);
    struct { uint16_t length; struct step *program; } filter = {filter_length, filter_steps};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return !syscall(SYS_seccomp, 1, 0, &filter);
}
#else
static int restrict_calls(int alike) { return (void)alike, 0; }
#endif

/*
 * No call of the family sends SIGCONT, or makes the kernel send it later: the family stands still while nobody asks it. A timer's signal
 * lies in memory, so there is none but those that send their own (setitimer, alarm, timerfd). This process's calls carry its password.
 */
#ifdef ARCHITECTURE
static int refuse_continues(void) {
    enum { AND = 0x54, CLONE_SIGNAL = 0xff };
    static const struct { uint16_t call, word; } senders[] = {
        {SYS_tkill, 1}, {SYS_rt_sigqueueinfo, 1}, {424 /* pidfd_send_signal */, 1}, {SYS_tgkill, 2}, {SYS_rt_tgsigqueueinfo, 2}};
    static const struct { uint16_t call, first, second; uint32_t asks; } pairs[] = {
        {SYS_prctl, 0, 1, PR_SET_PDEATHSIG}, {SYS_fcntl, 1, 2, 10 /* F_SETSIG */}};
    step(LOAD, 0, 0, 0);
    step(EQUAL, 0, 8, SYS_kill);
    step(LOAD, 0, 0, 16 + 8 * 1);
    step(EQUAL, 0, 5, SIGCONT);
    step(LOAD, 0, 0, 16 + 8 * 2);
    step(EQUAL, 0, 2, (uint32_t)password);
    step(LOAD, 0, 0, 20 + 8 * 2);
    step(EQUAL, 1, 0, (uint32_t)(password >> 32));
    step(RETURN, 0, 0, ANSWER | EPERM);
    step(RETURN, 0, 0, ALLOW);
    for (int i = 0; i < COUNT(senders); i++) {
        step(EQUAL, 0, 4, senders[i].call);
        step(LOAD, 0, 0, 16 + 8 * senders[i].word);
        step(EQUAL, 0, 1, SIGCONT);
        step(RETURN, 0, 0, ANSWER | EPERM);
        step(RETURN, 0, 0, ALLOW);
    }
    for (int i = 0; i < COUNT(pairs); i++) {
        step(EQUAL, 0, 6, pairs[i].call);
        step(LOAD, 0, 0, 16 + 8 * pairs[i].first);
        step(EQUAL, 0, 3, pairs[i].asks);
        step(LOAD, 0, 0, 16 + 8 * pairs[i].second);
        step(EQUAL, 0, 1, SIGCONT);
        step(RETURN, 0, 0, ANSWER | EPERM);
        step(RETURN, 0, 0, ALLOW);
    }
    step(EQUAL, 0, 5, SYS_clone); /* the signal of its end, sent to its parent */
    step(LOAD, 0, 0, 16);
    step(AND, 0, 0, CLONE_SIGNAL);
    step(EQUAL, 0, 1, SIGCONT);
    step(RETURN, 0, 0, ANSWER | EPERM);
    step(RETURN, 0, 0, ALLOW);
    step(EQUAL, 0, 1, SYS_timer_create);
    step(RETURN, 0, 0, ANSWER | EAGAIN);
    step(RETURN, 0, 0, ALLOW);
    struct { uint16_t length; struct step *program; } filter = {filter_length, filter_steps};
    filter_length = 0;
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return !syscall(SYS_seccomp, 1, 0, &filter);
}
#else
static int refuse_continues(void) { return 0; }
#endif

/* ---- the cell ---- */

static void hello(int landlock, int filter) {
    answer('H');
    append32(&outbox, VERSION);
    append32(&outbox, landlock);
    append32(&outbox, filter);
    append32(&outbox, alone);
    append32(&outbox, notices >= 0);
    send_answer();
}

static void handle(uint8_t kind, uint8_t *body, size_t length) {
    static char **words;
    static size_t room;
    request r;
    bytes tree = {0};
    char *path, *text = (char *)body;
    switch (kind) {
    case 'T':
    case 'S':
        if (!parse_request(body, length, &r, &words, &room)) { errno = EBADMSG; die("a request"); }
        if (kind == 'T') run_turn(&r);
        else {
            if (stay.pid) { /* its forerunner is on its way out */
                send_signal(stay.pid, SIGKILL);
                stay_ended();
            }
            stay_started(&r);
        }
        return;
    case 'K':
        if (!about_stay(body, length)) return; /* it went before it was asked to */
        stay.stopped = ASKED;
        stay.due = 0;
        send_signal(stay.pid, SIGKILL);
        signal_family(SIGKILL);
        return;
    case 'W':
        if (about_stay(body, length)) stay_watch(body, length);
        return;
    case 'A': /* answered */
        if (!about_stay(body, length)) return;
        stay.due = 0;
        stay_tell('M', IN_TIME);
        return;
    case 'C': /* answered in time, after all */
        if (about_stay(body, length) && !stay.resting) signal_family(SIGCONT);
        return;
    case 'Z': /* nobody asks it now */
        if (about_stay(body, length)) stay_rest(1);
        return;
    case 'Y': /* it is asked next */
        if (about_stay(body, length)) stay_rest(0);
        answer('Y');
        send_answer();
        return;
    case 'F': /* fresh: as at the beginning */
        for (int i = 0; i < private_count; i++) private_ctimes[i].tv_nsec = -1;
        clean();
        if (state_folder) {
            wipe_tree(state_folder);
            state_good.length = 0;
        }
        return;
    case 'G': /* the tree of a folder: u32 most, path */
        if (length < 6 || body[length - 1]) { errno = EBADMSG; die("a folder"); }
        answer('G');
        uint32_t most;
        memcpy(&most, body, 4);
        uint64_t held = pack_tree(AT_FDCWD, text + 4, "", &tree, most, 0);
        append64(&outbox, held);
        append(&outbox, tree.at, tree.length);
        free(tree.at);
        send_answer();
        return;
    case 'P': /* a tree into a folder: path, tree */
        if (!memchr(body, 0, length)) { errno = EBADMSG; die("a folder"); }
        path = text;
        wipe_tree(path);
        unpack_tree(path, body + strlen(path) + 1, length - strlen(path) - 1);
        if (state_folder && !strcmp(path, state_folder)) {
            state_good.length = 0;
            append(&state_good, body + strlen(path) + 1, length - strlen(path) - 1);
        }
        return;
    case 'I': /* the warm parent's command */
        warm_command.length = 0;
        append(&warm_command, body, length);
        answer('I');
        append32(&outbox, warm_begin());
        send_answer();
        return;
    case 'B': /* bind to a core; negative: any */
        if (length == 4) {
            int32_t core;
            memcpy(&core, body, 4);
            pin(0, core);
        }
        return;
    default: errno = EBADMSG; die("a frame's kind");
    }
}

static void no_op(int signal) { (void)signal; }

/* launcher cell [--pipes] [--cpu] [--counted] [--state FOLDER BYTES] [--private FOLDER]… [--limit NAME VALUE]… [--restrict] */
static _Noreturn void cell(int argc, char **argv) {
    int restricted = 0, pipes = 0, cpu = 0, counted = 0;
    for (int i = 2; i < argc; i++) {
        if (!strcmp(argv[i], "--pipes")) pipes = 1;
        else if (!strcmp(argv[i], "--cpu")) cpu = 1;
        else if (!strcmp(argv[i], "--counted")) counted = 1; /* a cgroup limits the cell's memory, of whatever kind */
        else if (!strcmp(argv[i], "--restrict")) restricted = 1;
        else if (!strcmp(argv[i], "--state") && i + 2 < argc) {
            state_folder = argv[++i];
            state_limit = strtoull(argv[++i], 0, 10);
        } else if (!strcmp(argv[i], "--private") && i + 1 < argc && private_count < 8) private_folders[private_count++] = argv[++i];
        else if (!strcmp(argv[i], "--limit") && i + 2 < argc) {
            set_limit(argv[i + 1], strtoull(argv[i + 2], 0, 10));
            i += 2;
        } else {
            errno = EINVAL;
            die(argv[i]);
        }
    }
    alone = getpid() == 1;
    open_willing();
    set_usual_limits();
    prctl(PR_SET_DUMPABLE, 0);
    if (!alone) {
        prctl(PR_SET_CHILD_SUBREAPER, 1);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    }
    struct sigaction ignored = {.sa_handler = no_op};
    sigaction(SIGPIPE, &ignored, 0); /* a handler, because SIG_IGN would be inherited */
    requests = high(0);
    answers = high(1);
    if (pipes) {
        bot_in = high(3);
        bot_out = high(4);
    }
    if (cpu) group_cpu = high(5);
    close_from(3, 1);
    own_books = open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
    if (own_books >= 0) own_books = high(own_books);
    /* The first three stay taken: a pipe's end of the same number as what it is to become would close on the exec. */
    nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing < 0 || dup2(nothing, 1) < 0) die("/dev/null");
    nothing = fcntl(nothing, F_DUPFD_CLOEXEC, 200);
    for (int i = 0; i < private_count; i++) {
        private_fds[i] = open(private_folders[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        struct stat s;
        if (private_fds[i] < 0 || fstat(private_fds[i], &s)) die(private_folders[i]);
        private_fds[i] = high(private_fds[i]);
        private_ctimes[i] = s.st_ctim;
        private_atimes[i] = s.st_atim;
    }
    int landlock = restricted ? restrict_files() : 0;
    if (restricted && syscall(SYS_getrandom, &password, sizeof password, 0) != sizeof password) die("a password");
    if (restricted && alone) notice_kills();
    int filter = !restricted || (pipes && !refuse_continues()) ? 0 : restrict_calls(!counted);
    hello(landlock, filter);

    uint8_t kind, *body;
    size_t length;
    for (;;) {
        while (frame_ready(&kind, &body, &length)) {
            /* The frame keeps its buffer while it is handled; what came behind it moves to another. */
            static bytes spare;
            bytes held = inbox;
            size_t next = inbox_at + 5 + length;
            inbox = spare;
            inbox.length = inbox_at = 0;
            if (next < held.length) append(&inbox, held.at + next, held.length - next);
            handle(kind, body, length);
            empty(&held);
            spare = held;
        }
        struct pollfd p[4] = {{requests, POLLIN, 0}, {stay.pidfd, POLLIN, 0}, {stay.err, POLLIN, 0}, {notices, POLLIN, 0}};
        if (stay.pid) {
            uint64_t at = now(), left = !stay.due ? 0 : stay.due > at ? stay.due - at : 0;
            struct timespec timeout = {left / SECOND, left % SECOND};
            if (stay.due && !left) {
                stay_due();
                continue;
            }
            if (stay.err >= 0 && stay.err_next > at) {
                uint64_t pause = stay.err_next - at;
                p[2].fd = -1;
                if (!stay.due || pause < left) timeout = (struct timespec){0, pause};
            }
            if (ppoll(p, 4, stay.due || p[2].fd != stay.err ? &timeout : 0, 0) <= 0) continue;
            if (p[3].revents) heed();
            if (p[2].revents) stay_stderr();
            if (p[1].revents) stay_ended();
            if (!p[0].revents) continue;
        }
        read_requests(); /* where nobody runs it may wait here */
    }
}

/* ---- outside: becomes the bot's user, then bubblewrap ---- */

static void join_cgroup(const char *folder) {
    char path[4096];
    snprintf(path, sizeof path, "%s/cgroup.procs", folder);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write(fd, "0", 1) != 1) die(path);
    close(fd);
}

/* Opens an absolute path, none of whose parts may be a link. */
static int open_plain(const char *path) {
    char part[256];
    int at = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    while (at >= 0 && *(path += strspn(path, "/"))) {
        size_t length = strcspn(path, "/");
        struct stat s;
        if (length >= sizeof part) { errno = ENAMETOOLONG; return -1; }
        memcpy(part, path, length);
        part[length] = 0;
        path += length;
        int below = openat(at, part, O_PATH | O_NOFOLLOW | O_CLOEXEC);
        close(at);
        at = below;
        if (at >= 0 && (fstat(at, &s) || S_ISLNK(s.st_mode))) { errno = ELOOP; return -1; }
    }
    return at;
}

/*
 * In a mount namespace that nobody else sees, puts what the room is made of where the bot's user may go: /tmp/0, /tmp/1, …; the
 * folders above the originals need not let that user through.
 */
static void stage(char **paths, int count) {
    int *fds = calloc(count, sizeof *fds);
    char from[64], to[64];
    if (!fds || unshare(CLONE_NEWNS) || mount(0, "/", 0, MS_REC | MS_PRIVATE, 0)) die("a mount namespace");
    for (int i = 0; i < count; i++)
        if ((fds[i] = open_plain(paths[i])) < 0) die(paths[i]);
    umask(022);
    if (mount("agon", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=1m")) die("staging");
    for (int i = 0; i < count; i++) {
        struct stat s;
        snprintf(from, sizeof from, "/proc/self/fd/%d", fds[i]);
        snprintf(to, sizeof to, "/tmp/%d", i);
        if (fstat(fds[i], &s) || (S_ISDIR(s.st_mode) ? mkdir(to, 0755) : mknod(to, S_IFREG | 0644, 0)) || mount(from, to, 0, MS_BIND, 0))
            die(paths[i]);
    }
}

/*
 * Kills and reaps all that descends from this process: what loses its parent falls to it. What may not be killed, a bubblewrap with
 * another user's rights, is not waited for: it dies with its parent.
 */
static void kill_descendants(void) {
    char list[4096], path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
    for (int round = 0; round < 5000; round++) {
        list[0] = 0;
        read_small(path, list, sizeof list);
        for (char *at = list, *end; *at; at = end) {
            pid_t pid = strtol(at, &end, 10);
            if (end == at) break;
            kill(pid, SIGKILL);
        }
        pid_t ended;
        while ((ended = waitpid(-1, 0, WNOHANG | __WALL)) > 0) {}
        if (ended < 0 && errno == ECHILD) return;
        struct timespec pause = {0, 1000000};
        nanosleep(&pause, 0);
    }
}

/*
 * Runs a program and stays beside it until it ends, or until agon has ended or says so: then nothing of it is left. bubblewrap alone
 * would leave its second process behind, waiting for the first, where agon is killed while a room is made.
 *
 * That agon has ended is told by the pipe of its requests, whose other end only agon holds, and where the thread of agon that started
 * this process ends, by the kernel (SIGTERM). All other signals are blocked: a Ctrl-C is for agon to hear.
 */
static int guard(char **argv) {
    sigset_t signals, none;
    sigemptyset(&none);
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGCHLD);
    int told = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK), life = fcntl(0, F_DUPFD_CLOEXEC, 64);
    if (told < 0 || life < 0) die("a guard");
    told = high(told);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* not before: a change of user clears it */
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    pid_t self = getpid(), child = fork();
    if (child < 0) die("fork");
    if (!child) {
        sigprocmask(SIG_SETMASK, &none, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != self) _exit(70);
        execv(argv[0], argv);
        die(argv[0]);
    }
    /* The frames' and the pipes' ends are the child's alone, so that each side sees the other's end. */
    for (int fd = 0; fd < 64; fd++) close(fd);
    for (int status;;) {
        struct pollfd p[2] = {{told, POLLIN, 0}, {life, 0, 0}};
        struct signalfd_siginfo info;
        if (poll(p, 2, -1) < 0) continue;
        if (p[1].revents) break;
        if (read(told, &info, sizeof info) == sizeof info && info.ssi_signo == SIGTERM) break;
        pid_t ended;
        while ((ended = waitpid(-1, &status, WNOHANG | __WALL)) > 0) {
            if (ended != child) continue;
            kill_descendants();
            return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
    }
    kill_descendants();
    return 0;
}

/*
 * The pipes of a program that stays: what it reads from is descriptor 3, what it prints to is 4. They have no name, whose path would
 * tell the bot of agon and of its place in the run: agon opens its ends through this process, while that is still the same user.
 */
static void make_pipes(uid_t user) {
    static const uint8_t there[5] = {1, 0, 0, 0, 'O'};
    uint8_t opened[sizeof there];
    int in[2], out[2];
    if (pipe(in) || pipe(out)) die("pipes"); /* 3 to 6: all others but 0 to 2 are closed */
    if (in[0] != 3 || dup2(out[1], 4) < 0) die("pipes");
    close(out[0]);
    close(out[1]);
    if (user && (fchown(3, user, user) || fchown(4, user, user))) die("pipes");
    if (write_all(1, there, sizeof there)) _exit(0);
    for (size_t got = 0; got < sizeof opened;) {
        ssize_t n = read(0, opened + got, sizeof opened - got);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) _exit(0);
        got += n;
    }
}

/* A text that is read from a descriptor: bubblewrap makes a file of it. */
static void put_text(int fd, const char *text) {
    int file = syscall(SYS_memfd_create, "text", 0u);
    if (file < 0 || write_all(file, (const uint8_t *)text, strlen(text)) || lseek(file, 0, SEEK_SET) || dup2(file, fd) < 0) die("a text");
    if (file != fd) close(file);
}

/* launcher room [--user N] [--cgroup FOLDER]… [--cpu FILE] [--core N] [--pipes] [--stage PATH]… [--data FD TEXT]… -- program argument… */
static int room(int argc, char **argv) {
    uid_t user = 0;
    int i = 2, staged = 0, pipes = 0, texts[64], texts_count = 0;
    char **stages = calloc(argc, sizeof *stages), *cpu = 0;
    if (!stages) die("memory");
    close_from(3, 0);
    /* Away from agon's terminal and its process group, so that a Ctrl-C ends no room halfway. */
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, 0);
    setsid();
    for (; i + 1 < argc && strcmp(argv[i], "--"); i++) {
        if (!strcmp(argv[i], "--user")) user = strtoul(argv[++i], 0, 10);
        else if (!strcmp(argv[i], "--cgroup")) join_cgroup(argv[++i]);
        else if (!strcmp(argv[i], "--core")) pin(0, atoi(argv[++i]));
        else if (!strcmp(argv[i], "--cpu")) cpu = argv[++i];
        else if (!strcmp(argv[i], "--stage")) stages[staged++] = argv[++i];
        else if (!strcmp(argv[i], "--pipes")) pipes = 1;
        else if (!strcmp(argv[i], "--data") && i + 2 < argc && texts_count < 64) texts[texts_count++] = i + 1, i += 2;
        else break;
    }
    if (i + 1 >= argc || strcmp(argv[i], "--")) {
        errno = EINVAL;
        die("arguments");
    }
    if (pipes) make_pipes(user);
    if (cpu) { /* the CPU time of its cgroup, which it could not find itself */
        int fd = open(cpu, O_RDONLY);
        if (fd < 0 || (fd != 5 && (dup2(fd, 5) < 0 || close(fd)))) die(cpu);
    }
    if (staged) stage(stages, staged);
    /* Memory that runs out ends the bot's programs first, and what holds them last. */
    int adjust = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (adjust >= 0) {
        (void)!write(adjust, "-999", 4); /* only a privileged agon may */
        close(adjust);
    }
    for (int n = 0; n < texts_count; n++) put_text(atoi(argv[texts[n]]), argv[texts[n] + 1]);
    if (user && (setgroups(0, 0) || setresgid(user, user, user) || setresuid(user, user, user))) die("user");
    return guard(argv + i + 1);
}

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "cell")) cell(argc, argv);
    if (argc > 1 && !strcmp(argv[1], "room")) return room(argc, argv);
    /* A thread of agon's own: what it starts from then on runs there too. */
    if (argc > 3 && !strcmp(argv[1], "pin")) return pin(atoi(argv[2]), atoi(argv[3])) ? 1 : 0;
    dprintf(2, "launcher %d: started by agon, not by hand\n", VERSION);
    return 64;
}
