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
 * Time is CLOCK_MONOTONIC. A program is charged for wall time less what it waited for a core because of others (see `credit`),
 * and is stopped for good at three times its limit plus a second.
 *
 * Called as `launcher room …` it is instead the last program outside: it enters the cell's cgroups, makes the named pipes, lays
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
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define VERSION 1
#define MAX_FRAME (96u << 20)
#define STDERR_KEPT 65536u
#define NONE 0xffffffffu
#define SECOND 1000000000ull
#define LONG 2000000ull /* ns: what is done sooner has waited for nobody worth asking */
#define CLONE_PIDFD_FLAG 0x1000

enum how { EXITED, SIGNALLED, NOT_STARTED };
enum limit { NO_LIMIT, TIME_LIMIT, STDOUT_LIMIT, STDERR_LIMIT, ASKED };
enum { WIPE = 1, STDIN = 2, PUT = 4, FETCH = 8, WARM = 16 };

typedef struct { uint8_t *at; size_t length, room; } bytes;

static int requests = 0, answers = 1; /* the frames' descriptors */
static int bot_in = -1, bot_out = -1; /* the named pipes of a program that stays */
static int nothing = -1;              /* /dev/null */
static int alone;                     /* process 1 of a namespace of its own */
static char *state_folder;            /* the folder that a process per turn may keep, or 0 */
static uint64_t state_limit;
static bytes state_good; /* its contents after the last turn that kept within the limit */
static char *private_folders[8];
static int private_fds[8], private_count;
static struct timespec private_ctimes[8];

