/* warm: the warm parent: an interpreter that is started and has run nothing of the bot's. */
#define _GNU_SOURCE
#include "warm.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base.h"
#include "notices.h"
#include "request.h"
#include "timing.h"

#define QUIET 20000000ull /* ns that the parent may have run between two turns: to reap a child takes some, on a slow machine */
enum { MOST_WORDS = 60000 }; /* bytes of a turn's words that a packet holds */

enum lets_go { WAITS, LETS_GO }; /* what it does with what it has forked */

int warm_socket = -1;
static bytes command;      /* the request that started it: it is started again when it has gone */
static int schedule = -1;  /* its schedstat */
static uint64_t ran;       /* what it had run when its last turn ended */
typedef struct __attribute__((packed)) { int32_t status; uint64_t cpu, maxrss; } ending;

static uint64_t cpu_now(void) {
    char text[128];
    read_again(schedule, text, sizeof text);
    return strtoull(text, 0, 10);
}

/*
 * Whether it is what it was when its last turn ended: one thread, which has waited since. Its time is charged
 * to no turn.
 */
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
    if (warm_socket >= 0) close(warm_socket);
    keeper = 0;
    warm_socket = -1;
}

/* Starts it; it writes a byte when it is ready. Gives whether it is. */
static int begin(void) {
    static word_list words;
    request r;
    int pair[2], pidfd, ready = 0;
    char word[16], path[64];
    forget();
    if (!command.length || !parse_request(command.at, command.length, &r, &words)) return 0;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) return 0;
    start s = {&r, pair[1], nothing, nothing, 0};
    keeper = launch(&s, &pidfd);
    close(pair[1]);
    if (keeper) {
        close(pidfd);
        ready = wait_for(pair[0], r.limit) && read(pair[0], word, sizeof word) > 0;
        snprintf(path, sizeof path, "/proc/%d/schedstat", keeper);
        schedule = open(path, O_RDONLY | O_CLOEXEC);
        if (schedule >= 0) schedule = high(schedule);
        ran = cpu_now();
    }
    warm_socket = pair[0];
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

/* Sends it a program to fork. Gives 0 where that cannot be sent. */
static int send_start(const start *s, enum lets_go lets_go) {
    const request *r = s->r;
    int fds[3] = {s->in, s->out, s->err};
    uint32_t counts[3] = {r->argc, r->envc, lets_go};
    char *last = r->envc ? r->env[r->envc - 1] : r->argv[r->argc - 1];
    size_t words = last + strlen(last) + 1 - r->argv[0];
    struct iovec parts[3] = {{counts, sizeof counts}, {r->folder, strlen(r->folder) + 1}, {r->argv[0], words}};
    union { struct cmsghdr head; char room[CMSG_SPACE(sizeof fds)]; } control = {.room = {0}};
    struct msghdr message = {
        .msg_iov = parts, .msg_iovlen = 3, .msg_control = &control, .msg_controllen = sizeof control};
    control.head.cmsg_len = CMSG_LEN(sizeof fds);
    control.head.cmsg_level = SOL_SOCKET;
    control.head.cmsg_type = SCM_RIGHTS;
    memcpy(CMSG_DATA(&control.head), fds, sizeof fds);
    return words < MOST_WORDS && sendmsg(warm_socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL) > 0;
}

int warm_send(const start *s) { return send_start(s, WAITS); }

pid_t warm_launch(const start *s, int *pidfd) {
    int32_t pid = 0;
    /* Where the program before was ended while all stood still, so does the parent. */
    send_signal(keeper, SIGCONT);
    if (!send_start(s, LETS_GO)) return 0;
    int there = wait_for(warm_socket, SECOND) && read(warm_socket, &pid, sizeof pid) == sizeof pid && pid > 0;
    *pidfd = there ? (int)syscall(434 /* pidfd_open */, pid, 0) : -1;
    if (*pidfd < 0) {
        forget(); /* and what it has forked goes with the family */
        usage used = {0};
        sweep(&used);
        return 0;
    }
    fcntl(*pidfd, F_SETFD, FD_CLOEXEC);
    ran = cpu_now();
    return pid;
}

int warm_ready(void) {
    if (!command.length) return 0;
    if (keeper && !is_quiet()) {
        command.length = 0; /* it is no parent that does nothing by itself: there is none from now on */
        forget();
        return 0;
    }
    return keeper || begin();
}

uint64_t warm_waited(void) { return wait_of(schedule); }

int warm_wait(usage *used) {
    ending end;
    int status = 0, there = wait_for(warm_socket, SECOND);
    if (there && read(warm_socket, &end, sizeof end) == sizeof end) {
        used->cpu += end.cpu;
        if (end.maxrss > used->maxrss) used->maxrss = end.maxrss;
        ran = cpu_now();
        return end.status;
    }
    /*
     * The parent has gone in the middle of a turn. What ended it otherwise than by SIGKILL can only have been the turn.
     */
    if (there && keeper && waitpid(keeper, &status, __WALL) == keeper) {
        keeper = 0;
        if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) family_kills = 1;
    }
    forget();
    return SIGKILL;
}
