/*
 * The books of a bot's time, as pure functions: the rules of `launcher/clock.h` for sandboxes, written again for programs that run without
 * one. All times are nanoseconds. A test holds the two against each other.
 */

/** Between two looks at a task that may be waiting: one that runs shows it within a tick of the scheduler, 10 ms at most. */
export const LOOK_NS = 12_000_000n
/** The shortest wait between two looks. */
const STEP_NS = 1_000_000n
const SECOND_NS = 1_000_000_000n
/** No time is longer: the launcher counts in 64 bits. */
const LONGEST_NS = 2n ** 64n - 1n

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const most = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const sum = (a: bigint, b: bigint): bigint => least(a + b, LONGEST_NS)
const less = (a: bigint, b: bigint): bigint => most(a - b, 0n)

/** When a bot is stopped whatever its books say: three times its limit and a second after the beginning. */
export const hardStop = (began: bigint, limit: bigint): bigint => sum(began, sum(sum(0n, 3n * limit), SECOND_NS))

/** The same in milliseconds since the beginning, for a limit of milliseconds. */
export const hardStopMs = (limit: number): number => 3 * limit + 1000

/**
 * What a task shows of its family's credit in a stretch of `window`: it waited while the family ran for `family`, of which it
 * ran `ran` itself, so strangers kept it from its core for waited − (family − ran), at least.
 */
export const leastCredit = (waited: bigint, ran: bigint, family: bigint, window: bigint): bigint =>
  less(least(waited, less(window, ran)), less(family, ran))

/**
 * How long a task may have been waiting at this moment without its books showing it. `before` is that time at the last look,
 * `passed` the time since, in which its books moved by `ran` and `waited`. `runnable`: it has a core, or waits for one.
 */
export function unbooked(before: bigint, passed: bigint, ran: bigint, waited: bigint, runnable: boolean): bigint {
  if (!runnable) return 0n
  return ran > 0n || waited > 0n ? less(less(passed, ran), waited) : sum(before, passed)
}

/** What a look comes to: late; stopped because others had its core; or in time, and when to look again. */
export interface Look {
  readonly verdict: 'in time' | 'late' | 'busy'
  readonly until: bigint
}

/** Judges a question by what it is credited: surely, and at most. */
export function lookAt(began: bigint, limit: bigint, now: bigint, sure: bigint, maybe: bigint): Look {
  const wall = less(now, began)
  const hard = hardStop(began, limit)
  const charged = less(wall, sure)
  const chargedAtLeast = less(wall, most(sure, maybe))
  if (now >= hard) return { verdict: chargedAtLeast <= limit ? 'busy' : 'late', until: now }
  if (charged > limit) {
    if (chargedAtLeast > limit) return { verdict: 'late', until: now }
    return { verdict: 'in time', until: least(sum(now, LOOK_NS), hard) }
  }
  const left = limit - charged
  const next = sum(now, left > LOOK_NS ? left - LOOK_NS : left)
  return { verdict: 'in time', until: least(most(next, sum(now, STEP_NS)), hard) }
}
