/*
 * room: the launcher outside: lays out what a sandbox is made of, becomes the bot's user, and runs bubblewrap, which
 * makes it. It guards bubblewrap until that or agon ends: then nothing of it is left.
 */
#include "launcher.h"
#include <grp.h>
#include <sys/mount.h>
#include <sys/signalfd.h>

/* `program`: where its words begin. */
typedef struct { uid_t user; int pipes, staged, program; char **stages, *cpu; } options;

static void join_cgroup(const char *folder) {
    char path[4096];
    snprintf(path, sizeof path, "%s/cgroup.procs", folder);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write(fd, "0", 1) != 1) die("Cannot write to %s: %m", path);
    close(fd);
}

/* Opens an absolute path without links. Gives -1 with errno. */
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

/* Mounts what is open at a path of the same kind. Gives 0, or -1 with errno. */
static int stage_one(int fd, const char *to) {
    char from[64];
    struct stat s;
    snprintf(from, sizeof from, "/proc/self/fd/%d", fd);
    if (fstat(fd, &s) || (S_ISDIR(s.st_mode) ? mkdir(to, 0755) : mknod(to, S_IFREG | 0644, 0))) return -1;
    return mount(from, to, 0, MS_BIND, 0);
}

/*
 * In a mount namespace of its own, puts what the room is made of at /tmp/0, /tmp/1, …: the folders above the originals
 * may not let the bot's user through.
 */
static void stage(char **paths, int count) {
    int *fds = calloc(count, sizeof *fds);
    char to[64];
    if (!fds) die("Cannot hold %d descriptors: %m", count);
    if (unshare(CLONE_NEWNS) || mount(0, "/", 0, MS_REC | MS_PRIVATE, 0)) die("Cannot make a mount namespace: %m");
    for (int i = 0; i < count; i++)
        if ((fds[i] = open_plain(paths[i])) < 0) die("Cannot open %s: %m", paths[i]);
    umask(022);
    if (mount("agon", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=1m")) die("Cannot mount /tmp: %m");
    for (int i = 0; i < count; i++) {
        snprintf(to, sizeof to, "/tmp/%d", i);
        if (stage_one(fds[i], to)) die("Cannot mount %s: %m", paths[i]);
    }
}

/*
 * The pipes of a program that stays: it reads from descriptor 3 and prints to 4. A name's path would tell the bot of
 * agon and of its place in the run: agon opens its ends through this process, while that is still the same user.
 */
static void make_pipes(uid_t user) {
    static const uint8_t there[5] = {1, 0, 0, 0, ANSWER_PIPES};
    uint8_t opened[sizeof there];
    int in[2], out[2];
    /* 3 to 6: all others but 0 to 2 are closed */
    if (pipe(in) || pipe(out)) die("Cannot make the pipes of a sandbox: %m");
    if (in[0] != 3 || dup2(out[1], 4) < 0) die("Cannot make descriptors 3 and 4 the pipes of a sandbox: %m");
    close(out[0]);
    close(out[1]);
    if (user && (fchown(3, user, user) || fchown(4, user, user))) die("Cannot give the pipes to user %u: %m", user);
    if (write_all(1, there, sizeof there)) _exit(0);
    for (size_t got = 0; got < sizeof opened;) {
        ssize_t n = read(0, opened + got, sizeof opened - got);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) _exit(0);
        got += n;
    }
}

/* A text to read from a descriptor: bubblewrap makes a file of it. */
static void put_text(int fd, const char *text) {
    int file = syscall(SYS_memfd_create, "text", 0u);
    const uint8_t *from = (const uint8_t *)text;
    if (file < 0 || write_all(file, from, strlen(text)) || lseek(file, 0, SEEK_SET) || dup2(file, fd) < 0)
        die("Cannot make a text of descriptor %d: %m", fd);
    if (file != fd) close(file);
}

/* The CPU time of its cgroup, which it could not find itself, as descriptor 5. */
static void open_cpu(const char *path) {
    int fd = open(path, O_RDONLY);
    if (fd < 0 || (fd != 5 && (dup2(fd, 5) < 0 || close(fd)))) die("Cannot open %s: %m", path);
}

/* Memory that runs out ends the bot's programs first, and what holds them last. */
static void be_unwilling(void) {
    int adjust = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (adjust < 0) return;
    (void)!write(adjust, "-999", 4); /* only a privileged agon may */
    close(adjust);
}

static void become_user(uid_t user) {
    if (user && (setgroups(0, 0) || setresgid(user, user, user) || setresuid(user, user, user)))
        die("Cannot become user %u: %m", user);
}

/* Reads its words; joins cgroups, takes the core and the slice and writes texts at once. */
static options parse_options(int argc, char **argv) {
    options o = {.stages = calloc(argc, sizeof *o.stages)};
    if (!o.stages) die("Cannot hold %d words: %m", argc);
    int i = 2;
    for (; i + 1 < argc && strcmp(argv[i], "--"); i++) {
        if (!strcmp(argv[i], "--user")) o.user = strtoul(argv[++i], 0, 10);
        else if (!strcmp(argv[i], "--cgroup")) join_cgroup(argv[++i]);
        else if (!strcmp(argv[i], "--core")) pin(0, atoi(argv[++i]));
        else if (!strcmp(argv[i], "--slice")) set_slice(0, strtoull(argv[++i], 0, 10));
        else if (!strcmp(argv[i], "--cpu")) o.cpu = argv[++i];
        else if (!strcmp(argv[i], "--stage")) o.stages[o.staged++] = argv[++i];
        else if (!strcmp(argv[i], "--pipes")) o.pipes = 1;
        else if (!strcmp(argv[i], "--data") && i + 2 < argc) {
            put_text(atoi(argv[i + 1]), argv[i + 2]);
            i += 2;
        } else break;
    }
    if (i >= argc) die("The words end before the program, which -- announces");
    if (i + 1 >= argc || strcmp(argv[i], "--")) die("The word %s is unknown, or lacks what belongs to it", argv[i]);
    o.program = i + 1;
    return o;
}

static void kill_child(pid_t child, void *with) { (void)with, kill(child, SIGKILL); }
/*
 * Kills and reaps all that descends from this process, orphans too. It does not wait for what it may not kill, a
 * bubblewrap with another user's rights: that dies with its parent.
 */
static void kill_descendants(void) {
    for (int round = 0; round < 5000; round++) {
        pid_t ended;
        each_child(getpid(), kill_child, 0);
        while ((ended = waitpid(-1, 0, WNOHANG | __WALL)) > 0) {}
        if (ended < 0 && errno == ECHILD) return;
        struct timespec pause = {0, 1000000};
        nanosleep(&pause, 0);
    }
}

/* In the child: becomes the program, which dies with the guard. */
static _Noreturn void become(char **argv, pid_t parent) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(70);
    execv(argv[0], argv);
    die("Cannot start %s: %m", argv[0]);
}

