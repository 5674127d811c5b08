/* turn: one program from its start to its end: started, watched, killed where it is late or floods, reported. */
#include "launcher.h"

/* A turn: what was asked, the program while it runs, and how that has gone so far. */
typedef struct {
    request *r;
    pid_t pid;
    int pidfd, in, from_out, from_err; /* our ends of its streams; `in` -1: there is no standard input, or all is written */
    bytes out, err;
    uint64_t err_total;     /* bytes of standard error, also of those that are no longer kept */
    uint64_t began, ended;  /* ns of the monotonic clock; `ended` 0: not yet seen */
    uint64_t known, waited; /* when it was last seen to run, and what the launcher had waited for its own core by then */
    entry forked;           /* what it had run and waited before it began, where it was forked; id 0: it was started */
    uint64_t number;        /* the last process number that was given before */
    timing time;
    int looked; /* the books of its time are open: it took long */
    enum stop stop;
    enum end end;
    uint32_t code; /* an exit code, a signal or an errno */
    uint64_t cpu; /* ns of the processor */
} turn;

enum { STDERR_KEPT = 65536, READ = 65536 /* bytes that a read asks for */ };

/* Reads once what is there of its standard error, whose end is kept. Gives 0 at the end. */
static int read_errors(turn *t, int fd) {
    bytes *b = &t->err;
    size_t before = b->length;
    int more = append_from(b, fd);
    t->err_total += b->length - before;
    if (b->length > 2 * STDERR_KEPT) {
        memmove(b->at, b->at + b->length - STDERR_KEPT, STDERR_KEPT);
        b->length = STDERR_KEPT;
    }
    return more;
}

#define LONG 2000000ull /* ns: in a shorter turn, what was waited for a core is too little to matter */

enum { DONE, OUT, ERR, ASKED, NOTICED, IN, POLLED };

/*
 * It has ended since it was last seen to run. What the launcher waited for its core since then, at most, is not charged
 * to the bot.
 */
static void note_end(turn *t) {
    t->ended = clock_less(now(), clock_less(own_wait(), t->waited));
    if (t->ended < t->known) t->ended = t->known;
}

/* Most turns are short and fit into their pipes: waking up to read would only take their core away. */
static int is_short(turn *t) {
    struct pollfd soon[2] = {{t->pidfd, POLLIN, 0}, {notices, POLLIN, 0}};
    struct timespec first = {0, t->r->limit < LONG ? t->r->limit : LONG};
    if (t->in >= 0 || ppoll(soon, 2, &first, 0) <= 0 || !soon[0].revents) return 0;
    note_end(t);
    return 1;
}

/* Sets `stop` if its time is up. Gives whether it is over, by that or by itself. */
static int is_over(turn *t, look *next, uint64_t *at, uint64_t *waited) {
    if (*at < next->until && next->verdict == IN_TIME) return 0;
    if (readable(t->pidfd)) return 1;
    t->known = *at;
    t->waited = *waited;
    *next = timing_judge(&t->time, t->r->limit);
    *at = now();
    *waited = own_wait();
    if (next->verdict == IN_TIME) return 0;
    if (!readable(t->pidfd)) t->stop = next->verdict == BUSY ? STOP_BUSY : STOP_TIME;
    return 1;
}

static void read_streams(turn *t, struct pollfd *p) {
    if (p[OUT].revents && !append_from(&t->out, p[OUT].fd)) p[OUT].fd = -1;
    if (p[ERR].revents && !read_errors(t, p[ERR].fd)) p[ERR].fd = -1;
    if (t->out.length > t->r->out_cap) t->stop = STOP_STDOUT;
    else if (t->err_total > t->r->err_cap) t->stop = STOP_STDERR;
}

/* While it runs only its end may be asked; all else waits. */
static void read_wishes(turn *t, struct pollfd *p) {
    frame f;
    read_requests();
    if (frame_ready(&f) && f.kind == REQUEST_KILL) {
        if (asked_for(t->r->id, &f)) t->stop = STOP_ASKED;
        frame_done(&f);
    } else if (inbox_full()) p[ASKED].fd = -1;
}

