/* turn: one program from its start to its end: started, watched, killed where it is late or floods, reported. */
#define _GNU_SOURCE
#include "turn.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base.h"
#include "family.h"
#include "folders.h"
#include "frames.h"
#include "notices.h"
#include "tree.h"
#include "warm.h"

enum { STDERR_KEPT = 65536, READ = 65536 /* bytes that a read asks for */ };

/* How its program ended: `code` is an exit code, a signal or an errno. */
typedef struct { enum end end; uint32_t code; usage used; } outcome;

int read_errors(turn *t, int fd) {
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

/* The pipes of a turn: the program's ends are `theirs`. */
static void open_pipes(const request *r, running *run, start *theirs) {
    int out[2], err[2], in[2] = {-1, -1};
    if (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC) || ((r->flags & TURN_STDIN) && pipe2(in, O_CLOEXEC)))
        die("Cannot make the pipes of a turn: %m");
    if (in[1] >= 0) fcntl(in[1], F_SETFL, O_NONBLOCK);
    run->in = in[1];
    run->out = out[0];
    run->err = err[0];
    theirs->in = in[0] >= 0 ? in[0] : nothing;
    theirs->out = out[1];
    theirs->err = err[1];
}

/* Starts the program, watches it and reaps it. */
static void play(turn *t, request *r, running *run, start *theirs, outcome *o) {
    int pidfd = -1, status = 0;
    struct rusage used;
    run->pid = r->flags & TURN_WARM ? warm_fork(r, 0, &pidfd) : 0;
    t->forked = run->pid ? entry_of_task(run->pid) : (entry){0};
    t->number = last_number();
    t->began = t->known = now();
    t->waited = own_wait();
    if (run->pid && !warm_begin(theirs)) {
        close(pidfd);
        run->pid = t->forked.id = 0;
    }
    if (!run->pid) run->pid = launch(theirs, &pidfd);
    int error = errno;
    close(theirs->out);
    close(theirs->err);
    if (theirs->in != nothing) close(theirs->in);
    if (!run->pid) {
        o->end = END_NOT_STARTED;
        o->code = error;
        return;
    }
    run->done = pidfd;
    watch(t, r, run);
    if (!t->ended) t->ended = now();
    judge_ended(t, r);
    if (t->forked.id) warm_reap(run->pid, &status, &o->used);
    else {
        while (wait4(run->pid, &status, __WALL, &used) < 0 && errno == EINTR) {}
        add_usage(&o->used, &used);
    }
    close(pidfd);
    o->end = WIFEXITED(status) ? END_EXITED : END_SIGNALLED;
    o->code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
}

/* No process is left that could write: a read that is shorter than asked for is the last. */
static void read_rest(turn *t, const request *r, const running *run) {
    for (size_t more = READ; more == READ && t->stop != STOP_STDOUT;) {
        more = t->out.length;
        if (alone || readable(run->out)) append_from(&t->out, run->out);
        more = t->out.length - more;
        if (t->out.length > r->out_cap && t->stop == STOP_NONE) t->stop = STOP_STDOUT;
    }
    for (uint64_t more = READ; more == READ && t->err_total <= r->err_cap;) {
        more = t->err_total;
        if (alone || readable(run->err)) read_errors(t, run->err);
        more = t->err_total - more;
    }
    close(run->out);
    close(run->err);
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

/* Answers what the turn came to; the state folder is settled on the way, because the answer reports it. */
static void report(turn *t, const request *r, const outcome *o, uint32_t put_failed) {
    uint64_t wall = t->ended - t->began;
    uint32_t out = t->out.length > r->out_cap ? r->out_cap : t->out.length;
    uint32_t err = t->err.length > STDERR_KEPT ? STDERR_KEPT : t->err.length;
    answer(ANSWER_RESULT);
    append32(&outbox, r->id);
    append32(&outbox, o->end | t->stop << 8 | (put_failed | killers()) << 16);
    append32(&outbox, o->code);
    append64(&outbox, wall);
    append64(&outbox, clock_less(wall, t->time.sure));
    append64(&outbox, o->used.cpu);
    append64(&outbox, o->used.maxrss);
    append32(&outbox, out);
    append32(&outbox, err);
    size_t file_at = outbox.length, held_at = file_at + 4;
    append32(&outbox, LENGTH_NONE);
    append32(&outbox, LENGTH_NONE);
    append(&outbox, t->out.at, out);
    if (err) append(&outbox, t->err.at + t->err.length - err, err);
    if (r->flags & TURN_FETCH) {
        uint32_t file = append_file(r);
        memcpy(outbox.at + file_at, &file, 4);
    }
    uint32_t held = keep_state();
    memcpy(outbox.at + held_at, &held, 4);
}

void run_turn(request *r) {
    static turn t; /* its buffers are used again */
    running run = {0};
    start theirs = {.r = r};
    outcome o = {0};
    uint32_t put_failed = 0;
    empty(&t.out);
    empty(&t.err);
    t = (turn){.out = t.out, .err = t.err, .time = t.time};
    t.time.sure = t.time.maybe = 0;
    family_kills = 0;
    if ((r->flags & TURN_PUT) && put_file(r->file, r->content, r->file_length)) put_failed = NOTE_PUT_FAILED;
    open_pipes(r, &run, &theirs);
    play(&t, r, &run, &theirs, &o);
    if (run.in >= 0) close(run.in);
    sweep(&o.used);
    read_rest(&t, r, &run);
    if (!t.ended) t.ended = now();
    report(&t, r, &o, put_failed);
    if (r->flags & TURN_WIPE) clean_private_folders();
    send_answer();
}
