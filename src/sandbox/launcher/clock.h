/*
 * clock: the books of a bot's time, as pure functions of what was read. All times are nanoseconds. No sum overflows: what does
 * not fit is as long as can be.
 *
 * A bot is charged for wall time less its credit: what it waited for a core because of others. The kernel books a wait only
 * when it is over, so a task that waits at this moment has waited longer than its books say. Two credits are distinguished
 * therefore: `sure`, which the books show, and `maybe`, what it could be at most. While a bot is late by the one and in time by
 * the other it is looked at again, until the books show which holds. That ends at the hard stop, whatever the books say.
 */
#ifndef AGON_CLOCK_H
#define AGON_CLOCK_H
#include <stdint.h>

#define CLOCK_SECOND 1000000000ull
/* Between two looks at a task that may be waiting. A task that runs shows it within a tick of the scheduler: 10 ms at most. */
#define CLOCK_LOOK 12000000ull
/* The shortest wait between two looks, so that many small credits do not keep the launcher busy. */
#define CLOCK_STEP 1000000ull

enum verdict { IN_TIME, LATE, BUSY };

static inline uint64_t clock_sum(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }
static inline uint64_t clock_less(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

/* The hard stop: three times the limit and a second after the beginning. */
static inline uint64_t clock_hard(uint64_t began, uint64_t limit) {
    uint64_t thrice = limit > UINT64_MAX / 3 ? UINT64_MAX : 3 * limit;
    return clock_sum(began, clock_sum(thrice, CLOCK_SECOND));
}

/*
 * What a task shows of its family's credit in a stretch of `window`. It waited `waited` while its family ran for `family` in
 * all, of which it ran `ran` itself: strangers kept it from its core for waited − (family − ran), at least. What the family
 * causes itself is no credit. A wait that began before the stretch is booked in it as a whole, but counts only as far as the
 * stretch has room for it.
 */
static inline uint64_t clock_credit(uint64_t waited, uint64_t ran, uint64_t family, uint64_t window) {
    uint64_t room = clock_less(window, ran);
    return clock_less(waited < room ? waited : room, clock_less(family, ran));
}

/*
 * How long a task may have been waiting at this moment without its books showing it. `before` is that time at the last look,
 * `passed` the time since; the books say that it ran and waited for `ran` and `waited` since then. Where they have moved, the
 * wait began after the last look. `runnable`: it has a core or waits for one; who sleeps does not wait.
 */
static inline uint64_t clock_unbooked(uint64_t before, uint64_t passed, uint64_t ran, uint64_t waited, int runnable) {
    if (!runnable) return 0;
    if (ran || waited) return clock_less(clock_less(passed, ran), waited);
    return clock_sum(before, passed);
}

/* What a look comes to: the verdict, or when to look again, which is later than `now` and not after the hard stop. */
typedef struct { enum verdict verdict; uint64_t until; } look;

static inline look clock_look(uint64_t began, uint64_t limit, uint64_t now, uint64_t sure, uint64_t maybe) {
    uint64_t wall = clock_less(now, began), hard = clock_hard(began, limit), charged = clock_less(wall, sure);
    uint64_t least = clock_less(wall, maybe > sure ? maybe : sure), until;
    if (now >= hard) return (look){least <= limit ? BUSY : LATE, now};
    if (charged > limit) {
        if (least > limit) return (look){LATE, now};
        until = clock_sum(now, CLOCK_LOOK);
    } else {
        /* A look shortly before the time is up shows at the next one who runs and who waits. */
        uint64_t left = limit - charged;
        until = clock_sum(now, left > CLOCK_LOOK ? left - CLOCK_LOOK : left);
        if (until < clock_sum(now, CLOCK_STEP)) until = clock_sum(now, CLOCK_STEP);
    }
    return (look){IN_TIME, until < hard ? until : hard};
}
#endif
