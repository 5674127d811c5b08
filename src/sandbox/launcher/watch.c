/* watch: a turn while it runs: what it prints, what it is asked, how long it may still take (turn.h). */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>
#include "base.h"
#include "family.h"
#include "frames.h"
#include "notices.h"
#include "turn.h"

#define LONG 2000000ull /* ns: what is done sooner has waited for nobody worth asking */

enum { DONE, OUT, ERR, ASKED, NOTICED, IN, POLLED };

/* Most turns are short and fit into their pipes: waking up for what they print would only take their core away. */
static int is_short(turn *t, const request *r, const running *p) {
    struct pollfd soon[2] = {{p->done, POLLIN, 0}, {notices, POLLIN, 0}};
    struct timespec first = {0, r->limit < LONG ? r->limit : LONG};
    t->due = clock_sum(t->began, first.tv_nsec);
    if (p->in >= 0 || ppoll(soon, 2, &first, 0) <= 0 || !soon[0].revents) return 0;
    t->ended = now();
    return 1;
}

/* Looks whether its time is up, where it may be. Gives whether it is. */
static int is_late(turn *t, const request *r, look *next, uint64_t *at) {
    if (*at < next->until && next->verdict == IN_TIME) return 0;
    timing_look(&t->time, 1);
    *at = now();
    *next = clock_look(t->began, r->limit, *at, t->time.sure, t->time.maybe);
    if (next->verdict == IN_TIME) return 0;
    t->stop = next->verdict == BUSY ? STOP_BUSY : STOP_TIME;
    return 1;
}

static void read_streams(turn *t, const request *r, struct pollfd *p) {
    if (p[OUT].revents && !append_from(&t->out, p[OUT].fd)) p[OUT].fd = -1;
    if (p[ERR].revents && !read_errors(t, p[ERR].fd)) p[ERR].fd = -1;
    if (t->out.length > r->out_cap) t->stop = STOP_STDOUT;
    else if (t->err_total > r->err_cap) t->stop = STOP_STDERR;
}

/* It is asked for nothing but its end while it runs; what else comes waits. */
static void read_wishes(turn *t, const request *r, struct pollfd *p) {
    frame f;
    read_requests();
    if (frame_ready(&f) && f.kind == REQUEST_KILL) {
        if (asked_for(r->id, &f)) t->stop = STOP_ASKED;
        frame_done(&f);
    } else if (inbox_full()) p[ASKED].fd = -1;
}

static void write_input(const request *r, running *run, struct pollfd *p, size_t *written) {
    ssize_t n = write(run->in, r->input + *written, r->input_length - *written);
    if (n > 0) *written += n;
    if ((n >= 0 || errno == EAGAIN || errno == EINTR) && *written < r->input_length) return;
    close(run->in);
    run->in = p[IN].fd = -1;
}

/* When it has ended: not later than now, and so much sooner as this process has waited for a core. */
static uint64_t end_since(uint64_t at, uint64_t waited) {
    uint64_t asleep = clock_less(own_wait(), waited), ended = clock_less(now(), asleep);
    return ended < at ? at : ended;
}

/* The same of a turn that takes longer. */
static void watch_long(turn *t, const request *r, running *run) {
    struct pollfd p[POLLED] = {[DONE] = {run->done, POLLIN, 0},  [OUT] = {run->out, POLLIN, 0},
                               [ERR] = {run->err, POLLIN, 0},    [ASKED] = {requests, POLLIN, 0},
                               [NOTICED] = {notices, POLLIN, 0}, [IN] = {run->in, POLLOUT, 0}};
    size_t written = 0;
    timing_begin_empty(&t->time, t->began);
    t->looked = 1;
    look next = clock_look(t->began, r->limit, now(), 0, 0);
    while (t->stop == STOP_NONE) {
        uint64_t at = now();
        if (is_late(t, r, &next, &at)) break;
        uint64_t left = clock_less(next.until, at), waited = own_wait();
        t->due = next.until;
        struct timespec timeout = {left / SECOND, left % SECOND};
        if (ppoll(p, run->in >= 0 ? POLLED : IN, &timeout, 0) <= 0) continue;
        if (p[NOTICED].revents) heed();
        read_streams(t, r, p);
        if (p[DONE].revents) {
            t->ended = end_since(at, waited);
            return;
        }
        if (p[ASKED].revents) read_wishes(t, r, p);
        if (run->in >= 0 && p[IN].revents) write_input(r, run, p, &written);
    }
    if (run->pid) send_signal(run->pid, SIGKILL);
    signal_family(SIGKILL);
}

void watch(turn *t, const request *r, running *p) {
    if (!is_short(t, r, p)) watch_long(t, r, p);
}

void judge_ended(turn *t, const request *r) {
    uint64_t wall = clock_less(t->ended, t->began);
    if (t->stop != STOP_NONE || wall <= LONG || (!t->looked && wall <= r->limit)) return;
    if (!t->looked) timing_begin_empty(&t->time, t->began);
    timing_look(&t->time, 0);
    if (clock_charged(wall, t->time.sure) > r->limit) t->stop = STOP_TIME;
}

void judge_gone(turn *t, const request *r) {
    uint64_t wall = clock_less(t->ended, t->began);
    uint64_t credit = t->time.maybe > t->time.sure ? t->time.maybe : t->time.sure;
    if (t->stop != STOP_NONE || clock_charged(wall, t->time.sure) <= r->limit) return;
    t->time.sure = credit;
    if (clock_charged(wall, credit) <= r->limit) return;
    uint64_t most = clock_sum(credit, clock_less(t->ended, t->due));
    t->stop = clock_charged(wall, most) > r->limit ? STOP_TIME : STOP_BUSY;
}
