import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { GroupWaits, PlainClock } from './plain-clock.js'

/* The clock of programs outside sandboxes, with the test's own time and looks. Milliseconds. */
type Seen = ReturnType<GroupWaits['look']>
type Look = (time: number) => Partial<Seen>

let began = 0
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'] })
  began = performance.now()
})
afterEach(() => void vi.useRealTimers())
const time = () => performance.now() - began

/** A clock, when its time was up, and whether the hard stop came first. */
function clockOf(look: Look, perTurn = false, exact = false) {
  const calls: { at: number; busy: boolean }[] = []
  const looks: number[] = []
  const seen = (): Seen => {
    looks.push(time())
    return { waited: 0, isWaiting: false, longest: 0, ...look(time()) }
  }
  const clock = new PlainClock((busy) => calls.push({ at: time(), busy }), { look: seen }, perTurn, exact)
  return { clock, calls, looks }
}

/** When the time of a question of so many milliseconds is up. */
async function timeOf(limit: number, look: Look, perTurn = false) {
  const { clock, calls } = clockOf(look, perTurn)
  clock.set(limit)
  await vi.advanceTimersByTimeAsync(100 * limit + 10_000)
  expect(calls).toHaveLength(1)
  return calls[0]
}

describe('what a program waited for an answer', () => {
  const creditOf = async (ms: number, exact: boolean) => {
    const { clock, looks } = clockOf(() => ({ waited: 7 }), false, exact)
    clock.set(1000)
    await vi.advanceTimersByTimeAsync(ms)
    clock.off()
    return [clock.credit, looks.length]
  }

  it('is looked for once more where it is wanted exactly, and the answer was slow', async () => {
    expect(await creditOf(100, true)).toEqual([14, 2])
    expect(await creditOf(100, false)).toEqual([0, 1])
    expect(await creditOf(10, true)).toEqual([0, 0])
  })

  it('is no more than its time', async () => {
    const { clock } = clockOf(() => ({ waited: 7000 }), false, true)
    clock.set(1000)
    await vi.advanceTimersByTimeAsync(100)
    clock.off()
    expect(clock.credit).toBe(100)
  })
})

describe.each([true, false])(
  'the time of a program outside a sandbox, where it is started for each question: %s',
  (perTurn) => {
    it('is up at the limit where it never waits', async () => {
      const up = await timeOf(200, () => ({}), perTurn)
      expect(up?.busy).toBe(false)
      expect(up?.at).toBeGreaterThanOrEqual(200)
      // A look comes a millisecond late, as timers do.
      expect(up?.at).toBeLessThanOrEqual(203)
    })

    it('is longer by what it waited, as often as that grows', async () => {
      // Half of the time until 300 it waits.
      let last = 0
      const half: Look = (now) => {
        const waited = (Math.min(now, 300) - last) / 2
        last = Math.min(now, 300)
        return { waited }
      }
      const up = await timeOf(200, half, perTurn)
      expect(up?.busy).toBe(false)
      expect(up?.at).toBeGreaterThanOrEqual(350)
      expect(up?.at).toBeLessThanOrEqual(353)
    })

    it('is not up as long as it waits, though the kernel counts that only when it is over', async () => {
      let booked = false
      const wait: Look = (now) => {
        if (now < 700) return { isWaiting: true }
        const waited = booked ? 0 : 700
        booked = true
        return { waited }
      }
      const up = await timeOf(200, wait, perTurn)
      expect(up?.busy).toBe(false)
      expect(up?.at).toBeGreaterThanOrEqual(900)
      expect(up?.at).toBeLessThanOrEqual(903)
    })

    it('ends at the hard stop, and the machine was busy, where others had its core all the time', async () => {
      let last = 0
      const all: Look = (now) => {
        const waited = now - last
        last = now
        return { waited }
      }
      for (const look of [all, (): Partial<Seen> => ({ isWaiting: true })]) {
        began = performance.now()
        last = 0
        const up = await timeOf(200, look, perTurn)
        expect(up?.busy).toBe(true)
        expect(up?.at).toBeGreaterThanOrEqual(1600)
        expect(up?.at).toBeLessThanOrEqual(1602)
      }
    })
  },
)

it('what a process that stays waited before a question counts only as far as the question is old at the first look', async () => {
  let looks = 0
  const up = await timeOf(200, () => ({ waited: looks++ === 0 ? 5000 : 0 }))
  expect(up?.busy).toBe(false)
  expect(up?.at).toBeGreaterThanOrEqual(220)
  expect(up?.at).toBeLessThanOrEqual(223)
})