static void write_input(turn *t, struct pollfd *p, size_t *written) {
    ssize_t n = write(t->in, t->r->input + *written, t->r->input_length - *written);
    if (n > 0) *written += n;
    if ((n >= 0 || errno == EAGAIN || errno == EINTR) && *written < t->r->input_length) return;
    close(t->in);
    t->in = p[IN].fd = -1;
}

/*
 * Watches a program to its end, or kills it with its family (`stop`: why). Closes its standard input (-1) once written.
 */
static void watch_long(turn *t) {
    struct pollfd p[POLLED] = {[DONE] = {t->pidfd, POLLIN, 0},  [OUT] = {t->from_out, POLLIN, 0},
                               [ERR] = {t->from_err, POLLIN, 0},    [ASKED] = {requests, POLLIN, 0},
                               [NOTICED] = {notices, POLLIN, 0}, [IN] = {t->in, POLLOUT, 0}};
    size_t written = 0;
    timing_begin_new(&t->time, t->began, t->forked, t->number);
    t->looked = 1;
    look next = clock_look(t->began, t->r->limit, now(), 0, 0);
    while (t->stop == STOP_NONE) {
        uint64_t at = now(), waited = own_wait();
        if (is_over(t, &next, &at, &waited)) {
            if (t->stop == STOP_NONE) return note_end(t);
            break;
        }
        uint64_t left = clock_less(next.until, at);
        struct timespec timeout = {left / SECOND, left % SECOND};
        if (ppoll(p, t->in >= 0 ? POLLED : IN, &timeout, 0) <= 0) continue;
        if (!p[DONE].revents) {
            t->known = at;
            t->waited = waited;
        }
        if (p[NOTICED].revents) heed();
        read_streams(t, p);
        if (p[DONE].revents) return note_end(t);
        if (p[ASKED].revents) read_wishes(t, p);
        if (t->in >= 0 && p[IN].revents) write_input(t, p, &written);
    }
    send_signal(t->pid, SIGKILL);
    signal_family(SIGKILL);
}

/*
 * Judges a program that has ended by its books, which can still be read. If the machine stood still, no look came
 * before its end: then it did not end before it had run for as long as its books say.
 */
static void judge_ended(turn *t) {
    uint64_t wall = clock_less(now(), t->began);
    if (t->stop != STOP_NONE || wall <= LONG || (!t->looked && wall <= t->r->limit)) return;
    if (!t->looked) timing_begin_new(&t->time, t->began, t->forked, t->number);
    timing_end(&t->time);
    uint64_t soonest = clock_sum(t->began, clock_sum(t->time.sure, t->time.longest));
    if (t->ended < soonest) t->ended = soonest;
    if (clock_less(clock_less(t->ended, t->began), t->time.sure) > t->r->limit) t->stop = STOP_TIME;
}

/* The pipes of a turn: the program's ends are `theirs`. */
static void open_pipes(turn *t, start *theirs) {
    int out[2], err[2], in[2] = {-1, -1};
    if (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC) || ((t->r->flags & TURN_STDIN) && pipe2(in, O_CLOEXEC)))
        die("Cannot make the pipes of a turn: %m");
    if (in[1] >= 0) fcntl(in[1], F_SETFL, O_NONBLOCK);
    t->in = in[1];
    t->from_out = out[0];
    t->from_err = err[0];
    theirs->in = in[0] >= 0 ? in[0] : nothing;
    theirs->out = out[1];
    theirs->err = err[1];
}

