import { describe, expect, it, vi } from 'vitest'
import { alone, openings } from '../../../test/kit/store-opening.js'
import { entrantsOf, keyOf, played, runOf } from '../../../test/kit/records.js'
import { type Sealed, type SeatRow, matchSum } from '../seals.js'
import { FULL } from '../segment.js'
import { sumOf } from '../sums.js'
import { openDatabase } from './open.js'
import { Session } from './session.js'
import { openStore } from './store.js'

const { folder, begun, close } = openings(async (workspace) => openStore(workspace, 'test'))
/** Ant beats Bee in even matches and loses the others. */
const job = (n: number) => alone(n, played(`a/${n}`, [0, 1], n % 2 === 0 ? [1, 2] : [2, 1]))
const jobs = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => job(from + i))
const places = (matches: readonly { readonly place: string }[]) => matches.map(({ place }) => place)

function spoil(workspace: string, sql: string): void {
  const db = openDatabase(workspace)
  try {
    db.exec(sql)
  } finally {
    db.close()
  }
}

describe('matches that are written together', () => {
  it('are each as if written alone, whatever their number', async () => {
    const [one, many] = [await begun(), await begun()]
    for (let n = 0; n < 75; n++) await one.record('one', [job(n)])
    await many.record('one', jobs(0, 75))
    expect(await many.matches('one')).toEqual(
      (await one.matches('one')).map((row) => ({ ...row, at: expect.any(String) as string })),
    )
    expect(await many.leaderboard('one')).toEqual(await one.leaderboard('one'))
    for (const n of [0, 63, 64, 71, 72, 74]) expect(await many.read(keyOf(n))).toEqual(await one.read(keyOf(n)))
  })

  it('are added where others of them are there', async () => {
    const store = await begun()
    await store.record('one', jobs(0, 3))
    expect([...(await store.record('one', [job(3), job(1), job(4), job(0)]))].sort()).toEqual(
      [keyOf(0), keyOf(1)].sort(),
    )
    expect(places(await store.matches('one'))).toEqual(['a/4', 'a/3', 'a/2', 'a/1', 'a/0'])
    expect([...(await store.adopt('one', [keyOf(9), keyOf(2)]))]).toEqual([keyOf(2)])
  })
})

describe('the counts of a run that is looked at again and again', () => {
  it('are compared with their checksum once, and again when another process has written', async () => {
    const workspace = folder()
    const store = openStore(workspace, 'test')
    await store.addRun(runOf('one'), entrantsOf())
    await store.record('one', jobs(0, 3))
    const db = openDatabase(workspace)
    const session = new Session(db, 'test')
    const read = vi.spyOn(db, 'all')
    const looks = () => read.mock.calls.filter(([sql]) => sql.includes('FROM run_entrant')).length
    const look = () => session.runs('one').map(({ matches }) => matches)
    expect([look(), look(), look(), looks()]).toEqual([[3], [3], [3], 1])
    await store.record('one', jobs(3, 5))
    expect([look(), look(), looks()]).toEqual([[5], [5], 2])
    spoil(workspace, 'UPDATE run_entrant SET wins = wins + 1 WHERE place = 0')
    expect(look).toThrow(/agon\.db: is damaged/)
    expect(look).toThrow(/agon\.db: is damaged/)
    db.close()
    await store.close()
  })
})

describe('what a write of matches keeps for the next one', () => {
  /** Two connections to a file; the first has kept something. */
  function two() {
    const workspace = folder()
    const [db, other] = [openDatabase(workspace), openDatabase(workspace)]
    db.add(() => db.keep('it', 1))
    return { db, other, kept: () => db.add(() => db.recall('it')) }
  }
  const noted = "INSERT INTO log (at, agon, what, detail) VALUES ('', '', '', '')"

  it('is there where nothing else was written, and only in such a write', () => {
    const { db, other, kept } = two()
    expect(kept()).toBe(1)
    expect(db.recall('it')).toBeUndefined()
    expect(db.look(() => db.recall('it'))).toBeUndefined()
    db.close()
    other.close()
  })

  it.each([
    ['another connection wrote', ({ other }: ReturnType<typeof two>) => other.write(() => other.exec(noted))],
    ['another connection added matches', ({ other }: ReturnType<typeof two>) => other.add(() => other.exec(noted))],
    ['this connection wrote something else', ({ db }: ReturnType<typeof two>) => db.write(() => db.exec(noted))],
    [
      'a write failed',
      ({ db }: ReturnType<typeof two>) =>
        expect(() =>
          db.add(() => {
            db.keep('it', 2)
            throw new Error('full')
          }),
        ).toThrow('full'),
    ],
  ])('is forgotten where %s', (_, between) => {
    const connections = two()
    between(connections)
    expect(connections.kept()).toBeUndefined()
    connections.db.close()
    connections.other.close()
  })
})

it('the checksum of a match is that over its parts', () => {
  const row: Sealed = { unit: keyOf(7), number: 1, place: 'a/b', outcome: '{}', playoff: 0, at: 17e11, faults: 5 }
  const seats: SeatRow[] = [
    { seat: 0, entrant: 4, rank: 2 },
    { seat: 1, entrant: 3, rank: 1 },
  ]
  expect(matchSum(row, seats)).toBe(sumOf(keyOf(7), 1, 'a/b', '{}', 0, 17e11, 5, 0, 4, 2, 1, 3, 1))
  expect(matchSum(row, [])).toBe(sumOf(keyOf(7), 1, 'a/b', '{}', 0, 17e11, 5))
})

describe('the newest matches', () => {
  const total = 2 * FULL + 3
  /** A store with three segments, of which one was changed by hand. */
  async function spoilt(sql: string) {
    const workspace = folder()
    const store = await begun(workspace)
    await store.record('one', jobs(0, total))
    await close(store)
    spoil(workspace, sql)
    return begunAgain(workspace)
  }
  const begunAgain = async (workspace: string) => openStore(workspace, 'test')

  it('are those of the moment, whichever process wrote them', async () => {
    const workspace = folder()
    const [store, other] = [await begun(workspace), await begunAgain(workspace)]
    for (const [writer, from, to] of [
      [store, 0, 3],
      [store, 3, FULL - 1],
      [other, FULL - 1, FULL + 2],
      [store, FULL + 2, FULL + 4],
    ] as const) {
      await writer.record('one', jobs(from, to))
      for (const reader of [store, other]) {
        const newest = places(await reader.matches('one', { entrant: 1, last: 3 }))
        expect(newest).toEqual([1, 2, 3].map((n) => `a/${to - n}`))
        const { matches } = await reader.browse('one', { limit: 3 })
        expect(places(matches)).toEqual(newest)
      }
    }
    await close(other)
  })

  it('are refused where the last segment is gone, or one before it', async () => {
    for (const gone of [2, 1]) {
      const store = await spoilt(`DELETE FROM segment WHERE number = ${gone}`)
      await expect(store.matches('one', { last: FULL })).rejects.toThrow('damaged')
      await expect(store.page('one', 3)).rejects.toThrow('damaged')
      await store.close()
    }
  })

  it('need no older segment, and all of them each', async () => {
    const store = await spoilt('UPDATE segment SET data = zeroblob(9) WHERE number = 0')
    expect(places(await store.matches('one', { entrant: 0, last: 4 }))).toEqual(
      [4, 3, 2, 1].map((n) => `a/${total - 5 + n}`),
    )
    await expect(store.matches('one')).rejects.toThrow('damaged')
    await store.close()
  })
})
