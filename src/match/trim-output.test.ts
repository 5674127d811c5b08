import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Answer,
  type GameDefinition,
  type BotOutput,
  type Move,
  type Player,
  isFault,
  newLuck,
  wiresOf,
  allActions,
} from '../core/index.js'
import { games } from '../games/index.js'
import { type Fixture, Position, judgeContext, judge, unreadyOf } from './judge.js'
import { OutputTrimmer } from './trim-output.js'
import { formatRecord, parseRecord } from './text.js'
import { playMatch } from './play.js'

const SEATS = 2
const counting = (verdict: (output: BotOutput) => Move<string> | undefined) => (output: BotOutput) => ({
  move: verdict(output),
})
const fixtureOf = (definition: GameDefinition, wire: string): Fixture => ({
  agon: 1,
  game: definition.game.id,
  version: definition.game.version,
  options: definition.game.options,
  luck: newLuck('keep'),
  field: SEATS,
  seats: Array.from({ length: Math.max(SEATS, definition.game.seats.min) }, (_, id) => ({
    entrant: `E${id}`,
    wire,
    id,
  })),
})

/** Every wire of every game, at its first question: how it judges an answer. */
const wires = games.flatMap((definition) =>
  Object.keys(wiresOf(definition, definition.game.options)).map((name) => {
    const fixture = fixtureOf(definition, name)
    const context = judgeContext(definition, fixture)
    const position = new Position(context, fixture)
    const seat = position.due()[0] ?? 0
    const view = definition.game.view(position.state, seat)
    const judged = (output: BotOutput) => position.read(seat, output, view).move
    const legal = allActions(definition.game.legal(view))
    const ready = (output: BotOutput) => unreadyOf(context, [[seat, output]]).get(seat)
    return { name: `${definition.game.id} ${name}`, judged, legal, ready }
  }),
)

/** Texts that a wire might read, and such as make it look again and again, each many times over. */
const PIECES = [
  ' ',
  '\t',
  '\n',
  '\r\n',
  '\xa0',
  '\x01',
  '0',
  '7',
  'B',
  'D',
  '=',
  '-',
  '{',
  '[',
  '"',
  '\\',
  'ok',
  'READY',
  '#',
  '+',
  'é',
  '1 2 ',
  '{"a":',
]
const long = (legal: readonly string[]) => {
  const piece = fc.oneof(
    fc.constantFrom(...PIECES, ...legal, ...legal.map((action) => JSON.stringify({ action }))),
    fc.string({ maxLength: 5, unit: 'binary-ascii' }),
  )
  const run = fc.tuple(piece, fc.constantFrom(1, 1, 1, 300, 3000)).map(([text, n]) => text.repeat(n))
  return fc.array(run, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''))
}

describe('what a record holds of a long answer', () => {
  it.each(wires)('is judged as the whole of it was: $name', ({ judged, legal, ready }) => {
    const output = fc.record(
      {
        out: long(legal),
        file: long(legal),
        exit: fc.constantFrom(1, 48, 61),
        trouble: fc.constantFrom('timeout', 'crash', 'flood', 'killed'),
        why: fc.constantFrom('short', 'long '.repeat(1000)),
      },
      { requiredKeys: ['out'] },
    ) as fc.Arbitrary<BotOutput>
    fc.assert(
      fc.property(output, fc.constantFrom(judged, ready), fc.boolean(), (whole, verdict, worn) => {
        const trimmer = new OutputTrimmer(256)
        // Who has printed half of all that it may is held to what decides.
        for (let n = 0; worn && n < 70; n++) trimmer.trim(0, { out: 'x'.repeat(1024) }, counting(verdict))
        const kept = trimmer.trim(0, whole, counting(verdict))
        expect((kept.out ?? '').length).toBeLessThanOrEqual(16 * 1024 + 1)
        expect((kept.why ?? '').length).toBeLessThanOrEqual(501)
        const given = { ...whole, why: kept.why ?? whole.why }
        if (kept.trouble === 'flood' && whole.trouble !== 'flood')
          expect(isFault(verdict(given)) || verdict(given) === undefined).toBe(true)
        else expect(verdict(kept)).toEqual(verdict(given))
        if ((whole.out ?? '').length <= 1024 && !worn && kept.trouble === whole.trouble)
          expect(kept.out).toBe(whole.out)
      }),
      { numRuns: 150 },
    )
  })

  it.each(wires)('of an action with any amount of blanks or noise around it is short: $name', ({ judged, legal }) => {
    const [action = ''] = legal
    for (const out of [
      action,
      JSON.stringify({ action, note: 'x'.repeat(60_000) }),
      `${' '.repeat(60_000)}${action}${' '.repeat(60_000)}`,
      `${action}\n${'x'.repeat(60_000)}`,
    ]) {
      if (isFault(judged({ out }))) continue
      const kept = new OutputTrimmer(2).trim(0, { out }, counting(judged))
      expect(judged(kept)).toBe(judged({ out }))
      expect(kept.out?.length).toBeLessThan(1100)
    }
  })
})

describe('a match with a bot that prints 64 KB an answer', () => {
  const gunduel = games.find(({ game }) => game.id === 'gunduel') as GameDefinition
  const playerWith = (output: BotOutput): Player => ({
    begin: async () => undefined,
    ready: async (): Promise<Answer> => ({ output: {}, wallUs: 0 }),
    ask: async () => ({ output, wallUs: 1 }),
    send: () => undefined,
    dismiss: () => undefined,
    end: async () => undefined,
  })
  const play = (wire: string, out: string, exit = 61) =>
    playMatch({
      definition: gunduel,
      fixture: { ...fixtureOf(gunduel, wire), options: { ...gunduel.game.options, turns: 30 } },
      players: [playerWith({ out, exit }), playerWith({ out: '', exit })],
    })

  it('goes as without that, and its record is short and shows the cut', async () => {
    const [loud, quiet] = [await play('exit', '\x01'.repeat(65_000)), await play('exit', '')]
    expect(loud.outcome).toEqual(quiet.outcome)
    expect(formatRecord(loud).length).toBeLessThan(30 * 7 * 1100)
    expect(JSON.stringify(loud.steps[0])).toContain('…')
    expect(judge(gunduel, parseRecord(formatRecord(loud))).outcome).toEqual(loud.outcome)
  })

  it('ends as a flood where nothing shorter is the same, and says so', async () => {
    const record = await play('jsonl', JSON.stringify({ no: 'x'.repeat(60_000) }), 0)
    const judged = judge(gunduel, record)
    expect(judged.faults[0]).toMatchObject({ fault: 'flood', why: 'printed 60009 bytes without an answer' })
    expect(judged.outcome).toEqual(record.outcome)
  })

  it('takes nothing from the others: each seat has its own share, and beyond it floods', () => {
    const trimmer = new OutputTrimmer(2)
    const judged = (output: BotOutput) => output.out ?? ''
    const out = 'x'.repeat(64 * 1024)
    let kept: BotOutput = {}
    for (let n = 0; n < 400; n++) kept = trimmer.trim(0, { out }, counting(judged))
    expect(kept).toEqual({ trouble: 'flood', why: expect.stringContaining('came to more than') as string })
    expect(trimmer.trim(1, { out }, counting(judged))).toEqual({ out })
  })
})
