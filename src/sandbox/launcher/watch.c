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

#define LONG 2000000ull /* ns: in a shorter turn, what was waited for a core is too little to matter */

enum { DONE, OUT, ERR, ASKED, NOTICED, IN, POLLED };

/*
 * It has ended, since it was last seen to run. What the launcher waited for its core meanwhile has passed since then, at
 * most: that time is not charged to the bot.
 */
static void note_end(turn *t) {
    t->ended = clock_less(now(), clock_less(own_wait(), t->waited));
    if (t->ended < t->known) t->ended = t->known;
}

/* Most turns are short and fit into their pipes: waking up for what they print would only take their core away. */
static int is_short(turn *t, const request *r, const running *p) {
    struct pollfd soon[2] = {{p->done, POLLIN, 0}, {notices, POLLIN, 0}};
    struct timespec first = {0, r->limit < LONG ? r->limit : LONG};
    if (p->in >= 0 || ppoll(soon, 2, &first, 0) <= 0 || !soon[0].revents) return 0;
    note_end(t);
    return 1;
}

/* Looks whether its time is up, where it may be: sets `stop`. Gives whether it is over, because of that or by itself. */
static int is_over(turn *t, const request *r, const running *run, look *next, uint64_t *at, uint64_t *waited) {
    if (*at < next->until && next->verdict == IN_TIME) return 0;
    if (readable(run->done)) return 1;
    t->known = *at;
    t->waited = *waited;
    *next = timing_judge(&t->time, r->limit);
    *at = now();
    *waited = own_wait();
    if (next->verdict == IN_TIME) return 0;
    if (!readable(run->done)) t->stop = next->verdict == BUSY ? STOP_BUSY : STOP_TIME;
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

/* The same of a turn that takes longer. */
static void watch_long(turn *t, const request *r, running *run) {
    struct pollfd p[POLLED] = {[DONE] = {run->done, POLLIN, 0},  [OUT] = {run->out, POLLIN, 0},
                               [ERR] = {run->err, POLLIN, 0},    [ASKED] = {requests, POLLIN, 0},
                               [NOTICED] = {notices, POLLIN, 0}, [IN] = {run->in, POLLOUT, 0}};
    size_t written = 0;
    timing_begin_new(&t->time, t->began, t->forked, t->number);
    t->looked = 1;
    look next = clock_look(t->began, r->limit, now(), 0, 0);
    while (t->stop == STOP_NONE) {
        uint64_t at = now(), waited = own_wait();
        if (is_over(t, r, run, &next, &at, &waited)) {
            if (t->stop == STOP_NONE) return note_end(t);
            break;
        }
        uint64_t left = clock_less(next.until, at);
        struct timespec timeout = {left / SECOND, left % SECOND};
        if (ppoll(p, run->in >= 0 ? POLLED : IN, &timeout, 0) <= 0) continue;
        if (!p[DONE].revents) {
            t->known = at;
            t->waited = waited;
        }
        if (p[NOTICED].revents) heed();
        read_streams(t, r, p);
        if (p[DONE].revents) return note_end(t);
        if (p[ASKED].revents) read_wishes(t, r, p);
        if (run->in >= 0 && p[IN].revents) write_input(r, run, p, &written);
    }
    send_signal(run->pid, SIGKILL);
    signal_family(SIGKILL);
}

void watch(turn *t, const request *r, running *p) {
    if (!is_short(t, r, p)) watch_long(t, r, p);
}

void judge_ended(turn *t, const request *r) {
    uint64_t wall = clock_less(now(), t->began);
    if (t->stop != STOP_NONE || wall <= LONG || (!t->looked && wall <= r->limit)) return;
    if (!t->looked) timing_begin_new(&t->time, t->began, t->forked, t->number);
    timing_end(&t->time);
    uint64_t soonest = clock_sum(t->began, clock_sum(t->time.sure, t->time.longest));
    if (t->ended < soonest) t->ended = soonest;
    if (clock_less(clock_less(t->ended, t->began), t->time.sure) > r->limit) t->stop = STOP_TIME;
}
