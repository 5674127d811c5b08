import { describe, expect, test } from 'vitest'
import {
  type AnyWire,
  type GameDefinition,
  type BotOutput,
  type Player,
  type Question,
  allActions,
  jsonlWire,
  newLuck,
} from '../core/index.js'
import samurai from '../games/samurai/index.js'
import type { FullEvent, SeatEvent } from './events.js'
import { type LiveMatch, startMatch } from './live-steps.js'
import { type Setting, playMatch, playMany } from './play.js'
import { type Reply, replayAsSeat } from './replay-as-seat.js'

/** A wire with every part of a conversation. */
const chatty: AnyWire = {
  ...jsonlWire(samurai.game, samurai.game.options),
  limits: { ready: 70, turn: 30 },
  ready: { at: 'match', within: 'ready', expects: 'say yes', ok: ({ out }) => out === 'yes' },
  ask: (view) => ({ lines: [JSON.stringify(view)] }),
  read: ({ out }) => out ?? { fault: 'silent' },
  update: (view) => ({ lines: [`update ${JSON.stringify(view)}`] }),
}
const definition: GameDefinition = { ...samurai, wires: { chatty } }
const { game } = definition

function live(seed = ''): LiveMatch {
  const seats = ['Ant', 'Bee'].map((entrant, id) => ({ entrant, wire: 'chatty', id }))
  const { id, version, options } = game
  return {
    definition,
    fixture: { agon: 1, key: seed, game: id, version, options, luck: newLuck(seed), field: 2, seats },
  }
}

/** Plays its legal actions in turn; everything that happens to it is written down. */
function player(log: string[], yes: BotOutput = { out: 'yes' }): Player {
  return {
    begin: async (key) => void log.push(`begin ${key}`),
    ready: async (_, limit) => (log.push(`ready ${limit}`), { output: yes, wallUs: 1 }),
    send: ({ lines = [] }) => void log.push(...lines),
    ask: async ({ input, view, number }: Question) => {
      log.push(...(input.lines ?? []))
      const legal = allActions(game.legal(view))
      return { output: { out: legal[number % legal.length] ?? '' }, wallUs: 12 }
    },
    dismiss: () => void log.push('dismissed'),
    end: async () => void log.push('ended'),
  }
}
const setting = (logs: readonly string[][], seed = '', yes?: BotOutput): Setting => ({
  ...live(seed),
  players: logs.map((log) => player(log, yes)),
})

describe('the state of a match', () => {
  test('is led by hand, in any order of answers, to the record that the driver makes', async () => {
    const record = await playMatch(setting([[], []]))
    const match = startMatch(live())
    expect(match.updates).toEqual([])
    expect(match.due().map((due) => [due.asks, due.seat, due.limit])).toEqual([
      ['ready', 0, 70],
      ['ready', 1, 70],
    ])
    for (; !match.over; match.advance()) {
      for (const due of [...match.due()].reverse()) {
        const legal = due.asks === 'ready' ? [] : allActions(game.legal(due.view))
        const out = due.asks === 'ready' ? 'yes' : (legal[due.number % legal.length] ?? '')
        match.answer(due.seat, { output: { out }, wallUs: due.asks === 'ready' ? 1 : 12 })
      }
    }
    expect(match.record()).toEqual(record)
    expect(match.steps).toBe(record.steps.length)
    expect(match.due()).toEqual([])
    // Both are sent what became of the last step before they are sent the end.
    expect(match.updates.map(({ seat, when }) => [seat, when])).toEqual([
      [0, 'update'],
      [1, 'update'],
      [0, 'end'],
      [1, 'end'],
    ])
  })

  test('refuses an answer of a seat that is not due, and to go on without all answers', () => {
    const match = startMatch(live())
    const yes = { output: { out: 'yes' }, wallUs: 0 }
    match.answer(1, yes)
    expect(() => match.answer(1, yes)).toThrow('seat 1 owes no answer')
    expect(() => match.answer(2, yes)).toThrow('seat 2 owes no answer')
    expect(() => match.advance()).toThrow('questions without an answer')
    expect(() => match.record()).toThrow('not over')
    match.answer(0, yes)
    match.advance()
    expect(match.updates.map(({ when }) => when)).toEqual(['start', 'start'])
  })

  test('asks those that were not ready nothing, and is played to its end without them', () => {
    const match = startMatch(live())
    for (const seat of [0, 1]) match.answer(seat, { output: { out: 'no' }, wallUs: 0 })
    match.advance()
    expect(match.dismissed).toEqual([0, 1])
    for (; !match.over; match.advance()) expect(match.due()).toEqual([])
    const { steps, times } = match.record()
    expect(steps[0]).toEqual([0, 1].map((seat) => [seat, { trouble: 'killed', why: 'was not ready' }]))
    expect(times?.[0]).toEqual([[0], [0]])
  })
})

test('numbers the questions of each seat, and passes over what answers an earlier one', () => {
  const seats = ['Ant', 'Bee'].map((entrant, id) => ({ entrant, wire: 'jsonl', id }))
  const match = startMatch({ ...live(), fixture: { ...live().fixture, seats } })
  const numbers: unknown[] = []
  for (let step = 0; step < 3; step++, match.advance()) {
    for (const due of match.due()) {
      if (due.asks !== 'move') throw new Error('jsonl asks nobody whether it is ready')
      numbers.push((JSON.parse(due.input.lines?.[0] ?? '') as { n: unknown }).n)
      const [action = ''] = allActions(due.legal(due.view))
      const lines = [due.number - 1, due.number].map((n) => JSON.stringify({ action, n }))
      expect([...lines, JSON.stringify({ action })].map((line) => due.skips?.(line))).toEqual([true, false, false])
      match.answer(due.seat, { output: { out: lines[1] }, wallUs: 1 })
    }
  }
  expect(numbers).toEqual([0, 0, 1, 1, 2, 2])
})