/* Starts the program, watches it and reaps it. */
static void play(turn *t, start *theirs) {
    pid_t forked = warm_fork(t->r, 0, &t->pidfd);
    t->forked = forked ? entry_of_task(forked) : (entry){0};
    t->number = last_number();
    t->began = t->known = now();
    t->waited = own_wait();
    t->pid = warm_begin(theirs, forked, &t->pidfd);
    int error = errno;
    if (t->pid != forked) t->forked.id = 0;
    close(theirs->out);
    close(theirs->err);
    if (theirs->in != nothing) close(theirs->in);
    if (!t->pid) {
        t->end = END_NOT_STARTED;
        t->code = error;
        return;
    }
    if (!is_short(t)) watch_long(t);
    if (!t->ended) t->ended = now();
    judge_ended(t);
    int status = t->forked.id ? warm_reap(t->pid, &t->cpu) : wait_for_end(t->pid, &t->cpu);
    close(t->pidfd);
    t->end = WIFEXITED(status) ? END_EXITED : END_SIGNALLED;
    t->code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
}

/* No process is left to write: a short read is the last. */
static void read_rest(turn *t) {
    for (size_t more = READ; more == READ && t->stop != STOP_STDOUT;) {
        more = t->out.length;
        append_from(&t->out, t->from_out);
        more = t->out.length - more;
        if (t->out.length > t->r->out_cap && t->stop == STOP_NONE) t->stop = STOP_STDOUT;
    }
    for (uint64_t more = READ; more == READ && t->err_total <= t->r->err_cap;) {
        more = t->err_total;
        read_errors(t, t->from_err);
        more = t->err_total - more;
    }
    close(t->from_out);
    close(t->from_err);
}

/* Appends the file to the answer, as far as it is a plain one. Gives its length. */
static uint32_t append_file(const request *r) {
    struct stat file;
    uint32_t length = LENGTH_NONE;
    int fd = open(r->file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0 && !fstat(fd, &file) && S_ISREG(file.st_mode)) {
        length = file.st_size > r->out_cap ? LENGTH_LARGE : file.st_size;
        if (length != LENGTH_LARGE) {
            reserve(&outbox, length);
            ssize_t n = read(fd, outbox.at + outbox.length, length);
            outbox.length += length = n > 0 ? n : 0;
        }
    }
    if (fd >= 0) close(fd);
    return length;
}

/* Answers what the turn came to; settles the state folder, which the answer reports. */
static void report(turn *t) {
    uint64_t wall = t->ended - t->began;
    uint32_t out = t->out.length > t->r->out_cap ? t->r->out_cap : t->out.length;
    uint32_t err = t->err.length > STDERR_KEPT ? STDERR_KEPT : t->err.length;
    answer(ANSWER_RESULT);
    append32(&outbox, t->r->id);
    append32(&outbox, t->end | t->stop << 8 | killers() << 16);
    append32(&outbox, t->code);
    append64(&outbox, wall);
    append64(&outbox, clock_less(wall, t->time.sure));
    append64(&outbox, t->cpu);
    append32(&outbox, out);
    append32(&outbox, err);
    size_t file_at = outbox.length, held_at = file_at + 4;
    append32(&outbox, LENGTH_NONE);
    append32(&outbox, LENGTH_NONE);
    append(&outbox, t->out.at, out);
    if (err) append(&outbox, t->err.at + t->err.length - err, err);
    if (t->r->flags & TURN_FETCH) {
        uint32_t file = append_file(t->r);
        memcpy(outbox.at + file_at, &file, 4);
    }
    uint32_t held = keep_state();
    memcpy(outbox.at + held_at, &held, 4);
}

void run_turn(request *r) {
    static turn t; /* its buffers are used again */
    start theirs = {.r = r};
    empty(&t.out);
    empty(&t.err);
    t = (turn){.r = r, .out = t.out, .err = t.err, .time = t.time};
    t.time.sure = t.time.maybe = 0;
    family_kills = 0;
    if (r->flags & TURN_PUT) put_file(r->file, r->content, r->file_length); /* what a bot put in its way is the bot's own loss */
    open_pipes(&t, &theirs);
    play(&t, &theirs);
    if (t.in >= 0) close(t.in);
    sweep(&t.cpu);
    read_rest(&t);
    if (!t.ended) t.ended = now();
    report(&t);
    if (r->flags & TURN_WIPE) clean_private_folders();
    send_answer();
}
