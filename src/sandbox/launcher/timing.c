/*
 * timing: the books of the family's time, as /proc shows them; what they come to is judged by clock.h.
 *
 * /proc has how long each task ran and waited for a core; a process's clock has what all its threads ran, ended ones
 * too. What ended processes ran is in the sandbox's cgroup, if it has one that counts CPU; else a family of which
 * something has ended is credited nothing. Times are nanoseconds.
 */
#include "launcher.h"

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

/* Reads a task's books. Gives 0 where it has gone. */
static int read_task(entry *e) {
    char text[128];
    if (!read_small(text, sizeof text, "/proc/%d/schedstat", e->id)) return 0; /* found by any task's number */
    read_schedule(text, &e->ran, &e->waited);
    return 1;
}
entry entry_of_task(int32_t id) {
    entry e = {.id = id};
    read_task(&e);
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
static const entry *entry_of(const books *b, int32_t id) {
    for (size_t i = 0; i < b->count; i++)
        if (b->at[i].id == id) return &b->at[i];
    return 0;
}

/* The state of a task; it stands behind its name, which may hold anything. */
static int is_runnable(int32_t id) {
    char text[1024], *at;
    return read_small(text, sizeof text, "/proc/%d/stat", id) && (at = strrchr(text, ')')) && at[1] && at[2] == 'R';
}

/* What a process has run, ended threads too, by its clock, whose number is made as the kernel does. */
static uint64_t process_ran(pid_t pid) {
    struct timespec t;
    return clock_gettime(~(clockid_t)pid * 8 | 2, &t) ? 0 : t.tv_sec * SECOND + t.tv_nsec;
}

/*
 * Whether each task has a core or waits for one. What has stopped since its books were read, while this process had no
 * core, has new books, which show all that it waited.
 */
static void see_runnable(books *b) {
    for (size_t i = 0; i < b->count; i++) {
        entry *e = &b->at[i];
        if (e->id < 0) continue;
        if (is_runnable(e->id)) e->runnable = 1;
        else read_task(e);
    }
}

static void book_task(pid_t id, void *with) {
    entry e = {.id = id};
    if (read_task(&e)) entry_new(with, id, e.ran, e.waited);
}
static void book_process(pid_t pid, void *with) {
    entry_new(with, -pid, process_ran(pid), 0);
    each_task(pid, book_task, with);
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

static void add_process(pid_t pid, void *with) { *(uint64_t *)with += process_ran(pid); }
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
    t->lost = 0;
}
void timing_begin_new(timing *t, uint64_t began, entry forked, uint64_t number) {
    t->base.count = t->last.count = 0;
    if (forked.id) {
        entry_new(&t->base, -forked.id, forked.ran, 0);
        entry_new(&t->base, forked.id, forked.ran, forked.waited);
        entry_new(&t->last, forked.id, forked.ran, forked.waited);
    }
    timing_begin(t, began);
    t->number = number;
}
void timing_base(timing *t) {
    t->base.count = 0;
    for (size_t i = 0; i < t->last.count; i++) *entry_new(&t->base, 0, 0, 0) = t->last.at[i];
    t->base.when = t->last.when;
    t->group = read_group(&t->own);
    t->number = t->seen;
    t->lost = 0;
}

/* CPU of the family since `base`: of all its cgroup, or of the processes that are there. */
static uint64_t family_cpu(const timing *t, const books *b) {
    uint64_t family = 0, own = 0;
    for (size_t i = 0; i < b->count; i++) {
        if (b->at[i].id > 0) continue;
        const entry *was = entry_of(&t->base, b->at[i].id);
        family += was && was->ran <= b->at[i].ran ? b->at[i].ran - was->ran : b->at[i].ran;
    }
    if (group_cpu >= 0) {
        uint64_t now = read_group(&own), group = clock_less(clock_less(now, t->group), clock_less(own, t->own));
        if (group > family) family = group;
    }
    return family;
}

uint64_t last_number(void) {
    if (group_cpu >= 0) return 0;
    char text[128], *at;
    return read_small(text, sizeof text, "/proc/loadavg") && (at = strrchr(text, ' ')) ? strtoull(at, 0, 10) : 0;
}
static uint64_t tasks_of(const books *b) {
    uint64_t tasks = 0;
    for (size_t i = 0; i < b->count; i++) tasks += b->at[i].id > 0;
    return tasks;
}

/*
 * Whether all that the family ran is known. Only a cgroup books what ended processes ran that nobody has waited for.
 * Without one a family of which something has ended is credited nothing: it may have kept itself waiting. `ended`: the
 * program itself has ended, with its threads; that is known where nothing was started since the last look.
 */
static int is_known(timing *t, const books *b, int ended) {
    if (group_cpu >= 0) return 1;
    uint64_t number = last_number(), is = tasks_of(b), were = tasks_of(&t->base) + number - t->number;
    if (number < t->number || (is != were && !(ended && number == t->seen))) t->lost = 1;
    t->seen = number;
    return !t->lost;
}

/* What a task's entry shows of its family's credit. */
static void credit_of(timing *t, const books *b, entry *e, uint64_t *sure, uint64_t *maybe) {
    const entry *base = entry_of(&t->base, e->id), *last = entry_of(&t->last, e->id);
    if (base && base->ran > e->ran) base = 0; /* another task of the same number */
    if (last && last->ran > e->ran) last = 0;
    uint64_t window = clock_less(b->when, t->base.when);
    uint64_t ran = e->ran - (base ? base->ran : 0), waited = clock_less(e->waited, base ? base->waited : 0);
    e->unbooked = clock_unbooked(last ? last->unbooked : 0, clock_less(b->when, t->last.when),
                                 e->ran - (last ? last->ran : 0), clock_less(e->waited, last ? last->waited : 0),
                                 e->runnable);
    uint64_t credit = clock_credit(waited, ran, t->cpu, window);
    uint64_t most = clock_credit(clock_sum(waited, e->unbooked), ran, t->cpu, window);
    if (ran > t->longest) t->longest = ran;
    if (credit > *sure) *sure = credit;
    if (most > *maybe) *maybe = most;
}

static void look_at(timing *t, int ended) {
    static books b; /* taken over from look to look */
    uint64_t sure = 0, maybe = 0;
    b.count = 0;
    b.when = now();
    each_process(book_process, &b);
    see_runnable(&b);
    t->longest = 0;
    uint64_t family = family_cpu(t, &b);
    if (family > t->cpu) t->cpu = family; /* what is gone has run nevertheless */
    for (size_t i = 0; i < b.count; i++) {
        entry *e = &b.at[i];
        if (e->id < 0) continue;
        credit_of(t, &b, e, &sure, &maybe);
    }
    int known = is_known(t, &b, ended);
    t->sure = known ? clock_sum(t->head, sure) : 0;
    t->maybe = known ? clock_sum(t->head, maybe) : 0;
    books swap = t->last;
    t->last = b;
    b = swap;
}
void timing_look(timing *t) { look_at(t, 0); }
look timing_judge(timing *t, uint64_t limit) {
    timing_look(t);
    return clock_look(t->began, limit, t->last.when, t->sure, t->maybe);
}
void timing_end(timing *t) { look_at(t, 1); }
