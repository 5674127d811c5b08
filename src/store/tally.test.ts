import { describe, expect, it } from 'vitest'
import { alone, openings } from '../../test/kit/store-opening.js'
import { keyOf, played, runOf } from '../../test/kit/records.js'
import { openStore } from './index.js'
import { openDatabase } from './sqlite/open.js'

const { folder, opened, begun } = openings(async (workspace) => openStore(workspace, 'test'))
/** Ant beats Bee in even matches and loses the others. */
const job = (n: number) => alone(n, played(`a/${n}`, [0, 1], n % 2 === 0 ? [1, 2] : [2, 1]))
const jobs = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => job(from + i))
const keys = (matches: readonly { readonly key: string }[]) => matches.map(({ key }) => key)

function spoil(workspace: string, sql: string): void {
  const db = openDatabase(workspace)
  db.exec(sql)
  db.close()
}

describe('matches that are written together', () => {
  it('are each as if written alone, whatever their number', async () => {
    const [one, many] = [await begun(), await begun()]
    for (let n = 0; n < 75; n++) await one.record('one', [job(n)])
    await many.record('one', jobs(0, 75))
    expect(keys(await many.matches('one'))).toEqual(keys(await one.matches('one')))
    expect(await many.leaderboard('one')).toEqual(await one.leaderboard('one'))
    const some = [0, 63, 64, 71, 72, 74].map(keyOf)
    expect(await many.read(some)).toEqual(await one.read(some))
  })

  it('are added where others of them are there, and once where they come twice', async () => {
    const store = await begun()
    await store.record('one', jobs(0, 3))
    const before = await store.record('one', [job(3), job(1), job(4), job(0), job(4)])
    expect([...before].sort()).toEqual([keyOf(0), keyOf(1)].sort())
    expect(keys(await store.matches('one'))).toEqual(['a/4', 'a/3', 'a/2', 'a/1', 'a/0'])
    expect([...(await store.adopt('one', [keyOf(9), keyOf(2)]))]).toEqual([keyOf(2)])
  })
})

describe('a table', () => {
  const wins = async (store: Awaited<ReturnType<typeof begun>>) =>
    (await store.leaderboard('one')).slice(0, 2).map(({ name, wins: won }) => `${name} ${won}`)

  it('goes on behind the rows that it has read, whoever wrote them, and reads no row twice', async () => {
    const workspace = folder()
    const [store, other] = [await begun(workspace), await opened(workspace)]
    await store.record('one', jobs(0, 3))
    expect(await wins(store)).toEqual(['Ant 2', 'Bee 1'])
    await other.record('one', jobs(3, 6))
    await store.record('one', jobs(6, 7))
    expect([await wins(store), await wins(other)]).toEqual([
      ['Ant 4', 'Bee 3'],
      ['Ant 4', 'Bee 3'],
    ])
    // What was read once is not looked at again: only who opens the store now finds that it has changed.
    spoil(workspace, "UPDATE match SET key = 'other' WHERE id = (SELECT min(id) FROM match)")
    await other.record('one', jobs(7, 9))
    expect(await wins(store)).toEqual(['Ant 5', 'Bee 4'])
    const late = await opened(workspace)
    await expect(late.leaderboard('one')).rejects.toThrow('agon.db: is damaged')
  })

  it('of many matches lets the thread do other work before all of them are read', async () => {
    const workspace = folder()
    const store = await begun(workspace)
    await store.record('one', jobs(0, 4100))
    let [turns, isRead] = [0, false]
    const work = (): void => {
      turns++
      if (!isRead) setImmediate(work)
    }
    const late = await opened(workspace)
    setImmediate(work)
    expect(await wins(late)).toEqual(['Ant 2050', 'Bee 2050'])
    isRead = true
    expect(turns).toBeGreaterThan(1)
  })

  it('is begun anew where the run has other jobs than those that were read, and where outcomes are ruled', async () => {
    const workspace = folder()
    const [store, other] = [await begun(workspace), await opened(workspace)]
    await store.record('one', jobs(0, 4))
    expect(await wins(store)).toEqual(['Ant 2', 'Bee 2'])
    await other.changeRun(runOf('one'), {})
    await other.adopt('one', [0, 2].map(keyOf))
    await other.record('one', jobs(4, 8))
    expect(await wins(store)).toEqual(['Ant 4', 'Bee 2'])
    const [newest] = await store.matches('one')
    const ruling = { match: newest?.id ?? 0, outcome: { place: [1, 1], reason: 'ruled' }, why: 'rule 7' }
    await other.rule('one', [ruling])
    expect(await wins(store)).toEqual(['Ant 4', 'Bee 1'])
  })

  it('has the results of all its matches where they are asked for, ruled as they are now', async () => {
    const workspace = folder()
    const [store, other] = [await begun(workspace), await opened(workspace)]
    const ends = async () => [...(await store.results('one'))].map(([key, { outcome }]) => [key, outcome.place])
    await store.record('one', jobs(0, 2))
    expect(await wins(store)).toEqual(['Ant 1', 'Bee 1'])
    const before = [
      ['a/0', [1, 2]],
      ['a/1', [2, 1]],
    ]
    expect(await ends()).toEqual(before)
    await other.record('one', [job(2), alone(3, played('a/3', [0, 1], [2, 1], 'another answer'))])
    const after = [...before, ['a/2', [1, 2]], ['a/3', [2, 1]]]
    expect([await ends(), await wins(store)]).toEqual([after, ['Ant 2', 'Bee 2']])
    const courses = [...(await store.results('one')).values()].map(({ course }) => course)
    expect([new Set(courses.slice(0, 3)).size, new Set(courses).size]).toEqual([1, 2])
    const [newest] = await store.matches('one')
    await other.rule('one', [{ match: newest?.id ?? 0, outcome: { place: [1, 1], reason: 'ruled' }, why: 'rule 7' }])
    expect((await ends()).at(-1)).toEqual(['a/3', [1, 1]])
  })

  it('keeps the results of the runs that were asked for last, and gives those of others again', async () => {
    const store = await begun()
    for (const id of ['two', 'three']) await store.addRun(runOf(id))
    for (const id of ['one', 'two', 'three']) await store.record(id, [job(id.length)])
    const first = await store.results('one')
    expect(await store.results('one')).toBe(first)
    for (const id of ['two', 'three']) expect((await store.results(id)).size).toBe(1)
    const again = await store.results('one')
    expect(again).toEqual(first)
    expect(again).not.toBe(first)
  })

  it.each([
    ['a match that is lost', 'DELETE FROM match WHERE id = (SELECT max(id) FROM match)'],
    ['a link that is lost', 'DELETE FROM run_job WHERE number = (SELECT max(number) FROM run_job)'],
    [
      'a link of another writer',
      'UPDATE run_job SET writer = writer + 1 WHERE number = (SELECT max(number) FROM run_job)',
    ],
    ['a writer that is lost', 'DELETE FROM writer WHERE jobs > 0'],
    ['another count', 'UPDATE writer SET jobs = jobs - 1 WHERE jobs > 0'],
    ['a note that is lost', 'DELETE FROM note'],
    ['another outcome', `UPDATE match SET outcome = replace(outcome, '[1,2]', '[2,1]')`],
  ])('is refused with %s', async (_, sql) => {
    const workspace = folder()
    const store = await begun(workspace)
    await store.record('one', jobs(0, 4))
    await store.close()
    spoil(workspace, sql)
    const later = await opened(workspace)
    await expect(later.leaderboard('one')).rejects.toThrow('agon.db: is damaged')
  })
})
