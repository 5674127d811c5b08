import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LOOK_NS, leastCredit, hardStop, lookAt, unbooked } from './clock.js'

/*
 * The launcher's books are compiled here into a program that reads a call a line and prints what it comes to; every property is
 * checked of both, so that the two cannot differ.
 */
const PROGRAM = `
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "clock.h"
int main(void) {
    char what[16];
    uint64_t a, b, c, d, e;
    while (scanf("%15s %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, what, &a, &b, &c, &d, &e) == 6) {
        look found = {IN_TIME, 0};
        if (!strcmp(what, "hard")) found.until = clock_hard(a, b);
        if (!strcmp(what, "credit")) found.until = clock_credit(a, b, c, d);
        if (!strcmp(what, "unbooked")) found.until = clock_unbooked(a, b, c, d, e);
        if (!strcmp(what, "look")) found = clock_look(a, b, c, d, e);
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

type Call = readonly [what: 'hard' | 'credit' | 'unbooked' | 'look', ...numbers: readonly bigint[]]
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

const LONGEST = 2n ** 64n - 1n
const MS = 1_000_000n
/** Usual times, times near a boundary, and times as long as can be. */
const time = fc.oneof(
  fc.bigInt(0n, 10_000n * MS),
  fc.bigInt(0n, LONGEST),
  fc.constantFrom(0n, 1n, MS, 12n * MS, 1000n * MS, LONGEST / 3n, LONGEST / 3n + 1n, LONGEST - 1n, LONGEST),
)
const runs = { numRuns: 100 }
const many = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: 40, maxLength: 40 })

describe('the books of the launcher and those of agon', () => {
  it('are the same for all numbers', () => {
    fc.assert(
      fc.property(many(fc.tuple(time, time, time, time, time)), (all) => {
        const calls = all.flatMap(([a, b, c, d, e]): Call[] => [
          ['hard', a, b],
          ['credit', a, b, c, d],
          ['unbooked', a, b, c, d, e % 2n],
          ['look', a, b, c, d, e],
        ])
        expect(inC(calls)).toEqual(
          all.flatMap(([a, b, c, d, e]) => [
            { verdict: 'in time', until: hardStop(a, b) },
            { verdict: 'in time', until: leastCredit(a, b, c, d) },
            { verdict: 'in time', until: unbooked(a, b, c, d, e % 2n === 1n) },
            lookAt(a, b, c, d, e),
          ]),
        )
      }),
      runs,
    )
  })
})

/** A wait that ends at `until`, or a little later, as timers do. */
const lateness = fc.array(fc.bigInt(0n, 30n * MS), { minLength: 1, maxLength: 20 })
/** What is credited as time goes on, in parts of a thousand of the wall time, however it jumps. */
const credits = fc.array(fc.tuple(fc.bigInt(0n, 1500n), fc.bigInt(0n, 1500n)), { minLength: 1, maxLength: 30 })
const limits = fc.oneof(fc.bigInt(0n, 3000n * MS), fc.constantFrom(0n, 1n, MS))
const begins = fc.oneof(fc.bigInt(0n, 10n ** 15n), fc.constant(LONGEST - 4000n * MS))

describe('a question is judged', () => {
  it('for good at the hard stop at the latest, whatever the credit does, and is never looked at earlier than it was', () => {
    fc.assert(
      fc.property(begins, limits, credits, lateness, (began, limit, shares, slips) => {
        const hard = hardStop(began, limit)
        let now = began
        for (let n = 0; ; n++) {
          const [sure, more] = shares[n % shares.length] ?? [0n, 0n]
          const wall = now - began
          const found = lookAt(began, limit, now, (wall * sure) / 1000n, (wall * (sure + more)) / 1000n)
          if (found.verdict !== 'in time') return
          expect(now).toBeLessThan(hard)
          expect(found.until).toBeGreaterThan(now)
          expect(found.until).toBeLessThanOrEqual(hard)
          now = found.until + (slips[n % slips.length] ?? 0n)
          // No more looks than steps of a millisecond.
          expect(n).toBeLessThan(Number((hard - began) / MS) + 2)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('late at its limit where it never waits, and not before', () => {
    fc.assert(
      fc.property(begins, limits, fc.bigInt(1n, 100n * MS), (began, limit, over) => {
        expect(lookAt(began, limit, began + limit, 0n, 0n).verdict).toBe('in time')
        expect(lookAt(began, limit, began + limit + over, 0n, 0n).verdict).toBe('late')
      }),
    )
  })

  it('late as soon as all that it may have waited does not bring it below its limit', () => {
    fc.assert(
      fc.property(limits, time, time, fc.bigInt(0n, 20_000n * MS), (limit, sure, more, wall) => {
        const { verdict } = lookAt(0n, limit, wall, sure, sure + more)
        const [least, charged] = [wall - sure - more, wall - sure].map((left) => (left > 0n ? left : 0n)) as [
          bigint,
          bigint,
        ]
        if (least > limit) expect(verdict).toBe('late')
        else if (wall >= 3n * limit + 1000n * MS) expect(verdict).toBe('busy')
        else expect(verdict).toBe('in time')
        if (charged <= limit) expect(verdict).not.toBe('late')
      }),
      { numRuns: 500 },
    )
  })
})

/** A family on some cores, with strangers: who runs in each millisecond, and who waits. A plain simulation, tick by tick. */
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
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }).chain(schedule), (steps) => {
        const { ran, waited, family, lost, window } = simulate(steps)
        steps[0]?.tasks.forEach((_, i) => {
          const credit = leastCredit(waited[i] ?? 0n, ran[i] ?? 0n, family, window)
          expect(credit).toBeLessThanOrEqual(lost)
          expect(credit).toBeLessThanOrEqual(window)
        })
      }),
      { numRuns: 300 },
    )
  })

  it('is all that strangers took from a task that is alone', () => {
    fc.assert(
      fc.property(schedule(1), (steps) => {
        const { ran, waited, family, lost, window } = simulate(steps)
        expect(leastCredit(waited[0] ?? 0n, ran[0] ?? 0n, family, window)).toBe(lost)
      }),
    )
  })
})

describe('a family that ran for longer than its limit', () => {
  it('is late at the hard stop, however long its tasks waited, and is never taken for one that others kept waiting', () => {
    fc.assert(
      fc.property(
        limits,
        fc.array(fc.tuple(fc.bigInt(0n, 1000n), fc.bigInt(0n, 20_000n * MS)), { minLength: 1, maxLength: 5 }),
        fc.bigInt(0n, 2000n * MS),
        (limit, tasks, slip) => {
          const now = hardStop(0n, limit) + slip
          const shares = tasks.reduce((all, [share]) => all + share + 1n, 0n)
          const ran = tasks.map(([share]) => ((limit + MS) * (share + 1n)) / shares + 1n)
          const family = ran.reduce((all, one) => all + one, 0n)
          const shown = tasks.map(([, waited], i) => leastCredit(waited, ran[i] ?? 0n, family, now))
          const most = shown.reduce((a, b) => (a > b ? a : b), 0n)
          expect(lookAt(0n, limit, now, most, most).verdict).toBe('late')
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('what is not booked yet', () => {
  it('grows for as long as the books of a runnable task stand still, and is nothing for one that sleeps', () => {
    fc.assert(
      fc.property(time, fc.bigInt(0n, 10n ** 12n), (before, passed) => {
        expect(unbooked(before, passed, 0n, 0n, false)).toBe(0n)
        const sum = before + passed
        expect(unbooked(before, passed, 0n, 0n, true)).toBe(sum > LONGEST ? LONGEST : sum)
      }),
    )
  })

  it('is at most a look once the books have moved, so that one that runs is not waited for', () => {
    fc.assert(
      fc.property(time, fc.bigInt(1n, LOOK_NS), time, (before, ran, waited) => {
        expect(unbooked(before, LOOK_NS, ran, waited, true)).toBeLessThan(LOOK_NS)
      }),
    )
  })
})
