/*
 * spawner: starts sandboxes for a thread of agon, without the fork of all its memory (src/sandbox/spawner.ts).
 *
 * A program's descriptors are agon's, opened here through /proc. It runs on the thread's cores, in its slices. It is
 * this process's child, which dies with that thread; a sandbox's guard ends when this process does.
 */
#include "launcher.h"
#include <sys/signalfd.h>

/* A program to be started: its words, its descriptors 0 to 2, and why it could not be. */
typedef struct { char **words; int fds[3], failed; } program;

typedef struct { uint32_t id; pid_t pid; } child;

static pid_t agon, thread; /* the process and the thread that this one works for */
static child *children;
static size_t count, capacity;

/* Runs on a stack of its own, which no sanitizer knows. */
__attribute__((no_sanitize_address)) static int become(void *with) {
    program *p = with;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, 0);
    setsid();
    run_like(thread);
    if (dup2(p->fds[0], 0) >= 0 && dup2(p->fds[1], 1) >= 0 && dup2(p->fds[2], 2) >= 0) execvp(p->words[0], p->words);
    p->failed = errno;
    _exit(127);
}

/* Opens a descriptor of agon's anew, as a blocking end, which every program expects. Gives -1 with errno. */
static int open_of_agon(uint32_t number, int flags) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%u", agon, number);
    /* It is not waited for: agon may have let go of the other end. */
    int fd = open(path, flags | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || fcntl(fd, F_SETFL, 0)) return -1;
    return high(fd);
}

/* Opens its descriptors, and starts it. Gives its number, or 0 with errno. */
static pid_t open_and_start(program *p, const uint32_t numbers[3]) {
    pid_t pid = 0;
    int opened = 0;
    while (opened < 3 && (p->fds[opened] = open_of_agon(numbers[opened], opened ? O_WRONLY : O_RDONLY)) >= 0) opened++;
    if (opened == 3) pid = start_child(become, p, &p->failed, 0);
    int error = errno;
    while (opened) close(p->fds[--opened]);
    errno = error;
    return pid;
}

static void remember(uint32_t id, pid_t pid) {
    if (count == capacity && !(children = realloc(children, (capacity = 2 * capacity + 16) * sizeof *children)))
        die("Cannot hold %zu children: %m", capacity);
    children[count++] = (child){id, pid};
}

/* Reads the words of a request, each with a NUL behind it, and 0 at their end. Dies where there are none. */
static char **words_of(uint8_t *at, const uint8_t *end) {
    static char **words;
    size_t words_count = 0;
    for (uint8_t *each = at; each < end; each++) words_count += !*each;
    if (!words_count || end[-1]) die("A request to spawn a program does not end with a word");
    free(words);
    if (!(words = calloc(words_count + 1, sizeof *words))) die("Cannot hold %zu words: %m", words_count);
    for (size_t i = 0; i < words_count; i++) words[i] = take_text(&at, end);
    return words;
}

static void spawn(const frame *f) {
    uint8_t *at = f->body, *end = at + f->length;
    uint32_t id, numbers[3];
    if (!take32(&at, end, &id)) die("A request to spawn a program has no id");
    for (int i = 0; i < 3; i++)
        if (!take32(&at, end, &numbers[i])) die("A request to spawn a program lacks descriptor %d", i);
    program p = {.words = words_of(at, end)};
    pid_t pid = open_and_start(&p, numbers);
    int error = pid ? 0 : errno;
    if (pid) remember(id, pid);
    answer(ANSWER_SPAWNED);
    append32(&outbox, id);
    append32(&outbox, pid);
    append32(&outbox, error);
    send_answer();
}

/* Signals a child. The number of one that has ended may be another's by now. */
static void signal_child(const frame *f) {
    uint8_t *at = f->body, *end = at + f->length;
    uint32_t id, number;
    if (!take32(&at, end, &id) || !take32(&at, end, &number)) die("A request to signal has %zu bytes, not 8", f->length);
    for (size_t i = 0; i < count; i++)
        if (children[i].id == id) kill(children[i].pid, number);
}

static void handle(const frame *f) {
    switch (f->kind) {
    case REQUEST_SPAWN: spawn(f); return;
    case REQUEST_SIGNAL: signal_child(f); return;
    default: die("A request of kind number %u: a spawner knows none", f->kind);
    }
}

static void tell_ended(uint32_t id, int status) {
    answer(ANSWER_GONE);
    append32(&outbox, id);
    append32(&outbox, WIFEXITED(status) ? WEXITSTATUS(status) : 0);
    append32(&outbox, WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    send_answer();
}

static void reap(void) {
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        for (size_t i = 0; i < count; i++)
            if (children[i].pid == pid) {
                uint32_t id = children[i].id;
                children[i] = children[--count];
                tell_ended(id, status);
                break;
            }
}

/* Moves the frames' descriptors out of the programs' way. Gives one that can be read when a child has ended. */
static int settle(void) {
    sigset_t ended;
    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ended, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close_from(3, 0);
    requests = high(0);
    answers = high(1);
    /* The first three stay taken: a program's descriptor with its final number would be lost. */
    if (open("/dev/null", O_RDWR) != 0 || dup2(0, 1) < 0) die("Cannot open /dev/null: %m");
    int signals = signalfd(-1, &ended, SFD_CLOEXEC | SFD_NONBLOCK);
    if (signals < 0) die("Cannot listen for the end of a sandbox: %m");
    return high(signals);
}

void spawner(int argc, char **argv) {
    agon = getppid();
    thread = argc > 2 ? atoi(argv[2]) : agon;
    int signals = settle();
    for (frame f;;) {
        while (frame_ready(&f)) {
            handle(&f);
            frame_done(&f);
        }
        struct pollfd p[2] = {{requests, POLLIN, 0}, {signals, POLLIN, 0}};
        struct signalfd_siginfo info;
        if (poll(p, 2, -1) < 0) continue;
        while (read(signals, &info, sizeof info) > 0) {}
        reap();
        if (p[0].revents) read_requests();
    }
}
