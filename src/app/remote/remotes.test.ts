import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Remotes, remoteBot } from './remotes.js'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const ada = { contest: 'c', name: 'Ada', contestant: 1, address: 'here', reconnect: 8, outputBytes: 1000 }
const ADA = remoteBot('c', 'Ada')

function connection() {
  const texts: string[] = []
  const ends: string[] = []
  return {
    texts,
    ends,
    write: (text: string) => void texts.push(text),
    terminate: () => void ends.push('terminated'),
    close: (code: number, why: string) => void ends.push(`${code} ${why}`),
  }
}
function listener() {
  const seen: string[] = []
  return {
    seen,
    events: {
      line: (text: string) => void seen.push(text),
      ended: (why: string) => void seen.push(why),
      broken: () => void seen.push('broken'),
      back: () => void seen.push('back'),
      lost: (why: string) => void seen.push(`lost: ${why}`),
    },
  }
}
const frames = (texts: readonly string[]) => texts.map((text) => JSON.parse(text) as Record<string, unknown>)

it('the same machine comes back within its time, and goes on', async () => {
  const remotes = new Remotes()
  const first = connection()
  remotes.bot(ada).connect('session', 0, first)
  const { seen, events } = listener()
  const seat = await remotes.sit(ADA, 'm', events)
  seat?.send('a line')
  expect(frames(first.texts)).toMatchObject([
    { welcome: 0, isNew: true, most: 1000 },
    { n: 1, begin: 'm' },
    { n: 2, line: 'a line' },
  ])
  remotes.bot(ada).disconnect(first)
  expect(remotes.isThere(ADA)).toBe(false)
  vi.advanceTimersByTime(7999)
  const second = connection()
  remotes.bot(ada).connect('session', 1, second)
  expect(frames(second.texts)).toMatchObject([{ isNew: false }, { n: 2, line: 'a line' }])
  expect(seen).toEqual(['broken', 'back'])
  vi.advanceTimersByTime(20_000)
  expect(remotes.isThere(ADA)).toBe(true)
})

it('one that does not come back in time has lost its seats', async () => {
  const remotes = new Remotes()
  const first = connection()
  remotes.bot(ada).connect('session', 0, first)
  const { seen, events } = listener()
  await remotes.sit(ADA, 'm', events)
  remotes.bot(ada).disconnect(first)
  vi.advanceTimersByTime(8000)
  expect(seen).toEqual(['broken', 'lost: its connection broke and did not come back'])
  const second = connection()
  remotes.bot(ada).connect('session', 7, second)
  expect(frames(second.texts)).toMatchObject([{ isNew: true }])
})

it('another machine takes over, and ends the first', async () => {
  const remotes = new Remotes()
  const [first, second] = [connection(), connection()]
  remotes.bot(ada).connect('session', 0, first)
  const { seen, events } = listener()
  await remotes.sit(ADA, 'm', events)
  remotes.bot(ada).connect('another session', 0, second)
  expect(first.ends).toEqual(['4001 another connection of Ada took over'])
  expect(seen).toEqual(['lost: another connection of Ada took over'])
  // The first connection's end comes later, and takes nothing from the second.
  remotes.bot(ada).disconnect(first)
  expect(remotes.isThere(ADA)).toBe(true)
})

it('who is waited for is seated when it comes, and not after its time', async () => {
  const remotes = new Remotes()
  const first = connection()
  expect(await remotes.sit(ADA, 'm', listener().events)).toBeUndefined()
  remotes.bot(ada).connect('session', 0, first)
  remotes.bot(ada).disconnect(first)
  const soon = remotes.sit(ADA, 'm', listener().events)
  remotes.bot(ada).connect('session', 0, connection())
  expect(await soon).toBeDefined()
  remotes.drop('c', 'Ada', 'it was withdrawn')
  const never = remotes.sit(ADA, 'm', listener().events)
  vi.advanceTimersByTime(8000)
  expect(await never).toBeUndefined()
})

it('tells of who comes and goes, and remembers in which matches one was lost', () => {
  const changes: string[] = []
  const remotes = new Remotes((contest) => changes.push(contest))
  const first = connection()
  remotes.bot(ada).connect('session', 0, first)
  remotes.bot(ada).disconnect(first)
  expect(changes).toEqual(['c', 'c'])
  expect([remotes.lostFirst(ADA, 'm'), remotes.lostFirst(ADA, 'm'), remotes.lostFirst(ADA, 'n')]).toEqual([
    true,
    false,
    true,
  ])
})
