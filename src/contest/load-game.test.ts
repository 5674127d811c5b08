import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { houseBots } from './entries.js'
import { gameFolder, loadGame } from './load-game.js'
import { contestOf } from '../../test/kit/contest.js'
import { optionChanges } from './options.js'

const folder = mkdtempSync(join(tmpdir(), 'agon-game-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
/** A game of one question: who names the higher coin. */
const GAME = `import { isFault, type Game } from 'agon'
type State = { readonly said: readonly number[] | undefined }
const game: Game<State, '0' | '1', object, { turns: number }> = {
  id: 'coins', version: 1, seats: { min: 2, max: 2 }, options: { turns: 1 },
  setup: () => ({ said: undefined }),
  toMove: ({ said }) => (said ? [] : [0, 1]),
  view: () => ({}),
  legal: () => ['0', '1'],
  play: (_state, moves) => ({ said: moves.map((move) => (isFault(move) ? -1 : Number(move))) }),
  outcome: ({ said }) => said && { place: said.map((mine) => 1 + said.filter((other) => other > mine).length), reason: 'said' },
}
`
async function errorOf(ref: string): Promise<string> {
  try {
    await loadGame(ref, folder)
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message.replaceAll(`${folder}/`, '')}` : 'no error'
  }
  return 'no mistake'
}

describe('a game of its own file', () => {
  test('may be bare: its id is its title', async () => {
    write('coins.ts', `${GAME}export default game\n`)
    const definition = await loadGame('./coins.ts', folder)
    expect([definition.title, definition.game.id, definition.game.options]).toEqual(['coins', 'coins', { turns: 1 }])
    expect(gameFolder(definition)).toBe(folder)
    expect(definition.game.outcome(definition.game.play({}, ['0', '1']))).toMatchObject({ place: [2, 1] })
  })
  test('may be a whole definition, with house bots beside it', async () => {
    write('kit.ts', `${GAME}export default { game, title: 'Coins', summary: 'Higher wins.' }\n`)
    const definition = await loadGame('kit.ts', folder)
    expect([definition.title, definition.summary, houseBots(definition)]).toEqual(['Coins', 'Higher wins.', []])
    const { contest } = await contestOf(
      'game = "./kit.ts"\noptions = { turns = 3 }\n[[entrants]]\nname = "A"\ncommand = "true"\n[[entrants]]\nname = "B"\ncommand = "true"\n',
      join(folder, 'c.toml'),
    )
    expect(contest).toMatchObject({ title: 'Coins', game: './kit.ts', options: { turns: 3 } })
  })
  test('is asked of each of its wires what it must have, and speaks the first where none is named', async () => {
    let made = 0
    const wired = (wire: string, more = ''): string => {
      const name = `wired-${made++}.ts`
      write(name, `${GAME}export default { game, title: 'Coins', summary: '', wires: { say: ${wire} }${more} }\n`)
      return name
    }
    const whole = `{ transport: 'lines', summary: '', ask: () => ({ lines: [''] }), read: () => '0' }`
    const refused = async (wire: string, more?: string) => errorOf(wired(wire, more))
    expect(await refused(whole.replace(`summary: '',`, ''))).toContain('its wire "say" lacks summary')
    expect(await refused(whole.replace('lines', 'lins'))).toContain('has transport "lins" (did you mean "lines"?)')
    expect(await refused(whole.replace(`, read: () => '0'`, ''))).toContain('its wire "say" lacks read()')
    expect(await refused(whole, `, wire: 'says'`)).toContain('wire = "says" is none of its wires (did you mean "say"?)')
    expect((await loadGame(wired(whole), folder)).wire).toBe('say')
  })
  test('what it throws is reported with its file and line', async () => {
    const text = GAME.replace(`view: () => ({}),`, `view: () => { throw new RangeError('no view') },`)
    write('faulty.ts', `${text}export default game\n`)
    const { game } = await loadGame('./faulty.ts', folder)
    expect(() => game.view({}, 0)).toThrow(/faulty\.ts:\d+: view\(\) threw RangeError: no view$/)
  })
  test('may be plain JavaScript', async () => {
    write(
      'plain.js',
      'const f = () => []\nexport default { id: "plain", version: 1, seats: { min: 2, max: 2 }, options: {}, setup: f, toMove: f, view: f, legal: f, play: f, outcome: f }\n',
    )
    expect((await loadGame('./plain.js', folder)).game.id).toBe('plain')
  })

  test('is refused with what it lacks', async () => {
    write('broken.ts', 'export default {\n')
    write('throws.ts', "throw new Error('not today')\n")
    write('empty.ts', 'export const game = 1\n')
    write(
      'half.ts',
      "export default { id: 'half', seats: { min: 2, max: 2 }, options: {}, setup() {}, toMove() {}, view() {} }\n",
    )
    const whole = (change: string): string => `${GAME}export default { ...game, ${change} }\n`
    write('id.ts', whole("id: 'My Game'"))
    write('taken.ts', whole("id: 'coup'"))
    write('seats.ts', whole('seats: { min: 3, max: 2 }'))
    write('nested.ts', whole('options: { turns: 3, map: [[1, 2], [3]] }'))
    write('misplaced.ts', whole("scoring: { by: 'score' }, board: () => ''"))
    expect(await errorOf('./none.ts')).toMatchInlineSnapshot(
      `"UserError: there is no file none.ts for the game "./none.ts": its path is relative to the contest file"`,
    )
    for (const other of ['/dev/zero', './'])
      expect(await errorOf(other)).toMatch(/is not a game's file: give the \.ts or \.js file .*, or a program's$/)
    expect(await errorOf('./broken.ts')).toMatch(/^UserError: broken\.ts does not load: .*broken\.ts/)
    expect(await errorOf('./throws.ts')).toMatchInlineSnapshot(`"UserError: throws.ts does not load: Error: not today"`)
    expect(await errorOf('./empty.ts')).toMatchInlineSnapshot(
      `"UserError: empty.ts is no game: it has no default export that is a Game or a GameDefinition (docs/new-game.md shows a whole one)"`,
    )
    expect(await errorOf('./half.ts')).toMatchInlineSnapshot(
      `"UserError: half.ts is no game: its default export lacks version (a number), legal(), play(), outcome() (docs/new-game.md shows a whole one)"`,
    )
    expect(await errorOf('./id.ts')).toMatchInlineSnapshot(
      `"UserError: id.ts is no game: its id "My Game" must consist of lower-case letters, digits and dashes (docs/new-game.md shows a whole one)"`,
    )
    expect(await errorOf('./taken.ts')).toMatchInlineSnapshot(
      `"UserError: taken.ts is no game: its id "coup" is that of a game which ships with agon (docs/new-game.md shows a whole one)"`,
    )
    expect(await errorOf('./misplaced.ts')).toMatchInlineSnapshot(
      `"UserError: misplaced.ts is no game: scoring, board stand beside the game: export { game, scoring, board } (docs/new-game.md shows a whole one)"`,
    )
    expect(await errorOf('./seats.ts')).toMatchInlineSnapshot(
      `"UserError: seats.ts is no game: its seats {"min":3,"max":2} must be { min, max } with 1 ≤ min ≤ max (docs/new-game.md shows a whole one)"`,
    )
    expect(await errorOf('./nested.ts')).toMatchInlineSnapshot(
      `"UserError: nested.ts is no game: its option map = [[1,2],[3]] must be a number, a text, true or false, or a list of these (docs/new-game.md shows a whole one)"`,
    )
    expect(await errorOf('coop')).toMatchInlineSnapshot(
      `"UserError: unknown game "coop" (did you mean "coup"?); known: gunduel, coup, samurai, negotiate, stronger, kuhn, leduc, or a file such as ./mygame.ts"`,
    )
  })
})

test('options of the command line are those of the game', async () => {
  const samurai = await loadGame('samurai', folder)
  const negotiate = await loadGame('negotiate', folder)
  const options = (definition: typeof samurai, ...changes: string[]): unknown => {
    try {
      return { ...definition.game.options, ...optionChanges(definition, changes) }
    } catch (error) {
      return String(error)
    }
  }
  expect(options(samurai)).toEqual(samurai.game.options)
  expect(options(samurai, 'turns=20')).toEqual({ ...samurai.game.options, turns: 20 })
  const [name = ''] = Object.entries(negotiate.game.options).find(([, value]) => Array.isArray(value)) ?? []
  expect(options(negotiate, `${name}=5,9`)).toMatchObject({ [name]: [5, 9] })
  expect(options(negotiate, `${name}=[5, 9]`)).toMatchObject({ [name]: [5, 9] })
  expect(options(samurai, 'turns')).toMatchInlineSnapshot(
    `"UserError: the option "option" (turns): give a name and a value, such as turns=500"`,
  )
  expect(options(samurai, 'turn=3')).toMatchInlineSnapshot(
    `"UserError: the option "option" (turn=3): unknown option "turn" (did you mean "turns"?); samurai has turns, health, honour, sword"`,
  )
  const listed = { ...samurai, game: { ...samurai.game, options: { map: [] } } }
  expect(options(listed, 'map=[1,"a"]')).toEqual({ map: [1, 'a'] })
  expect(options(listed, 'map=[[1]]')).toMatchInlineSnapshot(
    `"UserError: the option "option" (map=[[1]]): option map = [[1]] must be a list of numbers, texts, true or false, such as []"`,
  )
  expect(options(samurai, 'turns=many')).toMatchInlineSnapshot(
    `"UserError: the option "option" (turns=many): option turns = "many" must be a whole number, such as 500"`,
  )
})
