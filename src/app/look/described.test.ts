import { describe, expect, it } from 'vitest'
import { UserError } from '../../core/index.js'
import { conform, conformingGame } from '../check/conform.js'
import { examineMachine } from '../machine.js'
import { games as shipped } from '../../games/index.js'
import { describeGames, describeHouse, describeWires } from './games.js'

it('describes all games, or one', async () => {
  const all = await describeGames()
  expect(all.map(({ id }) => id)).toEqual(['gunduel', 'coup', 'samurai', 'negotiate', 'stronger', 'kuhn', 'leduc'])
  const [samurai, ...none] = await describeGames('samurai')
  expect(none).toEqual([])
  expect(samurai).toMatchObject({ seats: { min: 2, max: 2 }, options: { turns: 500, health: 20 }, wire: 'turn' })
  expect(samurai).toEqual(all[2])
})

it.each(shipped.map((definition) => [definition.game.id, definition] as const))(
  'knows how strong each house bot of %s is, and lists the strongest first',
  async (_, definition) => {
    const strengths = (await describeHouse(definition)).map(({ strength }) => strength)
    expect(strengths.length).toBeGreaterThan(0)
    expect(strengths).toEqual(strengths.map(() => expect.any(Number) as number))
    expect(strengths).toEqual([...strengths].sort((a = 0, b = 0) => b - a))
  },
)

it('describes the wires of a game, one of them the standard', async () => {
  const wires = await describeWires('gunduel')
  expect(wires.filter((wire) => wire.default)).toHaveLength(1)
  expect(wires.find(({ name }) => name === 'module')).toMatchObject({ transport: 'module', memory: 'tournament' })
})

it.each([describeGames, describeWires])('knows the games: %o', async (describeIt) => {
  const asked = describeIt('samura')
  await expect(asked).rejects.toThrow(UserError)
  await expect(asked).rejects.toThrow(/^no game "samura" \(did you mean "samurai"\?\)/)
})

it('tells what this machine has, and what is lacking with a remedy', async () => {
  const { findings, isolates } = await examineMachine()
  expect(findings.map(({ name }) => name)).toEqual(expect.arrayContaining(['launcher', 'bubblewrap']))
  const lacking = findings.filter(({ ok }) => ok === false)
  expect(isolates).toBe(lacking.length === 0)
  for (const { remedy } of lacking) expect(remedy).toBeDefined()
})

describe('recorded games', () => {
  /** One bows, the other strikes twice and is struck down: the trace is health and honour of both. */
  const GAME = {
    a: 'BB',
    b: 'OO',
    trace: [
      [19, 20, 2, 0],
      [18, 20, 3, -1],
    ],
    winner: 0,
    why: 'struck down by the gods',
  }
  async function* linesOf(...lines: (string | Error)[]): AsyncGenerator<string> {
    for (const line of lines) {
      if (line instanceof Error) throw line
      yield line
    }
  }
  const samurai = conformingGame('samurai.jsonl.gz')

  it('agree, differ, or cannot be read, line by line', async () => {
    const wrong = { ...GAME, winner: 1 }
    const lines = linesOf(JSON.stringify(GAME), '', JSON.stringify(wrong), '{')
    const { games, agreeing, differences, cutOff } = await conform(samurai, lines)
    expect([games, agreeing, cutOff]).toEqual([3, 1, undefined])
    expect(new Set(differences.map(({ line }) => line))).toEqual(new Set([3, 4]))
    expect(differences.at(-1)).toEqual({ line: 4, what: 'not a line of JSON' })
  })

  it('that are cut off count up to there, and as one that does not agree', async () => {
    const lines = linesOf(JSON.stringify(GAME), new UserError('cut off'))
    expect(await conform(samurai, lines)).toEqual({
      games: 2,
      agreeing: 1,
      differences: [],
      cutOff: { after: 1, why: 'cut off' },
    })
    await expect(conform(samurai, linesOf(new UserError('cut off')))).rejects.toThrow('cut off')
  })

  it.each([
    ['samurais.jsonl', undefined, /^no game "samurais" \(did you mean "samurai"\?\); give the option "game"/],
    ['samurai.jsonl', 'chess', /^no game "chess"/],
  ])('of %s and %s are of no game', (file, id, message) => {
    expect(() => conformingGame(file, id)).toThrow(UserError)
    expect(() => conformingGame(file, id)).toThrow(message)
  })
})
