/* staying: a program that stays: started, watched while it is asked, stopped between questions, reported. */
#include "launcher.h"

/* A pause after a few bytes of standard error: a byte at a time would make a frame of each. */
#define ERRORS_PAUSE (SECOND / 50)
enum { ERRORS_MUCH = 16384 };

/* A suspended family is stopped again each second, whatever may have continued it. */
#define STOP_AGAIN SECOND
/* What it may run uncharged while it is suspended: each task runs until it sees that it is stopped. */
#define STOPPING CLOCK_STEP

int bot_in = -1, bot_out = -1;

static struct {
    pid_t pid; /* 0: there is none */
    int pidfd, err;
    uint64_t err_next; /* its standard error is not looked at before */
    /* A question that takes long: watched since, due, never after; 0: none. */
    uint64_t began, due, limit;
    timing time;
    uint32_t id, question;
    enum stop stop;
    /* It and its family are stopped until the next question; when to stop again; what it had run when stopped. */
    int suspended;
    uint64_t again, ran;
} stay = {.pidfd = -1, .err = -1};

static void read_stderr(void) {
    static bytes chunk;
    chunk.length = 0;
    if (!append_from(&chunk, stay.err)) {
        close(stay.err);
        stay.err = -1;
    }
    stay.err_next = chunk.length < ERRORS_MUCH ? now() + ERRORS_PAUSE : 0;
    if (!chunk.length) return;
    answer(ANSWER_ERRORS);
    append32(&outbox, stay.id);
    append(&outbox, chunk.at, chunk.length);
    send_answer();
}

