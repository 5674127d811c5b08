/*
 * clock: the books of a bot's time, as pure functions of what was read. Times are nanoseconds; sums that would overflow
 * are the longest time.
 *
 * A bot is charged for wall time less its credit: what it waited for a core because of others. The kernel books a wait
 * only when it is over, so a task that waits at this moment has waited longer than its books say. So there are two
 * credits: `sure`, which the books show, and `maybe`, the most it could be. A bot that is late by one and in time by
 * the other is looked at again until the books decide, or the hard stop.
 */
#ifndef AGON_CLOCK_H
#define AGON_CLOCK_H
#include <stdint.h>

#define CLOCK_SECOND 1000000000ull
/* Between two looks at a task that may wait. A running one shows it within a scheduler's tick: 10 ms at most. */
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
 * What a task shows of its family's credit in a stretch of `window`. It waited `waited` while its family ran `family`,
 * of which it ran `ran`: strangers kept it from its core for waited − (family − ran), at least. What the family causes
 * is no credit. A wait that began before is booked as a whole, but counts only as far as the stretch has room.
 */
static inline uint64_t clock_credit(uint64_t waited, uint64_t ran, uint64_t family, uint64_t window) {
    uint64_t room = clock_less(window, ran);
    return clock_less(waited < room ? waited : room, clock_less(family, ran));
}

/*
 * How long a task may have been waiting now, unseen in its books. `before` is that time at the last look, `passed` the
 * time since, `ran` and `waited` what the books say since. Where they have moved, the wait began after that look.
 * `runnable`: it has a core or waits for one; who sleeps does not wait.
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
        /* With a look shortly before the time is up, the next one shows who runs and who waits. */
        uint64_t left = limit - charged;
        until = clock_sum(now, left > CLOCK_LOOK ? left - CLOCK_LOOK : left);
        if (until < clock_sum(now, CLOCK_STEP)) until = clock_sum(now, CLOCK_STEP);
    }
    return (look){IN_TIME, until < hard ? until : hard};
}
#endif
