import { beforeEach, describe, expect, it } from 'vitest'
import type { GameDefinition, Question } from '../core/index.js'
import { RemotePlayer } from './person.js'

const definition = { game: { legal: ({ n }: { n: number }) => [`${n}`, 'pass'] } } as unknown as GameDefinition
const question = (n: number): Question => ({ number: n, limit: 1, view: { n }, input: {} })
let player: RemotePlayer
beforeEach(() => {
  player = new RemotePlayer(definition)
})

/** Plays a question, answered once it is asked. */
async function played(n: number, action: string): Promise<string | undefined> {
  const answer = player.ask(question(n))
  await player.asking()
  expect(player.asked).toEqual({ view: { n }, legal: [`${n}`, 'pass'] })
  expect(player.move(action)).toBe(true)
  return (await answer).output.out
}

describe('a person in a browser', () => {
  it('is asked, and the answer is what the site receives', async () => {
    expect(player.move('early')).toBe(false)
    expect(await played(1, '1')).toBe('1')
    expect(player.asked).toBeUndefined()
    expect(player.move('again')).toBe(false)
  })

  it('has its moves made again in a match that is played again, for as long as it sees the same', async () => {
    await player.begin()
    for (const n of [1, 2, 3]) await played(n, `${n}`)
    await player.begin()
    expect((await player.ask(question(1))).output.out).toBe('1')
    // It sees something else: this move, and all that follow, are the person's.
    expect(await played(7, 'pass')).toBe('pass')
    expect(await played(3, '3')).toBe('3')
    await player.begin()
    expect((await player.ask(question(1))).output.out).toBe('1')
    expect((await player.ask(question(7))).output.out).toBe('pass')
  })

  it('keeps the moves of a void match that ended before they were made again', async () => {
    await player.begin()
    for (const n of [1, 2]) await played(n, `${n}`)
    await player.begin()
    expect((await player.ask(question(1))).output.out).toBe('1')
    await player.begin()
    for (const n of [1, 2]) expect((await player.ask(question(n))).output.out).toBe(`${n}`)
  })

  it('that has left answers nothing, and is not waited for', async () => {
    const waiting = player.asking()
    player.leave()
    await waiting
    expect((await player.ask(question(1))).output.out).toBe('')
    expect(player.asked).toBeUndefined()
  })

  it('that is dismissed owes no answer', async () => {
    const answer = player.ask(question(1))
    await player.asking()
    player.dismiss()
    expect((await answer).output.out).toBe('')
  })

  it('sees the events of the match that counts, and its outcome', () => {
    const began = { kind: 'began' } as never
    player.see(began)
    player.see({ kind: 'moved' } as never)
    player.see(began)
    expect(player.events).toEqual([began])
    const outcome = { place: [1, 2], reason: 'over' }
    player.see({ kind: 'ended', outcome } as never)
    expect(player.outcome).toEqual(outcome)
  })
})

it('keeps the newest events of a long match, within a bound', () => {
  const bounded = new RemotePlayer(definition, 1000)
  for (let step = 0; step < 500; step++) bounded.see({ kind: 'moved', step } as never)
  expect(JSON.stringify(bounded.events).length).toBeLessThan(1100)
  expect(bounded.first + bounded.events.length).toBe(500)
  expect(bounded.events[0]).toMatchObject({ step: bounded.first })
})
