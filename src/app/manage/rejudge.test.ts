import { beforeAll, expect, it } from 'vitest'
import { TestContest } from '../../../test/kit/stored-run.js'
import { type RejudgeEvent, rejudgeRun } from './rulings.js'
import { logOfRun } from '../look/runs.js'
import { tableOfRun } from '../run/table.js'
import { withRun } from '../stored.js'

const place = new TestContest()
const ref = { contest: place.contest }
beforeAll(() => place.play())

const winner = async () => (await tableOfRun(ref, place.context)).standings.rows[0]?.name

it('judges a run again, and lets what differs count where that is ruled', async () => {
  const news: RejudgeEvent[] = []
  const judge = (ruling?: string) => {
    news.length = 0
    return rejudgeRun({ ...ref, ruling }, place.context, (one) => news.push(one))
  }
  const whole = { matches: 3, same: 3, changed: 0, open: 0, applied: false }
  expect(await judge('for nothing')).toEqual({ game: { id: 'samurai', version: 1 }, ...whole })
  // Two matches count for Wait that the rules do not give it.
  const wrong = await withRun(place.contest, undefined, place.context, async (store, run) => {
    const lost = (await store.matches(run.id)).filter(({ outcome }) => outcome.place.includes(2))
    const turned = lost.map(({ id, outcome }) => ({
      match: id,
      outcome: { ...outcome, place: outcome.place.map((rank) => 3 - rank) },
      why: 'a mistake',
    }))
    await store.rule(run.id, turned)
    return lost.map((match) => match.key)
  })
  expect(wrong).toHaveLength(2)
  expect(await winner()).not.toBe('Strike')
  expect(await judge()).toMatchObject({ same: 1, changed: 2, applied: false })
  expect(news.map(({ match }) => match).sort()).toEqual([...wrong].sort())
  for (const one of news) {
    if (one.type !== 'changed') throw new Error('it is open')
    expect(one.after.place).toEqual(one.before.place.map((rank) => 3 - rank))
  }
  expect(await winner(), 'nothing was ruled').not.toBe('Strike')
  expect(await judge('the rules')).toMatchObject({ changed: 2, applied: true })
  expect(await winner()).toBe('Strike')
  expect(await judge()).toMatchObject(whole)
  const log = await logOfRun(ref, place.context)
  expect(log.filter(({ detail }) => detail['why'] === 'the rules')).toHaveLength(2)
})

it('ends where it is not wanted any more', async () => {
  await expect(rejudgeRun(ref, place.aborted)).rejects.toThrow('not wanted')
})
