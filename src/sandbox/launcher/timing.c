/* timing: the books of the family's time, as /proc shows them; what they come to is judged by clock.h. */
#define _GNU_SOURCE
#include "timing.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "base.h"
#include "family.h"

enum { TICK = 10000000 }; /* ns: what /proc/PID/stat counts in */

int group_cpu = -1;
static int own_books = -1; /* this process's schedstat */

void open_own_books(void) {
    own_books = open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
    if (own_books >= 0) own_books = high(own_books);
}

/* A task's schedstat: how long it ran, and how long it waited for a core. */
static void read_schedule(const char *text, uint64_t *ran, uint64_t *waited) {
    char *end;
    *ran = strtoull(text, &end, 10);
    *waited = strtoull(end, 0, 10);
}

uint64_t own_wait(void) {
    char text[128];
    uint64_t ran, waited;
    if (!read_again(own_books, text, sizeof text)) return 0;
    read_schedule(text, &ran, &waited);
    return waited;
}

entry entry_of_task(int32_t id) {
    char path[64], text[128];
    entry e = {.id = id};
    snprintf(path, sizeof path, "/proc/%d/schedstat", id);
    if (read_small(path, text, sizeof text)) read_schedule(text, &e.ran, &e.waited);
    return e;
}

static entry *entry_new(books *b, int32_t id, uint64_t ran, uint64_t waited) {
    if (b->count == b->room) {
        b->room = b->room ? 2 * b->room : 64;
        b->at = realloc(b->at, b->room * sizeof *b->at);
        if (!b->at) die("Cannot hold the times of %zu tasks: %m", b->room);
    }
    b->at[b->count] = (entry){id, ran, waited, 0, 0};
    return &b->at[b->count++];
}
/* Two samples have nearly the same order: the search begins where the last one ended. */
static const entry *entry_of(const books *b, int32_t id, size_t *hint) {
    for (size_t i = 0; i < b->count; i++) {
        size_t at = (*hint + i) % b->count;
        if (b->at[at].id != id) continue;
        *hint = at + 1;
        return &b->at[at];
    }
    return 0;
}

/* From behind its name, which may hold anything. */
int read_stat(const char *path, char *state, uint64_t *own, uint64_t *children) {
    char text[1024], *at;
    unsigned long long utime, stime, cutime, cstime;
    if (!read_small(path, text, sizeof text) || !(at = strrchr(text, ')'))) return 0;
    if (sscanf(at, ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu", state, &utime, &stime, &cutime,
               &cstime) != 5)
        return 0;
    *own = (utime + stime) * TICK;
    *children = (cutime + cstime) * TICK;
    return 1;
}

/*
 * Whether each task has a core or waits for one. What has stopped doing so since its books were read, while this process
 * had no core itself, has new books: they show all that it waited.
 */
static void see_runnable(books *b) {
    char path[64], text[128], state;
    uint64_t own, children;
    for (size_t i = 0; i < b->count; i++) {
        entry *e = &b->at[i];
        if (e->id < 0) continue;
        snprintf(path, sizeof path, "/proc/%d/stat", e->id); /* found by any task's number */
        e->runnable = read_stat(path, &state, &own, &children) && state == 'R';
        snprintf(path, sizeof path, "/proc/%d/schedstat", e->id);
        if (!e->runnable && read_small(path, text, sizeof text)) read_schedule(text, &e->ran, &e->waited);
    }
}

static void book_process(pid_t pid, void *with) {
    books *b = with;
    char path[80], text[128], state;
    uint64_t own, children, ran, waited;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    if (!read_stat(path, &state, &own, &children)) return;
    entry_new(b, -pid, own, children);
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *dir = opendir(path);
    struct dirent *task;
    while (dir && (task = readdir(dir))) {
        if (*task->d_name == '.') continue;
        snprintf(path, sizeof path, "/proc/%d/task/%.20s/schedstat", pid, task->d_name);
        if (!read_small(path, text, sizeof text)) continue;
        read_schedule(text, &ran, &waited);
        entry_new(b, atoi(task->d_name), ran, waited);
    }
    if (dir) closedir(dir);
}

/* CPU of the sandbox's cgroup, and of this process in it; 0 where there is none. */
static uint64_t read_group(uint64_t *own) {
    char text[512];
    struct timespec t;
    if (group_cpu < 0) return 0;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    *own = t.tv_sec * SECOND + t.tv_nsec;
    read_again(group_cpu, text, sizeof text);
    return strncmp(text, "usage_usec ", 11) ? strtoull(text, 0, 10) : 1000 * strtoull(text + 11, 0, 10);
}

