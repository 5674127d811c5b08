import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { type Caller, type Env, RATES, bounded } from './callers.js'
import { problemOf } from './answers.js'
import { Buckets } from './limits.js'

/** Requests to routes that answer at once, at a time that the test sets. */
function asking() {
  let now = 0
  const app = new Hono<Env>()
  const who: { caller: Caller; address: string } = { caller: { role: 'anonymous' }, address: 'a' }
  app.use(async (c, next) => {
    c.set('caller', who.caller)
    c.set('address', who.address)
    await next()
  })
  app.use(bounded(() => now))
  app.all('*', () => new Response('done'))
  app.onError((error, c) => problemOf(error, c, () => undefined))
  const ask = (method: string, path: string, from: string, caller: number | 'host' | 'nobody' = 'nobody') => {
    who.address = from
    who.caller =
      typeof caller === 'number'
        ? { role: 'contestant', number: caller, contest: 'c', name: `Contestant ${caller}` }
        : { role: caller === 'host' ? 'host' : 'anonymous' }
    return app.request(path, { method })
  }
  /** How many of so many requests are answered. */
  const count = async (times: number, ...asked: Parameters<typeof ask>): Promise<number> => {
    let done = 0
    for (let n = 0; n < times; n++) done += (await ask(...asked)).status === 200 ? 1 : 0
    return done
  }
  return { ask, count, wait: (seconds: number) => (now += 1000 * seconds) }
}
const UPLOAD = '/contests/c/entries'

describe('a bucket', () => {
  it('gives its burst at once, then fills up, and never beyond', () => {
    let now = 0
    const bucket = new Buckets({ burst: 3, perSecond: 2 }, () => now)
    const taken = (): boolean => {
      try {
        bucket.take('a')
        return true
      } catch {
        return false
      }
    }
    expect([taken(), taken(), taken(), taken()]).toEqual([true, true, true, false])
    now += 500
    expect([taken(), taken()]).toEqual([true, false])
    now += 1e9
    expect([taken(), taken(), taken(), taken()]).toEqual([true, true, true, false])
  })
})

describe('one caller', () => {
  it('reads so much, by its address or its token, and learns how long to wait', async () => {
    const { ask, count, wait } = asking()
    const { burst, perSecond } = RATES.read
    expect(await count(burst + 5, 'GET', '/contests', 'a')).toBe(burst)
    const late = await ask('GET', '/contests', 'a')
    expect([late.status, late.headers.get('retry-after')]).toEqual([429, '1'])
    expect(await count(1, 'GET', '/contests', 'b')).toBe(1)
    expect(await count(1, 'GET', '/contests', 'a', 7)).toBe(1)
    wait(1)
    expect(await count(perSecond + 5, 'GET', '/contests', 'a')).toBe(perSecond)
  })

  it('writes so much', async () => {
    const { count, wait } = asking()
    const { burst, perSecond } = RATES.write
    expect(await count(burst + 5, 'POST', '/sittings', 'a')).toBe(burst)
    wait(1)
    expect(await count(perSecond + 5, 'POST', '/sittings', 'a')).toBe(perSecond)
  })

  it('reads and writes no more with many tokens than its address may', async () => {
    const { count } = asking()
    let [reads, writes] = [0, 0]
    for (let n = 0; n < 10; n++) {
      reads += await count(RATES.read.burst, 'GET', '/contests', 'a', n)
      writes += await count(RATES.write.burst, 'POST', '/sittings', 'a', n)
    }
    expect([reads, writes]).toEqual([RATES.reads.burst, RATES.writes.burst])
    expect(await count(1, 'GET', '/contests', 'b', 1)).toBe(0)
    expect(await count(1, 'GET', '/contests', 'b', 11)).toBe(1)
  })

  it('uploads so much by token, wherever it comes from, and by address, for all tokens together', async () => {
    const { ask, count, wait } = asking()
    expect(await count(RATES.upload.burst + 5, 'POST', UPLOAD, 'a', 1)).toBe(RATES.upload.burst)
    expect((await ask('POST', UPLOAD, 'b', 1)).headers.get('retry-after')).toBe('60')
    wait(60)
    expect(await count(5, 'POST', UPLOAD, 'b', 1)).toBe(1)
    let crowd = 0
    for (let n = 0; n < 200; n++) crowd += await count(1, 'POST', UPLOAD, 'c', 100 + n)
    expect(crowd).toBe(RATES.uploads.burst)
  })

  it('comes in and opens streams so often by address, whatever token it has', async () => {
    const { count } = asking()
    let streams = 0
    for (let n = 0; n < 2 * RATES.streams.burst; n++) streams += await count(1, 'GET', '/contests/c/events', 'a', n)
    expect(streams).toBe(RATES.streams.burst)
    expect(await count(1, 'GET', '/contests/c/live/events', 'a', 1)).toBe(0)
    expect(await count(100, 'POST', '/contests/c/contestants', 'a')).toBe(RATES.signup.burst)
  })

  it('is not the host', async () => {
    const { count } = asking()
    for (const path of [UPLOAD, '/contests', '/contests/c/contestants'])
      expect(await count(1500, 'POST', path, 'a', 'host')).toBe(1500)
  })
})