describe('an observer of a match', () => {
  test('is shown all of it, or one seat’s part, from the moment when it begins to observe', async () => {
    const [all, own, late]: [FullEvent[], SeatEvent[], SeatEvent[]] = [[], [], []]
    const record = await playMatch({
      ...setting([[], []]),
      onStart: (match) => {
        match.observe('all', (event) => {
          all.push(event)
          if (event.kind === 'moved') stop()
        })
        const stop = match.observe(0, (event) => void late.push(event))
        match.observe(1, (event) => void own.push(event))
      },
    })
    const count = (kind: FullEvent['kind']): number => all.filter((event) => event.kind === kind).length
    expect(all[0]).toMatchObject({ kind: 'began', seats: 2 })
    expect([count('moved'), count('asked'), count('answered')]).toEqual([
      record.steps.length,
      2 + 2 * record.steps.length,
      2 + 2 * record.steps.length,
    ])
    expect(all.at(-1)).toEqual({ kind: 'ended', outcome: record.outcome })
    expect(own.slice(0, 3).map(({ kind }) => kind)).toEqual(['began', 'asked', 'moved'])
    expect(own.at(-1)).toEqual({ kind: 'ended', outcome: record.outcome })
    // It stopped looking when the first step was played, and has received nothing since.
    expect(late.map(({ kind }) => kind)).toEqual(['began', 'asked'])
  })

  test('and comes late, is shown what can be seen then, and which answers are still owed', () => {
    const match = startMatch(live())
    for (const seat of [0, 1]) match.answer(seat, { output: { out: 'yes' }, wallUs: 0 })
    match.advance()
    match.answer(0, { output: { out: 'B' }, wallUs: 0 })
    const [first, second, all]: [SeatEvent[], SeatEvent[], FullEvent[]] = [[], [], []]
    match.observe(0, (event) => void first.push(event))
    match.observe(1, (event) => void second.push(event))
    match.observe('all', (event) => void all.push(event))
    expect(first.map(({ kind }) => kind)).toEqual(['began'])
    expect(second.map(({ kind }) => kind)).toEqual(['began', 'asked'])
    expect(all).toMatchObject([{ kind: 'began' }, { kind: 'asked', question: { seat: 1 } }])
  })
})

describe('many matches', () => {
  const matches = function* (n: number, taken: number[]): Generator<Setting> {
    for (let i = 0; i < n; i++) {
      taken.push(i)
      yield setting([[], []], `match ${i}`)
    }
  }

  test('are played some at a time, taken as there is room, each as it would be alone', async () => {
    const taken: number[] = []
    let done = 0
    let most = 0
    const lines = new Map<string, unknown>()
    await playMany(matches(20, taken), 3, async (played) => {
      if ('error' in played) throw played.error
      most = Math.max(most, taken.length - done++)
      lines.set(played.record.key ?? '', played.record)
      await Promise.resolve()
    })
    expect([taken.length, lines.size]).toEqual([20, 20])
    expect(most).toBe(3)
    expect(lines.get('match 7')).toEqual(await playMatch(setting([[], []], 'match 7')))
  })

  test('do not hinder each other where one is void, and end where the results cannot be taken', async () => {
    const broken = { ...setting([[], []]), givenUp: () => true }
    const seen: string[] = []
    await playMany([setting([[], []]), broken, setting([[], []])], 1, (played) => {
      seen.push('error' in played ? String(played.error) : 'played')
    })
    expect(seen).toEqual(['played', 'Error: the match was given up', 'played'])
    const taken: number[] = []
    let events = 0
    const full = (): void => {
      if (events++ === 0) throw new Error('the disk is full')
    }
    await expect(playMany(matches(20, taken), 2, full)).rejects.toThrow('the disk is full')
    expect(taken.length).toBeLessThan(5)
    await expect(playMany([], 0, full)).rejects.toThrow(RangeError)
  })
})

describe('a record that is replayed to a bot', () => {
  test('says to it what was said then, and compares its answers', async () => {
    const logs: [string[], string[]] = [[], []]
    const record = await playMatch(setting(logs))
    for (const seat of [0, 1]) {
      const log: string[] = []
      const replies: Reply[] = []
      for await (const reply of replayAsSeat(player(log), { definition, record, seat, limit: 70 })) replies.push(reply)
      expect(log).toEqual(logs[seat])
      expect(replies.map(({ asks }) => asks)).toEqual(['ready', ...record.steps.map(() => 'move')])
      for (const { output, recorded } of replies) expect(output).toEqual(recorded)
    }
  })

  test('goes on as it went whatever is answered now, and ends the bot where enough was answered', async () => {
    const record = await playMatch(setting([[], []]))
    const log: string[] = []
    const other: Player = { ...player(log), ask: async () => ({ output: { out: 'nonsense' }, wallUs: 0 }) }
    let step = 0
    for await (const reply of replayAsSeat(other, { definition, record, seat: 1, limit: 70 })) {
      if (reply.asks === 'ready') continue
      expect(reply).toMatchObject({ step: step++, was: reply.recorded.out, now: { fault: 'illegal' } })
      if (step === 2) break
    }
    expect(step).toBe(2)
    expect(log.at(-1)).toBe('ended')
  })
})