/* Reaps what has ended. Gives whether the child has, and how. */
static int child_ended(pid_t child, int *code) {
    int status;
    pid_t ended;
    while ((ended = waitpid(-1, &status, WNOHANG | __WALL)) > 0) {
        if (ended != child) continue;
        *code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        return 1;
    }
    return 0;
}

/* Waits for the child's end, or agon's. Gives the child's exit code, or 0. */
static int wait_beside(pid_t child, int signals, int life) {
    for (int code;;) {
        struct pollfd p[2] = {{signals, POLLIN, 0}, {life, 0, 0}};
        struct signalfd_siginfo info;
        if (poll(p, 2, -1) < 0) continue;
        if (p[1].revents) return 0;
        if (read(signals, &info, sizeof info) == sizeof info && info.ssi_signo == SIGTERM) return 0;
        if (child_ended(child, &code)) return code;
    }
}

/*
 * Runs a program; all signals are blocked already. Gives its exit code, or 128 and its signal; 0 if agon has ended, or
 * has sent SIGTERM.
 *
 * bubblewrap alone would leave its second process behind, waiting for the first, if agon is killed while a room is
 * made. Agon's end shows at the pipe of its requests, whose other end only agon holds; the kernel tells of the end of
 * the thread that started this process (SIGTERM). A Ctrl-C is for agon to hear.
 */
static int guard(char **argv) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGCHLD);
    int ended = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK), life = fcntl(0, F_DUPFD_CLOEXEC, 64);
    if (ended < 0 || life < 0) die("Cannot listen for the end of a sandbox: %m");
    ended = high(ended);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* not before: a change of user clears it */
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    pid_t self = getpid(), child = fork();
    if (child < 0) die("Cannot start another process: %m");
    if (!child) become(argv, self);
    /* These are the child's alone, so that each side sees the other's end. */
    for (int fd = 0; fd < 64; fd++) close(fd);
    int code = wait_beside(child, ended, life);
    kill_descendants();
    return code;
}

int room(int argc, char **argv) {
    close_from(3, 0);
    /* Away from agon's process group, so that a Ctrl-C ends no room halfway. */
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, 0);
    setsid();
    options o = parse_options(argc, argv);
    if (o.pipes) make_pipes(o.user);
    if (o.cpu) open_cpu(o.cpu);
    if (o.staged) stage(o.stages, o.staged);
    be_unwilling();
    become_user(o.user);
    return guard(argv + o.program);
}