static void add_process(pid_t pid, void *with) {
    struct timespec t;
    /* The clock of all that a process ran, ended threads too: by its number, as the kernel makes it. */
    if (!clock_gettime(~(clockid_t)pid * 8 | 2, &t)) *(uint64_t *)with += t.tv_sec * SECOND + t.tv_nsec;
}
uint64_t family_ran(void) {
    uint64_t ran = 0, own;
    if (group_cpu >= 0) {
        ran = read_group(&own);
        return clock_less(ran, own);
    }
    each_process(add_process, &ran);
    return ran;
}

void timing_begin(timing *t, uint64_t began) {
    t->began = began;
    t->head = t->sure = t->maybe = t->cpu = 0;
    t->base.when = t->last.when = began;
    t->group = read_group(&t->own);
}
void timing_begin_new(timing *t, uint64_t began, entry forked) {
    t->base.count = t->last.count = 0;
    if (forked.id) {
        entry_new(&t->base, -forked.id, forked.ran, 0);
        entry_new(&t->base, forked.id, forked.ran, forked.waited);
        entry_new(&t->last, forked.id, forked.ran, forked.waited);
    }
    timing_begin(t, began);
}
void timing_base(timing *t) {
    t->base.count = 0;
    for (size_t i = 0; i < t->last.count; i++) *entry_new(&t->base, 0, 0, 0) = t->last.at[i];
    t->base.when = t->last.when;
    t->group = read_group(&t->own);
}

/* CPU of the family since `base`, at least. */
static uint64_t family_cpu(const timing *t, const books *b) {
    uint64_t family = 0, own = 0;
    size_t hint = 0;
    for (size_t i = 0; i < b->count;) {
        const entry *process = &b->at[i++], *was = entry_of(&t->base, process->id, &hint);
        /* A difference of two cut numbers may be too large by as many ticks as there are numbers. */
        uint64_t cut = was ? 2 * TICK : 0, tasks = 0;
        uint64_t all = clock_less(clock_less(process->ran, was ? was->ran : 0), cut);
        uint64_t children = clock_less(clock_less(process->waited, was ? was->waited : 0), cut);
        for (; i < b->count && b->at[i].id > 0; i++) {
            was = entry_of(&t->base, b->at[i].id, &hint);
            tasks += was && was->ran <= b->at[i].ran ? b->at[i].ran - was->ran : b->at[i].ran;
        }
        family += (tasks > all ? tasks : all) + children;
    }
    if (group_cpu >= 0) {
        uint64_t now = read_group(&own), group = clock_less(clock_less(now, t->group), clock_less(own, t->own));
        if (group > family) family = group;
    }
    return family;
}

/* What a task's entry shows of its family's credit. `doubt`: what is not booked yet is looked after. */
static void credit_of(timing *t, const books *b, entry *e, const entry *base, const entry *last, int doubt,
                     uint64_t *sure, uint64_t *maybe) {
    if (base && base->ran > e->ran) base = 0; /* another task of the same number */
    if (last && last->ran > e->ran) last = 0;
    uint64_t window = clock_less(b->when, t->base.when);
    uint64_t ran = e->ran - (base ? base->ran : 0), waited = clock_less(e->waited, base ? base->waited : 0);
    if (doubt)
        e->unbooked = clock_unbooked(last ? last->unbooked : 0, clock_less(b->when, t->last.when),
                                     e->ran - (last ? last->ran : 0), clock_less(e->waited, last ? last->waited : 0),
                                     e->runnable);
    uint64_t credit = clock_credit(waited, ran, t->cpu, window);
    uint64_t most = clock_credit(clock_sum(waited, e->unbooked), ran, t->cpu, window);
    if (ran > t->longest) t->longest = ran;
    if (credit > *sure) *sure = credit;
    if (most > *maybe) *maybe = most;
}

void timing_look(timing *t, int doubt) {
    static books b; /* taken over from look to look */
    size_t hint = 0, hint_last = 0;
    uint64_t sure = 0, maybe = 0;
    b.count = 0;
    b.when = now();
    each_process(book_process, &b);
    if (doubt) see_runnable(&b);
    t->longest = 0;
    uint64_t family = family_cpu(t, &b);
    if (family > t->cpu) t->cpu = family; /* what is gone has run nevertheless */
    for (size_t i = 0; i < b.count; i++) {
        entry *e = &b.at[i];
        if (e->id < 0) continue;
        const entry *base = entry_of(&t->base, e->id, &hint), *last = entry_of(&t->last, e->id, &hint_last);
        credit_of(t, &b, e, base, last, doubt, &sure, &maybe);
    }
    t->sure = clock_sum(t->head, sure);
    t->maybe = clock_sum(t->head, maybe);
    books swap = t->last;
    t->last = b;
    b = swap;
}