static void die(const char *what) {
    dprintf(2, "launcher: %s: %s\n", what, strerror(errno));
    _exit(70);
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
        if (snprintf(path, sizeof path, "%s%s%s", prefix, *prefix ? "/" : "", name) >= (int)sizeof path) continue;
        if (S_ISDIR(s.st_mode) && depth < 32) sum += pack_tree(fd, name, path, into, most, depth + 1);
        if (!S_ISREG(s.st_mode)) continue;
        sum += s.st_size;
        if (into->length + s.st_size > most) continue;
        int file = openat(fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
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
static void wipe_tree(const char *folder) {
    for (int round = 0; round < 100000; round++) {
        int top = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), left = 0;
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
    char path[64], list[16384];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", parent, parent);
    read_small(path, list, sizeof list);
    for (char *at = list, *end; *at; at = end) {
        pid_t pid = strtol(at, &end, 10);
        if (end == at) break;
        if (depth < 64) each_child(pid, call, with, depth + 1);
        if (pid != keeper) call(pid, with);
    }
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
static void signal_one(pid_t pid, void *with) { kill(pid, *(int *)with); }
static void signal_family(int signal) {
    if (alone && !keeper) kill(-1, signal);
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
            kill(keeper, SIGKILL);
            keeper = 0;
        }
        signal_family(SIGKILL);
        struct timespec pause = {0, round < 20 ? 20000 : 1000000};
        nanosleep(&pause, 0);
    }
}

/*
 * What the family waited for a core because of others, at least. A task that waited w while the rest of the family ran for c
 * was kept from its core by strangers for w − c or more; the task of which that is most tells the family's credit. Waiting that
 * the family causes itself is never credited.
 */
typedef struct { uint64_t cpu, best; int64_t claims[256]; int count; } waiting;
static void add_task(const char *path, waiting *w) {
    char text[128], *end;
    if (!read_small(path, text, sizeof text)) return;
    uint64_t ran = strtoull(text, &end, 10), waited = strtoull(end, 0, 10);
    w->cpu += ran;
    if (w->count < 256) w->claims[w->count++] = (int64_t)(waited + ran);
}
static void add_tasks(pid_t pid, void *with) {
    char path[80];
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *dir = opendir(path);
    struct dirent *entry;
    while (dir && (entry = readdir(dir))) {
        if (*entry->d_name == '.') continue;
        snprintf(path, sizeof path, "/proc/%d/task/%.20s/schedstat", pid, entry->d_name);
        add_task(path, with);
    }
    if (dir) closedir(dir);
}
static uint64_t credit(waiting *w) {
    *w = (waiting){0};
    each_process(add_tasks, w);
    int64_t best = 0;
    for (int i = 0; i < w->count; i++)
        if (w->claims[i] - (int64_t)w->cpu > best) best = w->claims[i] - (int64_t)w->cpu;
    return best;
}

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

/* Gives the pid and its pidfd, or 0 with errno. */
static pid_t launch(start *s, int *pidfd) {
    static char here[4096]; /* this process's own folder, which its children begin in */
    s->failed = 0;
    *pidfd = -1;
    if (strcmp(here, s->r->folder)) {
        if (chdir(s->r->folder)) return 0;
        snprintf(here, sizeof here, "%s", s->r->folder);
    }
    pid_t pid = clone(start_child, child_stack + sizeof child_stack, CLONE_VM | CLONE_VFORK | CLONE_PIDFD_FLAG | SIGCHLD, s, pidfd);
    if (pid > 0 && !s->failed) return pid;
    int error = pid > 0 ? s->failed : errno;
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

static void warm_forget(void) {
    if (keeper) {
        kill(keeper, SIGKILL);
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
    char word[16];
    warm_forget();
    if (!warm_command.length || !parse_request(warm_command.at, warm_command.length, &r, &words, &room)) return 0;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) return 0;
    start s = {&r, pair[1], nothing, nothing, 0};
    keeper = launch(&s, &pidfd);
    close(pair[1]);
    if (keeper) {
        struct pollfd p = {pair[0], POLLIN, 0};
        close(pidfd);
        ready = poll(&p, 1, r.limit / 1000000) > 0 && read(pair[0], word, sizeof word) > 0;
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
static int warm_start(request *r, start *s) {
    if (!warm_command.length || (!keeper && !warm_begin())) return 0;
    return warm_send(r, s);
}
/* How the turn ended. */
static int warm_wait(usage *used) {
    warm_end end;
    struct pollfd p = {warm_socket, POLLIN, 0};
    if (poll(&p, 1, 1000) > 0 && read(warm_socket, &end, sizeof end) == sizeof end) {
        used->cpu += end.cpu;
        if (end.maxrss > used->maxrss) used->maxrss = end.maxrss;
        return end.status;
    }
    warm_forget();
    return SIGKILL;
}

/* ---- one turn ---- */

typedef struct {
    bytes out, err;
    uint64_t err_total, began, ended, credited;
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

/* Watches a started program to its end. `done` is readable when it has ended. */
static void watch(request *r, pid_t pid, int done, int in, int out, int err) {
    struct pollfd p[5] = {{done, POLLIN, 0}, {out, POLLIN, 0}, {err, POLLIN, 0}, {requests, POLLIN, 0}, {in, POLLOUT, 0}};
    uint64_t due = t.began + r->limit, hard = t.began + 3 * r->limit + SECOND;
    size_t written = 0;
    uint8_t kind, *body;
    size_t length;
    /* Most turns are short and fit into their pipes: waking up for what they print would only take their core away. */
    struct timespec first = {0, r->limit < LONG ? r->limit : LONG};
    if (in < 0 && ppoll(p, 1, &first, 0) > 0) return;
    while (t.limit == NO_LIMIT) {
        uint64_t at = now();
        if (at >= due) {
            waiting w;
            t.credited = credit(&w);
            due = t.began + r->limit + t.credited;
            if (at >= due || at >= hard) { t.limit = TIME_LIMIT; break; }
        }
        uint64_t left = (due < hard ? due : hard) - at;
        struct timespec timeout = {left / SECOND, left % SECOND};
        if (ppoll(p, in >= 0 ? 5 : 4, &timeout, 0) <= 0) continue;
        if (p[1].revents && !read_output(out, &t.out)) p[1].fd = -1;
        if (p[2].revents && !read_errors(err, &t)) p[2].fd = -1;
        if (t.out.length > r->out_cap) t.limit = STDOUT_LIMIT;
        else if (t.err_total > r->err_cap) t.limit = STDERR_LIMIT;
        if (p[0].revents) return;
        if (p[3].revents) {
            read_requests();
            if (frame_ready(&kind, &body, &length) && kind == 'K') {
                frame_done(length);
                t.limit = ASKED;
            } else if (inbox.length - inbox_at > MAX_FRAME) p[3].fd = -1;
        }
        if (in >= 0 && p[4].revents) {
            ssize_t n = write(in, r->input + written, r->input_length - written);
            if (n > 0) written += n;
            if ((n < 0 && errno != EAGAIN && errno != EINTR) || written == r->input_length) {
                close(in);
                in = p[4].fd = -1;
            }
        }
    }
    if (pid) kill(pid, SIGKILL);
    signal_family(SIGKILL);
}

static void clean(void);
static int pin(pid_t thread, int core);

static void run_turn(request *r) {
    empty(&t.out);
    empty(&t.err);
    t = (turn){.out = t.out, .err = t.err};
    int out[2] = {-1, -1}, err[2] = {-1, -1}, in[2] = {-1, -1}, pidfd = -1, status = 0;
    pid_t pid = 0;
    uint32_t put_failed = 0;
    if (r->flags & PUT) put_failed = put_file(r->file, r->content, r->file_length) != 0;
    if (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC) || ((r->flags & STDIN) && pipe2(in, O_CLOEXEC))) die("pipe");
    if (in[1] >= 0) fcntl(in[1], F_SETFL, O_NONBLOCK);
    start s = {r, in[0] >= 0 ? in[0] : nothing, out[1], err[1], 0};
    t.began = now();
    struct rusage used;
    int warmed = (r->flags & WARM) && warm_start(r, &s);
    if (!warmed) pid = launch(&s, &pidfd);
    close(out[1]);
    close(err[1]);
    if (in[0] >= 0) close(in[0]);
    if (!pid && !warmed) {
        t.how = NOT_STARTED;
        t.code = errno;
        if (in[1] >= 0) close(in[1]);
    } else {
        watch(r, pid, warmed ? warm_socket : pidfd, in[1], out[0], err[0]);
        t.ended = now();
        if (warmed) status = warm_wait(&t.used);
        else {
            if (t.limit == NO_LIMIT && t.ended - t.began > LONG) { /* its books can still be read */
                waiting w;
                t.credited = credit(&w);
            }
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
    append32(&outbox, t.how | t.limit << 8 | put_failed << 16);
    append32(&outbox, t.code);
    append64(&outbox, wall);
    append64(&outbox, t.credited < wall ? wall - t.credited : 0);
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
        uint64_t held = pack_tree(AT_FDCWD, state_folder, "", &fresh, state_limit + 65536, 0);
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

/* Empties the private folders where anything about them has changed: their change time tells, and no program can set it. */
static void clean(void) {
    for (int i = 0; i < private_count; i++) {
        struct stat s;
        if (fstat(private_fds[i], &s) || !memcmp(&s.st_ctim, &private_ctimes[i], sizeof s.st_ctim)) continue;
        wipe_tree(private_folders[i]);
        fchmod(private_fds[i], 0700);
        struct timespec zero[2] = {{0, 0}, {0, 0}};
        futimens(private_fds[i], zero);
        syscall(SYS_fremovexattr, private_fds[i], "user.note");
        if (!fstat(private_fds[i], &s)) private_ctimes[i] = s.st_ctim;
    }
}

/* ---- a program that stays ---- */

static struct {
    pid_t pid;
    int pidfd, err;
    uint64_t err_total, err_cap;
    /* A question that takes long: watched since, due, never after; 0: none. */
    uint64_t began, due, hard, credited, cpu, limit;
    uint32_t question;
    enum limit stopped;
} stay = {.pidfd = -1, .err = -1};

static void stay_started(request *r) {
    int err[2], status;
    if (pipe2(err, O_CLOEXEC)) die("pipe");
    fcntl(bot_in, F_SETFL, 0); /* its forerunner shared these flags */
    fcntl(bot_out, F_SETFL, 0);
    start s = {r, bot_in, bot_out, err[1], 0};
    stay.pid = launch(&s, &stay.pidfd);
    status = errno;
    close(err[1]);
    stay.err = err[0];
    stay.err_total = stay.due = 0;
    stay.err_cap = r->err_cap;
    stay.stopped = NO_LIMIT;
    answer('S');
    append32(&outbox, stay.pid ? 0 : status);
    send_answer();
    if (!stay.pid) {
        close(stay.err);
        stay.err = -1;
    }
}

static void stay_stderr(void) {
    static bytes chunk;
    chunk.length = 0;
    if (!read_output(stay.err, &chunk)) {
        close(stay.err);
        stay.err = -1;
    }
    stay.err_total += chunk.length;
    if (!chunk.length) return;
    answer('E');
    append(&outbox, chunk.at, chunk.length);
    send_answer();
    if (stay.err_total > stay.err_cap && stay.pid) {
        stay.stopped = STDERR_LIMIT;
        kill(stay.pid, SIGKILL);
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
    append32(&outbox, (WIFEXITED(status) ? EXITED : SIGNALLED) | stay.stopped << 8);
    append32(&outbox, WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    append64(&outbox, used.cpu);
    append64(&outbox, used.maxrss);
    send_answer();
}

static void stay_watch(uint8_t *body, size_t length) {
    if (length != 20) { errno = EBADMSG; die("a watch"); }
    waiting w;
    memcpy(&stay.question, body, 4);
    memcpy(&stay.began, body + 4, 8);
    memcpy(&stay.limit, body + 12, 8);
    stay.credited = credit(&w);
    stay.cpu = w.cpu;
    stay.due = stay.began + stay.limit;
    stay.hard = stay.began + 3 * stay.limit + SECOND;
}

/* The watched question's measures: CPU and waiting since it is watched. */
static void stay_tell(uint8_t kind) {
    waiting w;
    uint64_t waited = credit(&w);
    answer(kind);
    append32(&outbox, stay.question);
    append64(&outbox, now() - stay.began);
    append64(&outbox, waited > stay.credited ? waited - stay.credited : 0);
    append64(&outbox, w.cpu > stay.cpu ? w.cpu - stay.cpu : 0);
    send_answer();
}

/* The time may be up: the family stands still while Node looks whether the answer is there, so nothing is said too late. */
static void stay_due(void) {
    waiting w;
    uint64_t waited = credit(&w), at = now();
    uint64_t due = stay.began + stay.limit + (waited > stay.credited ? waited - stay.credited : 0);
    if (at < due && at < stay.hard) {
        stay.due = due < stay.hard ? due : stay.hard;
        return;
    }
    stay.due = 0;
    signal_family(SIGSTOP);
    stay_tell('L');
}

/* ---- restrictions, put on this process and inherited ---- */

/* Binds a thread (0: this process) to a core; a negative one: to none. */
static int pin(pid_t thread, int core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (core < 0 || i == core) CPU_SET(i, &set);
    return sched_setaffinity(thread, sizeof set, &set);
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
    static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"};
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
enum { LOAD = 0x20, EQUAL = 0x15, ANY_BIT = 0x45, RETURN = 0x06 };
#if defined __x86_64__
#define ARCHITECTURE 0xc000003eu
#elif defined __aarch64__
#define ARCHITECTURE 0xc00000b7u
#endif

/* The system calls that no bot needs: they reach for the host, outlive a turn, or act on another process. Gives whether it holds. */
static int restrict_calls(void) {
#ifdef ARCHITECTURE
    static const uint16_t refused[] = {
        SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, 438 /* pidfd_getfd */, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot,
        SYS_setns, SYS_unshare, 428, 429, 430, 431, 432, 433, 442 /* the new mount calls */, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd,
        SYS_keyctl, SYS_add_key, SYS_request_key, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot, SYS_swapon,
        SYS_swapoff, SYS_settimeofday, SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime, SYS_syslog, SYS_acct, SYS_quotactl, SYS_open_by_handle_at,
        SYS_name_to_handle_at, SYS_sethostname, SYS_setdomainname, SYS_shmget, SYS_semget, SYS_msgget, SYS_mq_open, SYS_ioprio_set,
        SYS_fsetxattr, SYS_setxattr, SYS_lsetxattr, SYS_fanotify_init, SYS_vhangup, SYS_nfsservctl,
#ifdef __x86_64__
        SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS_uselib, SYS_create_module, SYS_kexec_file_load,
#endif
    };
    static const uint16_t absent[] = {435 /* clone3: its flags cannot be read here */, 425, 426, 427 /* io_uring */};
    /* Of another process, also of process 1, these are refused; their first argument (setpriority: the second) must be 0. */
    static const uint16_t own[] = {302 /* prlimit64 */, SYS_sched_setaffinity, SYS_sched_setparam, SYS_sched_setscheduler, 314 /* sched_setattr */};
    static const uint8_t families[] = {1 /* unix */, 2, 10 /* internet, of which the cell has none */, 16 /* netlink */};
    static struct step program[512];
    int n = 0;
#define STEP(c, y, f, v) (program[n++] = (struct step){c, y, f, v})
    const uint32_t refuse = 0x00050000 | EPERM, missing = 0x00050000 | ENOSYS, pass = 0x7fff0000;
    STEP(LOAD, 0, 0, 4);
    STEP(EQUAL, 1, 0, ARCHITECTURE);
    STEP(RETURN, 0, 0, 0x80000000); /* another architecture's calls: the process is killed */
    STEP(LOAD, 0, 0, 0);
#ifdef __x86_64__
    STEP(ANY_BIT, 0, 1, 0x40000000); /* x32 */
    STEP(RETURN, 0, 0, missing);
#endif
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        STEP(EQUAL, 0, 1, refused[i]);
        STEP(RETURN, 0, 0, refuse);
    }
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
        STEP(EQUAL, 0, 1, absent[i]);
        STEP(RETURN, 0, 0, missing);
    }
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
#ifdef __aarch64__
        uint32_t number = own[i] == 302 ? SYS_prlimit64 : own[i] == 314 ? SYS_sched_setattr : own[i];
#else
        uint32_t number = own[i];
#endif
        STEP(EQUAL, 0, 4, number);
        STEP(LOAD, 0, 0, 16);
        STEP(EQUAL, 1, 0, 0);
        STEP(RETURN, 0, 0, refuse);
        STEP(RETURN, 0, 0, pass);
    }
    STEP(EQUAL, 0, 6, SYS_setpriority);
    STEP(LOAD, 0, 0, 16);
    STEP(EQUAL, 0, 3, 0);
    STEP(LOAD, 0, 0, 24);
    STEP(EQUAL, 0, 1, 0);
    STEP(RETURN, 0, 0, pass);
    STEP(RETURN, 0, 0, refuse);
    STEP(EQUAL, 0, 4, SYS_clone); /* new namespaces */
    STEP(LOAD, 0, 0, 16);
    STEP(ANY_BIT, 0, 1, 0x7e020080);
    STEP(RETURN, 0, 0, refuse);
    STEP(RETURN, 0, 0, pass);
    STEP(EQUAL, 0, 5, SYS_ioctl); /* writing into a terminal's input */
    STEP(LOAD, 0, 0, 24);
    STEP(EQUAL, 1, 0, 0x5412);
    STEP(EQUAL, 0, 1, 0x541c);
    STEP(RETURN, 0, 0, refuse);
    STEP(RETURN, 0, 0, pass);
    STEP(EQUAL, 0, (uint8_t)(sizeof families + 3), SYS_socket);
    STEP(LOAD, 0, 0, 16);
    for (size_t i = 0; i < sizeof families; i++) STEP(EQUAL, (uint8_t)(sizeof families - i), 0, families[i]);
    STEP(RETURN, 0, 0, refuse);
    STEP(RETURN, 0, 0, pass);
    STEP(RETURN, 0, 0, pass);
#undef STEP
    struct { uint16_t length; struct step *program; } filter = {n, program};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return !syscall(SYS_seccomp, 1, 0, &filter);
#else
    return 0;
#endif
}

/* ---- the cell ---- */

static void hello(int landlock, int filter) {
    answer('H');
    append32(&outbox, VERSION);
    append32(&outbox, landlock);
    append32(&outbox, filter);
    append32(&outbox, alone);
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
                kill(stay.pid, SIGKILL);
                stay_ended();
            }
            stay_started(&r);
        }
        return;
    case 'K':
        if (!stay.pid) return; /* it went before it was asked to */
        stay.stopped = ASKED;
        kill(stay.pid, SIGKILL);
        signal_family(SIGKILL);
        return;
    case 'W': stay_watch(body, length); return;
    case 'A': /* answered */
        stay.due = 0;
        stay_tell('M');
        return;
    case 'C': /* answered in time, after all */
        signal_family(SIGCONT);
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

static int high(int fd) {
    int moved = fcntl(fd, F_DUPFD_CLOEXEC, 200);
    if (moved < 0) die("descriptors");
    close(fd);
    return moved;
}

/* launcher cell [--fifos] [--state FOLDER BYTES] [--private FOLDER]… [--limit NAME VALUE]… [--restrict] */
static _Noreturn void cell(int argc, char **argv) {
    int restricted = 0, fifos = 0;
    for (int i = 2; i < argc; i++) {
        if (!strcmp(argv[i], "--fifos")) fifos = 1;
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
    if (fifos) {
        bot_in = high(3);
        bot_out = high(4);
    }
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
    }
    int landlock = restricted ? restrict_files() : 0, filter = restricted ? restrict_calls() : 0;
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
        struct pollfd p[3] = {{requests, POLLIN, 0}, {stay.pidfd, POLLIN, 0}, {stay.err, POLLIN, 0}};
        if (stay.pid) {
            uint64_t at = now(), left = !stay.due ? 0 : stay.due > at ? stay.due - at : 0;
            struct timespec timeout = {left / SECOND, left % SECOND};
            if (stay.due && !left) {
                stay_due();
                continue;
            }
            if (ppoll(p, 3, stay.due ? &timeout : 0, 0) <= 0) continue;
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

/*
 * In a mount namespace that nobody else sees, puts what the room is made of where the bot's user may go: /tmp/0, /tmp/1, …; the
 * folders above the originals need not let that user through.
 */
static void stage(char **paths, int count) {
    int fds[64];
    char from[64], to[64];
    if (unshare(CLONE_NEWNS) || mount(0, "/", 0, MS_REC | MS_PRIVATE, 0)) die("a mount namespace");
    for (int i = 0; i < count; i++)
        if ((fds[i] = open(paths[i], O_PATH | O_CLOEXEC)) < 0) die(paths[i]);
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

/* Kills and reaps all that descends from this process: what loses its parent falls to it. */
static void kill_descendants(void) {
    char list[4096], path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
    for (;;) {
        list[0] = 0;
        read_small(path, list, sizeof list);
        for (char *at = list, *end; *at; at = end) {
            pid_t pid = strtol(at, &end, 10);
            if (end == at) break;
            kill(pid, SIGKILL);
        }
        if (waitpid(-1, 0, __WALL) < 0 && errno == ECHILD) return;
    }
}

/*
 * Runs a program and stays beside it until it ends, or until agon has ended or says so (SIGTERM): then nothing of it is left.
 * bubblewrap alone would leave its second process behind, waiting for the first, where agon is killed while a room is made.
 */
static int guard(char **argv) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGCHLD);
    sigprocmask(SIG_BLOCK, &signals, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* not before: a change of user clears it */
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    pid_t self = getpid(), child = fork();
    if (child < 0) die("fork");
    if (!child) {
        sigprocmask(SIG_UNBLOCK, &signals, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != self) _exit(70);
        execv(argv[0], argv);
        die(argv[0]);
    }
    /* The frames' and the pipes' ends are the child's alone, so that each side sees the other's end. */
    for (int fd = 0; fd < 64; fd++) close(fd);
    for (int status;;) {
        siginfo_t info;
        if (sigwaitinfo(&signals, &info) == SIGTERM) break;
        pid_t ended;
        while ((ended = waitpid(-1, &status, WNOHANG | __WALL)) > 0) {
            if (ended != child) continue;
            kill_descendants();
            return WIFEXITED(status) ? WEXITSTATUS(status) : 70;
        }
    }
    kill_descendants();
    return 0;
}

/* launcher room [--user N] [--cgroup FOLDER]… [--core N] [--fifos IN OUT] [--stage PATH]… -- program argument… */
static int room(int argc, char **argv) {
    uid_t user = 0;
    int i = 2, staged = 0;
    char *stages[64];
    for (; i + 1 < argc && strcmp(argv[i], "--"); i++) {
        if (!strcmp(argv[i], "--user")) user = strtoul(argv[++i], 0, 10);
        else if (!strcmp(argv[i], "--cgroup")) join_cgroup(argv[++i]);
        else if (!strcmp(argv[i], "--core")) pin(0, atoi(argv[++i]));
        else if (!strcmp(argv[i], "--stage") && staged < 64) stages[staged++] = argv[++i];
        else if (!strcmp(argv[i], "--fifos") && i + 2 < argc) {
            char *in = argv[++i], *out = argv[++i];
            if (mkfifo(in, 0600) || mkfifo(out, 0600)) die("mkfifo");
            if (user && (chown(in, user, user) || chown(out, user, user))) die("chown");
            /* Descriptors 3 and 4 are free: Node gave 0 to 2. Neither opening waits for the other end. */
            if (open(in, O_RDONLY | O_NONBLOCK) != 3 || open(out, O_RDWR) != 4) die("fifos");
            int b = open(out, O_WRONLY);
            if (b < 0 || dup2(b, 4) < 0) die("fifos");
            close(b);
        } else break;
    }
    if (i + 1 >= argc || strcmp(argv[i], "--")) {
        errno = EINVAL;
        die("arguments");
    }
    if (staged) stage(stages, staged);
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
