import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/*
 * Compiles the launcher's books into a program that reads a call a line and prints its result.
 *
 * `walk` looks at a question until it is judged, with random credits and late timers, and prints 1 where a look broke
 * the rules: the next look is later, not after the hard stop, and there are no more looks than milliseconds.
 */
const PROGRAM = `
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "clock.h"
static uint64_t chance(uint64_t *seed, uint64_t below) {
    *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
    return *seed % below;
}
static int walk(uint64_t began, uint64_t limit, uint64_t seed) {
    uint64_t hard = clock_hard(began, limit), now = began;
    for (uint64_t looks = 0;; looks++) {
        uint64_t wall = now - began, sure = wall / 1000 * chance(&seed, 1500), more = wall / 1000 * chance(&seed, 1500);
        look found = clock_look(began, limit, now, sure, sure + more);
        if (found.verdict != IN_TIME) return 0;
        if (now >= hard || found.until <= now || found.until > hard || looks > (hard - began) / 1000000 + 2) return 1;
        now = found.until + chance(&seed, 30000000);
    }
}
int main(void) {
    char what[16];
    uint64_t a, b, c, d, e;
    while (scanf("%15s %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, what, &a, &b, &c, &d, &e) == 6) {
        look found = {IN_TIME, 0};
        if (!strcmp(what, "hard")) found.until = clock_hard(a, b);
        if (!strcmp(what, "credit")) found.until = clock_credit(a, b, c, d);
        if (!strcmp(what, "unbooked")) found.until = clock_unbooked(a, b, c, d, e);
        if (!strcmp(what, "look")) found = clock_look(a, b, c, d, e);
        if (!strcmp(what, "walk")) found.until = walk(a, b, c);
        printf("%d %" PRIu64 "\\n", found.verdict, found.until);
    }
    return 0;
}
`
const folder = mkdtempSync(join(tmpdir(), 'agon-clock-'))
const program = join(folder, 'clock')
beforeAll(() => {
  writeFileSync(join(folder, 'clock.c'), PROGRAM)
  const headers = fileURLToPath(new URL('launcher', import.meta.url))
  const strict = ['-Wall', '-Wextra', '-Werror', '-fsanitize=undefined', '-fno-sanitize-recover=all']
  execFileSync('cc', ['-O1', ...strict, `-I${headers}`, '-o', program, join(folder, 'clock.c')])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Call = readonly [what: 'hard' | 'credit' | 'unbooked' | 'look' | 'walk', ...numbers: readonly bigint[]]
const VERDICTS = ['in time', 'late', 'busy'] as const

/** What the launcher's books say to many calls. */
function inC(calls: readonly Call[]): { verdict: (typeof VERDICTS)[number]; until: bigint }[] {
  const input = calls.map(([what, ...numbers]) => [what, ...numbers, 0n, 0n, 0n].slice(0, 6).join(' ')).join('\n')
  const { stdout, stderr, status } = spawnSync(program, { input: `${input}\n`, encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  return stdout
    .trim()
    .split('\n')
    .map((line) => {
      const [verdict = '0', until = '0'] = line.split(' ')
      return { verdict: VERDICTS[Number(verdict)] ?? 'in time', until: BigInt(until) }
    })
}
const verdictsOf = (calls: readonly Call[]) => inC(calls).map(({ verdict }) => verdict)
const timesOf = (calls: readonly Call[]) => inC(calls).map(({ until }) => until)

const LONGEST = 2n ** 64n - 1n
const MS = 1_000_000n
/** Between two looks at a task that may be waiting. */
const LOOK = 12n * MS
/** Usual times, times near a boundary, and times as long as can be. */
const time = fc.oneof(
  fc.bigInt(0n, 10_000n * MS),
  fc.bigInt(0n, LONGEST),
  fc.constantFrom(0n, 1n, MS, LOOK, 1000n * MS, LONGEST / 3n, LONGEST / 3n + 1n, LONGEST - 1n, LONGEST),
)
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const less = (a: bigint, b: bigint): bigint => (a > b ? a - b : 0n)
const capped = (a: bigint): bigint => least(a, LONGEST)

/** Checks fifty cases at a time, and seeks no smaller failing ones: to start the program costs more. */
function each<T>(one: fc.Arbitrary<T>, check: (all: T[]) => void): void {
  fc.assert(fc.property(fc.array(one, { minLength: 50, maxLength: 50 }), check), { numRuns: 20, endOnFailure: true })
}

const limits = fc.oneof(fc.bigInt(0n, 3000n * MS), fc.constantFrom(0n, 1n, MS))
const begins = fc.oneof(fc.bigInt(0n, 10n ** 15n), fc.constant(LONGEST - 20_000n * MS))

describe('a question is judged', () => {
  it('at the latest three limits and a second after its beginning, however long the limit', () => {
    each(fc.tuple(time, time), (all) => {
      const hard = all.map(([began, limit]) => capped(began + capped(capped(3n * limit) + 1000n * MS)))
      expect(timesOf(all.map(([began, limit]) => ['hard', began, limit]))).toEqual(hard)
    })
  })

  it('for good at the hard stop at the latest, whatever the credit does, and is never looked at earlier than it was', () => {
    each(fc.tuple(begins, limits, fc.bigInt(1n, LONGEST)), (all) => {
      const walks = all.map(([began, limit, seed]): Call => ['walk', began, limit, seed])
      expect(timesOf(walks)).toEqual(all.map(() => 0n))
    })
  })

  it('late at its limit where it never waits, and not before', () => {
    each(fc.tuple(begins, limits, fc.bigInt(1n, 100n * MS)), (all) => {
      const at = all.map(([began, limit]): Call => ['look', began, limit, began + limit, 0n, 0n])
      const after = all.map(([began, limit, over]): Call => ['look', began, limit, began + limit + over, 0n, 0n])
      expect(verdictsOf(at)).toEqual(all.map(() => 'in time'))
      expect(verdictsOf(after)).toEqual(all.map(() => 'late'))
    })
  })

  it('late as soon as all that it may have waited does not bring it below its limit', () => {
    each(fc.tuple(limits, time, time, fc.bigInt(0n, 20_000n * MS)), (all) => {
      const found = verdictsOf(
        all.map(([limit, sure, more, wall]) => ['look', 0n, limit, wall, sure, capped(sure + more)]),
      )
      for (const [i, [limit, sure, more, wall]] of all.entries()) {
        if (less(wall, sure + more) > limit) expect(found[i]).toBe('late')
        else expect(found[i]).toBe(wall >= 3n * limit + 1000n * MS ? 'busy' : 'in time')
      }
    })
  })
})

/** A family on some cores, with strangers, simulated by the millisecond: who runs and who waits. */
function simulate(steps: readonly { tasks: readonly boolean[]; strangers: boolean }[]) {
  const ran: bigint[] = []
  const waited: bigint[] = []
  let turn = 0
  let lost = 0n
  for (const { tasks, strangers } of steps) {
    const ready = tasks.flatMap((wants, i) => (wants ? [i] : []))
    const chosen = strangers || ready.length === 0 ? undefined : ready[turn++ % ready.length]
    if (strangers && ready.length > 0) lost += MS
    for (const i of ready) {
      if (i === chosen) ran[i] = (ran[i] ?? 0n) + MS
      else waited[i] = (waited[i] ?? 0n) + MS
    }
  }
  const family = ran.reduce((sum, one) => sum + (one ?? 0n), 0n)
  return { ran, waited, family, lost, window: BigInt(steps.length) * MS }
}
const schedule = (count: number) =>
  fc.array(
    fc.record({
      tasks: fc.array(fc.boolean(), { minLength: count, maxLength: count }),
      strangers: fc.boolean(),
    }),
    { minLength: 1, maxLength: 200 },
  )

describe('the credit of a family on one core', () => {
  it('is never more than what strangers took from it, whichever of its processes compete', () => {
    each(fc.integer({ min: 1, max: 6 }).chain(schedule), (all) => {
      const shown = all.flatMap((steps) => {
        const { ran, waited, family, lost, window } = simulate(steps)
        const tasks = steps[0]?.tasks ?? []
        return tasks.map((_, i) => ({
          call: ['credit', waited[i] ?? 0n, ran[i] ?? 0n, family, window] as const,
          most: least(lost, window),
        }))
      })
      const credits = timesOf(shown.map(({ call }) => call))
      for (const [i, { most }] of shown.entries()) expect(credits[i]).toBeLessThanOrEqual(most)
    })
  })

  it('is all that strangers took from a task that is alone', () => {
    each(schedule(1), (all) => {
      const families = all.map(simulate)
      const credits = timesOf(
        families.map(({ ran, waited, family, window }) => ['credit', waited[0] ?? 0n, ran[0] ?? 0n, family, window]),
      )
      expect(credits).toEqual(families.map(({ lost }) => lost))
    })
  })

  it('is no more than the stretch has room for, and nothing where all that a task waited its family ran', () => {
    each(fc.tuple(time, time, time, time), (all) => {
      const credits = timesOf(all.map((numbers) => ['credit', ...numbers]))
      for (const [i, [waited, ran, family, window]] of all.entries()) {
        expect(credits[i]).toBeLessThanOrEqual(least(waited, less(window, ran)))
        if (waited <= less(family, ran)) expect(credits[i]).toBe(0n)
      }
    })
  })
})

describe('a family that ran for longer than its limit', () => {
  it('is late at the hard stop, however long its tasks waited, and is never taken for one that others kept waiting', () => {
    const tasks = fc.array(fc.tuple(fc.bigInt(0n, 1000n), fc.bigInt(0n, 20_000n * MS)), { minLength: 1, maxLength: 5 })
    each(fc.tuple(limits, tasks, fc.bigInt(0n, 2000n * MS)), (all) => {
      const looks = all.map(([limit, shown, slip]) => {
        const now = 3n * limit + 1000n * MS + slip
        const shares = shown.reduce((sum, [share]) => sum + share + 1n, 0n)
        const ran = shown.map(([share]) => ((limit + MS) * (share + 1n)) / shares + 1n)
        const family = ran.reduce((sum, task) => sum + task, 0n)
        const credits = timesOf(shown.map(([, waited], i) => ['credit', waited, ran[i] ?? 0n, family, now]))
        const most = credits.reduce((a, b) => (a > b ? a : b), 0n)
        return ['look', 0n, limit, now, most, most] as const
      })
      expect(verdictsOf(looks)).toEqual(all.map(() => 'late'))
    })
  })
})

describe('what is not booked yet', () => {
  it('grows for as long as the books of a runnable task stand still, and is nothing for one that sleeps', () => {
    each(fc.tuple(time, fc.bigInt(0n, 10n ** 12n)), (all) => {
      expect(timesOf(all.map(([before, passed]) => ['unbooked', before, passed, 0n, 0n, 0n]))).toEqual(
        all.map(() => 0n),
      )
      expect(timesOf(all.map(([before, passed]) => ['unbooked', before, passed, 0n, 0n, 1n]))).toEqual(
        all.map(([before, passed]) => capped(before + passed)),
      )
    })
  })

  it('is at most a look once the books have moved, so that one that runs is not waited for', () => {
    each(fc.tuple(time, fc.bigInt(1n, LOOK), time), (all) => {
      for (const not of timesOf(all.map(([before, ran, waited]) => ['unbooked', before, LOOK, ran, waited, 1n])))
        expect(not).toBeLessThan(LOOK)
    })
  })
})