/* It has ended: what it leaves is killed and reaped, and its end is reported. */
static void reap(void) {
    uint64_t cpu = 0; /* not reported: questions are measured one by one */
    int status = wait_for_end(stay.pid, &cpu);
    sweep(&cpu);
    while (stay.err >= 0 && readable(stay.err)) read_stderr();
    if (stay.err >= 0) close(stay.err);
    close(stay.pidfd);
    stay.pid = stay.due = 0;
    stay.err = stay.pidfd = -1;
    answer(ANSWER_ENDED);
    append32(&outbox, stay.id);
    append32(&outbox, (WIFEXITED(status) ? END_EXITED : END_SIGNALLED) | stay.stop << 8 | killers() << 16);
    append32(&outbox, WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    send_answer();
}

void stay_start(request *r) {
    int err[2], error;
    if (stay.pid) { /* its forerunner is on its way out */
        send_signal(stay.pid, SIGKILL);
        reap();
    }
    if (pipe2(err, O_CLOEXEC)) die("Cannot make the pipe of a program's standard error: %m");
    fcntl(bot_in, F_SETFL, 0); /* its forerunner shared these flags */
    fcntl(bot_out, F_SETFL, 0);
    start s = {r, bot_in, bot_out, err[1], 0};
    family_kills = 0;
    stay.id = r->id;
    stay.pid = warm_begin(&s, warm_fork(r, 1, &stay.pidfd), &stay.pidfd);
    error = errno;
    close(err[1]);
    stay.err = err[0];
    stay.err_next = stay.due = 0;
    stay.time.last.count = 0;
    stay.stop = STOP_NONE;
    stay.suspended = 0;
    answer(ANSWER_STARTED);
    append32(&outbox, stay.pid ? 0 : error);
    send_answer();
    if (!stay.pid) {
        close(stay.err);
        stay.err = -1;
    }
}

static void begin_watch(const frame *f) {
    if (f->length != 24) die("A request to watch a question has %zu bytes, not 24", f->length);
    memcpy(&stay.question, f->body + 4, 4);
    memcpy(&stay.began, f->body + 8, 8);
    memcpy(&stay.limit, f->body + 16, 8);
    timing *t = &stay.time;
    /* It learns late of the question: the bot's wait since the last look counts as far as the question is old. */
    timing_base(t);
    timing_begin(t, stay.began);
    timing_look(t);
    uint64_t age = clock_less(t->last.when, stay.began), head = t->sure < age ? t->sure : age;
    timing_base(t);
    t->head = head;
    t->cpu = 0;
    /* A wait that goes on now is booked later, and has room in all of the question's time. */
    t->base.when = clock_sum(stay.began, head);
    stay.due = clock_look(stay.began, stay.limit, t->last.when, head, clock_sum(head, CLOCK_LOOK)).until;
    if (stay.due <= t->last.when) stay.due = t->last.when + CLOCK_STEP;
}

/*
 * A bot runs while it is asked, and is suspended between questions. One call signals all of its family, and lets
 * nothing fork away; nothing in it can send the signal that resumes it, or have the kernel send it
 * (`refuse_continues`).
 */
static void suspend(void) {
    signal_family(SIGSTOP);
    stay.again = now() + STOP_AGAIN;
    if (!stay.suspended) stay.ran = family_ran();
    stay.suspended = 1;
}

/* Gives what it ran while it was suspended: that is of its next question's time. */
static uint64_t wake(void) {
    if (!stay.suspended) return 0;
    uint64_t ran = clock_less(family_ran(), stay.ran);
    stay.suspended = 0;
    signal_family(SIGCONT);
    return ran > STOPPING ? ran : 0;
}

/* The watched question's measures: CPU and waiting since it is watched. */
static void tell_measures(enum answer_kind kind, enum verdict verdict) {
    if (stay.err >= 0 && readable(stay.err)) read_stderr();
    timing_look(&stay.time);
    answer(kind);
    append32(&outbox, stay.id);
    append32(&outbox, stay.question);
    append64(&outbox, clock_less(stay.time.last.when, stay.began));
    append64(&outbox, stay.time.sure);
    append64(&outbox, stay.time.cpu);
    append32(&outbox, verdict == BUSY);
    send_answer();
}

/* The time may be up: the family stands still while agon looks for the answer, so nothing is printed too late. */
static void look_again(void) {
    look next = timing_judge(&stay.time, stay.limit);
    if (next.verdict == IN_TIME) {
        stay.due = next.until;
        return;
    }
    stay.due = 0;
    signal_family(SIGSTOP);
    tell_measures(ANSWER_LATE, next.verdict);
}

static void act(const frame *f) {
    switch (f->kind) {
    case REQUEST_KILL:
        stay.due = 0;
        stay.stop = STOP_ASKED;
        send_signal(stay.pid, SIGKILL);
        signal_family(SIGKILL);
        return;
    case REQUEST_WATCH: begin_watch(f); return;
    case REQUEST_ANSWERED:
        stay.due = 0;
        tell_measures(ANSWER_MEASURES, IN_TIME);
        return;
    case REQUEST_CONTINUE: /* answered in time, after all */
        if (!stay.suspended) signal_family(SIGCONT);
        return;
    case REQUEST_SUSPEND: suspend(); return;
    default: die("A request of kind %c is not about a program that stays", f->kind);
    }
}

void stay_asked(const frame *f) {
    int there = asked_for(stay.id, f) && stay.pid; /* else it went before it was asked to */
    if (f->kind != REQUEST_WAKE) {
        if (there) act(f);
        return;
    }
    answer(ANSWER_AWAKE);
    append64(&outbox, there ? wake() : 0);
    send_answer();
}

int stay_wait(void) {
    if (!stay.pid) return 1; /* no program runs: reading a request may block */
    struct pollfd p[4] = {{requests, POLLIN, 0}, {stay.pidfd, POLLIN, 0}, {stay.err, POLLIN, 0}, {notices, POLLIN, 0}};
    uint64_t at = now(), due = stay.suspended ? stay.again : stay.due, left = clock_less(due, at);
    struct timespec timeout = {left / SECOND, left % SECOND};
    if (due && !left) {
        if (stay.suspended) suspend();
        else look_again();
        return 0;
    }
    if (stay.err >= 0 && stay.err_next > at) {
        uint64_t pause = stay.err_next - at;
        p[2].fd = -1;
        if (!due || pause < left) timeout = (struct timespec){0, pause};
    }
    if (ppoll(p, 4, due || p[2].fd != stay.err ? &timeout : 0, 0) <= 0) return 0;
    if (p[3].revents) heed();
    if (p[2].revents) read_stderr();
    if (p[1].revents) reap();
    return p[0].revents != 0;
}
