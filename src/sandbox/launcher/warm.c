/*
 * warm: the warm parent: an interpreter that is started and has run nothing of the bot's.
 *
 * It is sent each program's words on a socket, and forks: the child tells its pid, and waits at another socket, the
 * gate, for its standard streams. So a program's time begins when the parent's work is done, and nothing that happens
 * to the parent counts in it: the parent sleeps until it is asked how the program ended, and its child's books lie open
 * until then. It lets go a program that stays: it forks twice, and the launcher adopts its grandchild. A bot reaches no
 * requests, as /proc opens no socket, nor its parent's memory, which Landlock guards. What cannot be sent, or a parent
 * that is gone or silent, is a fresh start.
 */
#include "launcher.h"
#include <sys/socket.h>
#include <sys/uio.h>

#define QUIET 20000000ull /* ns that the parent may have run between two turns: to reap a child takes some, on a slow machine */
enum { MOST_WORDS = 60000 }; /* bytes of a turn's words that a packet holds */

static bytes command;                /* the request that started it: it is started again when it has gone */
static int wishes = -1, gate = -1;   /* sockets: what it is asked, and what its child waits for */
static int schedule = -1;            /* its schedstat */
static uint64_t ran;                 /* what it had run when it had done its work last */
typedef struct __attribute__((packed)) { int32_t status; uint64_t cpu; } ending;

static uint64_t cpu_now(void) {
    char text[128];
    read_again(schedule, text, sizeof text);
    return strtoull(text, 0, 10);
}

/* Whether it is one thread, which has waited since it had done its work last. */
static int is_quiet(void) {
    char path[64];
    struct stat tasks;
    snprintf(path, sizeof path, "/proc/%d/task", keeper);
    return !stat(path, &tasks) && tasks.st_nlink == 3 && clock_less(cpu_now(), ran) < QUIET;
}

static void forget(void) {
    if (schedule >= 0) close(schedule);
    schedule = -1;
    if (keeper) {
        send_signal(keeper, SIGKILL);
        waitpid(keeper, 0, __WALL);
    }
    if (wishes >= 0) close(wishes);
    if (gate >= 0) close(gate);
    keeper = 0;
    wishes = gate = -1;
}

/* Starts it; it writes a byte when it is ready. Gives whether it is. */
static int begin(void) {
    static word_list words;
    request r;
    int ours[2], theirs[2], pidfd, ready = 0;
    char word[16], path[64];
    forget();
    if (!command.length || !parse_request(command.at, command.length, &r, &words)) return 0;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ours)) return 0;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, theirs)) die("Cannot make the gate of a warm parent: %m");
    start s = {&r, ours[1], theirs[1], nothing, 0};
    keeper = launch(&s, &pidfd);
    close(ours[1]);
    close(theirs[1]);
    wishes = ours[0];
    gate = theirs[0];
    if (keeper) {
        close(pidfd);
        ready = wait_for(wishes, r.limit) && read(wishes, word, sizeof word) > 0;
        snprintf(path, sizeof path, "/proc/%d/schedstat", keeper);
        schedule = open(path, O_RDONLY | O_CLOEXEC);
        if (schedule >= 0) schedule = high(schedule);
        ran = cpu_now();
    }
    if (!ready) {
        command.length = 0; /* it is not tried again */
        forget();
    }
    return ready;
}

void warm_asked(const frame *f) {
    command.length = 0;
    append(&command, f->body, f->length);
    answer(ANSWER_WARM);
    uint32_t there = begin();
    append32(&outbox, there);
    send_answer();
}

static size_t words_of(const request *r) {
    const char *last = r->envc ? r->env[r->envc - 1] : r->argv[r->argc - 1];
    return last + strlen(last) + 1 - r->argv[0];
}

/* Gives up the parent, and kills what it has forked. */
static int give_up(void) {
    uint64_t cpu = 0;
    forget();
    sweep(&cpu);
    return 0;
}

static int is_ready(void) {
    if (!command.length) return 0;
    if (keeper && !is_quiet()) {
        command.length = 0; /* it is no parent that does nothing by itself: there is none from now on */
        forget();
        return 0;
    }
    return keeper || begin();
}

/*
 * The child reports its pid in four bytes; of one that stays, the parent reports in one that it has let it go. A parent
 * that takes a second for that (a script that is slow to compile) is not had again.
 */
static pid_t forked(int stays) {
    int32_t pid = 0, word;
    for (int left = stays ? 2 : 1; left; left--) {
        if (!wait_for(wishes, SECOND)) return command.length = 0;
        ssize_t n = read(wishes, &word, sizeof word);
        if (n == sizeof word && !pid) pid = word;
        else if (n != 1) return 0;
    }
    return pid > 0 ? pid : 0;
}

pid_t warm_fork(const request *r, int stays, int *pidfd) {
    uint32_t head[2] = {r->argc, stays};
    if (!(r->flags & TURN_WARM) || words_of(r) >= MOST_WORDS || !is_ready()) return 0;
    /* It stands still if the program before was ended while all did, or stopped it. */
    send_signal(keeper, SIGCONT);
    struct iovec parts[3] = {
        {head, sizeof head}, {r->folder, strlen(r->folder) + 1}, {r->argv[0], words_of(r)}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 3};
    if (sendmsg(wishes, &message, MSG_DONTWAIT | MSG_NOSIGNAL) <= 0) return give_up();
    pid_t pid = forked(stays);
    *pidfd = pid ? (int)syscall(434 /* pidfd_open */, pid, 0) : -1;
    if (*pidfd < 0) return give_up();
    fcntl(*pidfd, F_SETFD, FD_CLOEXEC);
    ran = cpu_now();
    return pid;
}

static int pass_gate(const start *s) {
    int fds[3] = {s->in, s->out, s->err};
    struct iovec begin = {"", 1};
    union { struct cmsghdr head; char room[CMSG_SPACE(sizeof fds)]; } control = {.room = {0}};
    struct msghdr message = {
        .msg_iov = &begin, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    control.head.cmsg_len = CMSG_LEN(sizeof fds);
    control.head.cmsg_level = SOL_SOCKET;
    control.head.cmsg_type = SCM_RIGHTS;
    memcpy(CMSG_DATA(&control.head), fds, sizeof fds);
    return sendmsg(gate, &message, MSG_DONTWAIT | MSG_NOSIGNAL) > 0 || give_up();
}

pid_t warm_begin(start *s, pid_t forked, int *pidfd) {
    if (forked && pass_gate(s)) return forked;
    if (forked) close(*pidfd);
    return launch(s, pidfd);
}

int warm_reap(pid_t pid, uint64_t *cpu) {
    ending end;
    /*
     * What it leaves could keep the parent from answering, and run meanwhile, uncharged: then the parent is not asked.
     */
    if (keeper && !leaves_processes(pid, cpu)) {
        send_signal(keeper, SIGCONT);
        if (send(wishes, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL) == 1 && wait_for(wishes, SECOND) &&
            read(wishes, &end, sizeof end) == sizeof end) {
            *cpu += end.cpu;
            ran = cpu_now();
            return end.status;
        }
    }
    forget(); /* its children are this process's own then */
    signal_family(SIGKILL);
    return wait_for_end(pid, cpu);
}
