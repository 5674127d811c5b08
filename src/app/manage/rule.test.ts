import { beforeAll, describe, expect, it } from 'vitest'
import { TestContest } from '../../../test/kit/stored-run.js'
import { tableOfRun } from '../run/table.js'
import { withRun } from '../stored.js'
import { readmitEntrant, excludeEntrant, ruleMatch } from './rulings.js'

const place = new TestContest()
const contest = place.contest
const points = async (): Promise<Record<string, number | undefined>> => {
  const { standings } = await tableOfRun({ contest }, place.context)
  return Object.fromEntries(standings.rows.map((row) => [row.name, row.points]))
}
const logged = () =>
  withRun(contest, undefined, place.context, async (store, run) => (await store.log(run.id)).map(({ what }) => what))
beforeAll(() => place.play())

describe('a ruling', () => {
  const rule = (match: string, result: string) =>
    ruleMatch({ contest, match, result, why: 'the power failed' }, place.context)

  it('lets another result count, in the table and in the log, until the next one', async () => {
    const before = await points()
    expect(await rule('1/Strike-Wait/1', 'Wait')).toMatchObject({
      before: { place: [1, 2] },
      after: { place: [2, 1], reason: 'ruled' },
    })
    expect(await points()).toEqual({ ...before, Strike: 1, Wait: (before['Wait'] ?? 0) + 1 })
    await rule('1/Strike-Wait/1', 'draw')
    expect((await points())['Strike']).toBe(1.5)
    await rule('1/Strike-Wait/1', '1,2')
    expect(await points()).toEqual(before)
    expect((await logged()).filter((what) => what === 'ruled')).toHaveLength(3)
  })

  it.each([
    ['1/Strike-Wiat/1', 'draw', /has no match .* \(did you mean "1\/Strike-Wait\/1"\?\)/],
    ['1/Strike-Wait/1', 'Lost', /"Lost" is no result: give a number a seat/],
    ['1/Strike-Wait/1', '2,2', /are no ranking/],
    ['1/Strike-Wait/1', '1', /is no result/],
  ])('of %s as %s is a mistake', async (match, result, why) => {
    await expect(rule(match, result)).rejects.toThrow(why)
  })
})

describe('an entrant that was put out', () => {
  it('is readmitted with its matches, and no other one is', async () => {
    const before = await points()
    const out = { status: 'disqualified', treatment: 'void', why: 'a mistake' } as const
    await excludeEntrant({ contest, name: 'Strike', ...out }, place.context)
    expect(await points()).not.toEqual(before)
    expect(await readmitEntrant({ contest, name: 'strike', why: '' }, place.context)).toMatchObject({
      name: 'Strike',
      finished: true,
    })
    expect(await points()).toEqual(before)
    await expect(readmitEntrant({ contest, name: 'Strike', why: '' }, place.context)).rejects.toThrow(
      'not out of the run',
    )
    expect((await logged()).slice(-2)).toEqual(['disqualified', 'readmitted'])
  })
})