it('a quick answer costs no look, and a thousand of them one timer', async () => {
  const { clock, calls, looks } = clockOf(() => ({}))
  const timers = vi.spyOn(globalThis, 'setTimeout')
  for (let n = 0; n < 1000; n++) {
    clock.set(200)
    expect(vi.getTimerCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(n % 2)
    clock.off()
  }
  // They took half a second, and a timer looks 20 ms after its question.
  expect(timers.mock.calls.length).toBeLessThan(60)
  timers.mockRestore()
  await vi.advanceTimersByTimeAsync(1000)
  expect([calls, looks, vi.getTimerCount()]).toEqual([[], [], 0])
})

describe('an answer that is read only when its time is up, because this process was kept from reading', () => {
  /** The pipes are read after the timers have fired. */
  async function answered(longest: number, perTurn: boolean) {
    const { clock, calls } = clockOf((now) => {
      if (now > 100) setImmediate(() => clock.off())
      return { longest }
    }, perTurn)
    clock.set(100)
    await vi.advanceTimersByTimeAsync(1000)
    return calls.length
  }

  it('counts', async () => {
    expect(await answered(50, false)).toBe(0)
    expect(await answered(50, true)).toBe(0)
  })

  it('counts where the program ran for longer than its limit, because it may have gone on after its answer', async () => {
    expect(await answered(150, false)).toBe(0)
  })

  it('does not count where the answer is the end of a program that ran for longer than its limit', async () => {
    expect(await answered(150, true)).toBe(1)
  })
})

describe('where the system does not count how long programs wait', () => {
  /**
   * When a question of 100 ms is over, in tens of milliseconds, if this process stands still so long before each timer.
   */
  async function upAfter(...still: readonly number[]) {
    let stood = 0
    began = performance.now()
    const now = performance.now.bind(performance)
    const spy = vi.spyOn(performance, 'now').mockImplementation(() => now() + stood)
    const calls: number[] = []
    new PlainClock((busy) => calls.push(busy ? Infinity : Math.floor(time() / 10))).set(100)
    for (const ms of still) {
      stood += ms
      await vi.advanceTimersToNextTimerAsync()
    }
    await vi.advanceTimersByTimeAsync(1000)
    spy.mockRestore()
    return calls
  }

  it('the usual lateness of timers is the bot’s, and more of it is given on top, up to the limit', async () => {
    expect(await upAfter(0)).toEqual([10])
    expect(await upAfter(20)).toEqual([12])
    expect(await upAfter(60)).toEqual([22])
    expect(await upAfter(300)).toEqual([50])
  })

  it('that is given once', async () => {
    expect(await upAfter(60, 50)).toEqual([27])
  })
})

describe('a look at a process group', () => {
  const SLEEPS = { id: '1', ran: 3, waited: 1, runnable: false }
  /** Of looks at a task beside one that sleeps: what it ran and waited since its start; the time of each look. */
  type Shown = readonly [at: number, ran: number, waited: number, runnable?: boolean]
  const looks = (...shown: readonly Shown[]) => {
    let tasks = [SLEEPS]
    const waits = new GroupWaits(() => tasks, 0)
    return shown.map(([at, ran, waited, runnable = true]) => {
      tasks = [SLEEPS, { id: '2', ran, waited, runnable }]
      return waits.look(at)
    })
  }
  const waitingIn = (...shown: readonly Shown[]) => looks(...shown).map(({ isWaiting }) => isWaiting)

  it('shows what the task waited since the look before that waited longest, and what one has run', () => {
    const seen = looks([100, 40, 60], [200, 60, 140], [300, 60, 140, false])
    expect(seen.map(({ waited, longest }) => [waited, longest])).toEqual([
      [60, 40],
      [80, 60],
      [0, 60],
    ])
  })

  it('takes a task of a number that another had for a new one, which has waited for nothing', () => {
    expect(looks([100, 40, 60], [200, 5, 20])[1]).toMatchObject({ waited: 0 })
  })

  it('tells who waits from who runs, and from who sleeps', () => {
    const first = [100, 40, 57] as const
    expect(waitingIn(first, [112, 50, 57]), 'it ran, and the kernel counts that at its ticks').toEqual([false, false])
    expect(waitingIn(first, [112, 42, 57]), 'so it may have').toEqual([false, false])
    expect(waitingIn(first, [112, 40, 57]), 'it did not run').toEqual([false, true])
    expect(waitingIn(first, [101, 40, 57]), 'it did not run, shortly before the hard stop').toEqual([false, true])
    expect(waitingIn(first, [112, 40, 57, false]), 'it sleeps').toEqual([false, false])
  })

  it('may be waiting where the look comes late, and most of the time since the look before is unknown', () => {
    expect(waitingIn([100, 40, 57], [200, 45, 70], [300, 80, 130])).toEqual([false, true, false])
  })
})
