/*
 * program: what a program is started with, and its quick start: a clone that borrows this process's memory until the
 * exec.
 */
#include "launcher.h"

static int parse_numbers(uint8_t **at, const uint8_t *end, request *r) {
    if (end - *at < 8) return 0;
    memcpy(&r->limit, *at, 8);
    *at += 8;
    uint32_t *const numbers[] = {&r->id,   &r->flags, &r->out_cap,      &r->err_cap,
                                 &r->argc, &r->envc,  &r->input_length, &r->file_length};
    for (int i = 0; i < COUNT(numbers); i++)
        if (!take32(at, end, numbers[i])) return 0;
    return 1;
}

/* The words lie one behind the other: a free one, argv, its end, env, its end. */
static int make_room(word_list *words, size_t need) {
    if (need <= words->room) return 1;
    free(words->at);
    words->at = malloc(need * sizeof *words->at);
    words->room = words->at ? need : 0;
    return words->at != 0;
}

static int parse_texts(uint8_t **at, const uint8_t *end, char **into, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!(into[i] = take_text(at, end))) return 0;
    into[count] = 0;
    return 1;
}

int parse_request(uint8_t *body, size_t length, request *r, word_list *words) {
    uint8_t *at = body, *end = body + length;
    if (!parse_numbers(&at, end, r)) return 0;
    if (r->argc < 1 || r->argc > length || r->envc > length) return 0;
    if (!make_room(words, (size_t)r->argc + r->envc + 3)) return 0;
    if (!(r->folder = take_text(&at, end)) || !(r->file = take_text(&at, end))) return 0;
    r->argv = words->at + 1;
    r->env = r->argv + r->argc + 1;
    if (!parse_texts(&at, end, r->argv, r->argc) || !parse_texts(&at, end, r->env, r->envc)) return 0;
    if ((uint64_t)(end - at) != (uint64_t)r->input_length + r->file_length) return 0;
    r->input = at;
    r->content = at + r->input_length;
    return 1;
}

#define CLONE_PIDFD_FLAG 0x1000 /* CLONE_PIDFD, which older headers lack */

int nothing = -1;

pid_t start_child(int (*child)(void *), void *with, const int *failed, int *pidfd) {
    static char stack[65536] __attribute__((aligned(64)));
    int flags = CLONE_VM | CLONE_VFORK | SIGCHLD | (pidfd ? CLONE_PIDFD_FLAG : 0);
    pid_t pid = clone(child, stack + sizeof stack, flags, with, pidfd);
    if (pid < 0 || !*failed) return pid < 0 ? 0 : pid;
    waitpid(pid, 0, __WALL);
    if (pidfd) close(*pidfd);
    errno = *failed;
    return 0;
}

/* Runs on a stack of its own, which no sanitizer knows. */
__attribute__((no_sanitize_address)) static int become(void *with) {
    start *s = with;
    setsid();
    if (files_limit.rlim_cur) setrlimit(RLIMIT_NOFILE, &files_limit);
    if (dup2(s->in, 0) >= 0 && dup2(s->out, 1) >= 0 && dup2(s->err, 2) >= 0)
        execve(s->r->argv[0], s->r->argv, s->r->env);
    if (errno == ENOEXEC) { /* a script without an interpreter's line: the shell's, as everywhere */
        s->r->argv[-1] = "/bin/sh";
        execve("/bin/sh", s->r->argv - 1, s->r->env);
    }
    s->failed = errno;
    _exit(127);
}

static int willing = -1; /* this process's own oom_score_adj, or -1: it cannot be set */
static char unwilling[16];

void open_willing(void) {
    willing = open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC);
    if (willing < 0) return;
    willing = high(willing);
    ssize_t n = read_again(willing, unwilling, sizeof unwilling);
    if (n > 0 && pwrite(willing, "1000", 4, 0) == 4 && pwrite(willing, unwilling, n, 0) == n) return;
    close(willing);
    willing = -1;
}
static void be_willing(int most) {
    const char *text = most ? "1000" : unwilling;
    if (willing >= 0 && pwrite(willing, text, strlen(text), 0) < 0) willing = -1;
}

pid_t launch(start *s, int *pidfd) {
    static char here[4096]; /* this process's own folder, which its children begin in */
    s->failed = 0;
    *pidfd = -1;
    if (strcmp(here, s->r->folder)) {
        if (chdir(s->r->folder)) return 0;
        snprintf(here, sizeof here, "%s", s->r->folder);
    }
    be_willing(1);
    pid_t pid = start_child(become, s, &s->failed, pidfd);
    int error = errno;
    be_willing(0);
    errno = error;
    return pid;
}
