import { describe, expect, it } from 'vitest'
import type { FinalTable, GameDefinition, MatchRecord } from '../src/core/index.js'
import { games } from '../src/games/index.js'
import { judge, transcriptOf } from '../src/match/index.js'
import { publishedMarkdown, publishedText } from '../src/text/index.js'
import { randomMatch } from './kit/archive.js'

const gameOf = (id: string): GameDefinition => games.find(({ game }) => game.id === id)!
const played = (id: string, names: readonly string[], faults = false): MatchRecord =>
  randomMatch(
    gameOf(id),
    '1/x/1',
    names.map((entrant, seat) => ({ entrant, id: seat + 4 })),
    { faults },
  )
const movesOf = (id: string, record: MatchRecord) => judge(gameOf(id), record).moves

describe('a transcript', () => {
  it('of samurai and of the gun duel is the characters of all turns, a line each', () => {
    for (const id of ['samurai', 'gunduel']) {
      const record = played(id, ['Ant', 'Bee|\u001b[31m'])
      const [first = '', second = '', ...more] = transcriptOf(gameOf(id), record).split('\n')
      const moves = movesOf(id, record)
      expect(first).toBe(`Ant: ${moves.map((step) => step[0] as string).join('')}`)
      expect(second).toContain(moves.map((step) => step[1] as string).join(''))
      expect(second).not.toMatch(/\u001b/)
      expect(more).toEqual([''])
    }
  })

  it('of coup is the game file', () => {
    const record = played('coup', ['Ant', 'Bee'])
    const text = transcriptOf(gameOf('coup'), record)
    // Every line begins with the capital letter of a turn (RULES.md, section 8).
    expect(
      text
        .trimEnd()
        .split('\n')
        .every((line) => /^[IFCETAS]/.test(line)),
    ).toBe(true)
    expect(text).toMatch(/^[IFCETAS]/)
  })

  it('of stronger is what its controller logged, which knows bots by their commands', () => {
    const record = played('stronger', ['Ant', 'Bee', 'Cat'], true)
    const commands = new Map([
      ['Ant', 'java Ant'],
      ['Bee', 'perl bee.pl'],
    ])
    const lines = transcriptOf(gameOf('stronger'), record, commands).split('\n')
    expect(lines.slice(0, 2)).toEqual(['Player Count: 3', 'Turn 1'])
    expect(lines.filter((line) => line.startsWith('Turn '))).toHaveLength(record.steps.length)
    const bots = lines.filter((line) => /^-?\d+\t\t\d+\t\t\([456]\)\t(?:java Ant|perl bee\.pl|Cat)$/.test(line))
    expect(bots).toHaveLength(3 * record.steps.length)
    const faults = movesOf('stronger', record)
      .flat()
      .filter((move) => typeof move === 'object' && move !== null)
    const refused = lines.filter((line) => line.includes('returned an invalid command'))
    expect(refused).toHaveLength(faults.length)
    for (const line of refused) expect(line).toMatch(/^(?:java Ant|perl bee\.pl|Cat) returned/)
  })

  it('of negotiate is its settings and the answers of each turn', () => {
    const record = played('negotiate', ['Ant', 'Bee', 'Cat', 'Dog'])
    const lines = transcriptOf(gameOf('negotiate'), record).trimEnd().split('\n')
    expect(lines[0]).toBe('9 4 6')
    expect(lines).toHaveLength(2 + 9 * 5)
    expect(lines.filter((line) => / [DN]$/.test(line))).toEqual(
      ['D', 'N', 'D', 'N', 'D', 'N', 'D', 'N', 'D'].map((part, i) => `${i + 1} ${part}`),
    )
    expect(lines.slice(3, 7)).toEqual(movesOf('negotiate', record)[0])
  })

  it('of a game without a notation of its own is a line a step', () => {
    const { transcript: _, ...bare } = gameOf('gunduel')
    const record = played('gunduel', ['Ant', 'Bee'])
    const lines = transcriptOf(bare, record).trimEnd().split('\n')
    expect(lines).toHaveLength(record.steps.length + 1)
    expect(lines[0]).toMatch(/^1\. Ant: .; Bee: .$/)
    expect(lines.at(-1)).toBe(
      `${record.outcome.reason}: Ant ${record.outcome.place[0]}, Bee ${record.outcome.place[1]}`,
    )
  })
})

describe('the table as its author published it', () => {
  const row = (name: string, points: number, cells: readonly (number | null)[], command = name) => ({
    name,
    points,
    cells,
    language: 'C++',
    command,
  })
  const shown = (id: string, table: FinalTable): string => publishedText(gameOf(id).published!(table))

  it('of the gun duel: player, language, points, rounds', () => {
    const table = {
      columns: ['1', '2'],
      rows: [row('Monte|Player', 2741, [1415, 1326]), row('GunClub', 500, [500, null])],
    }
    expect(shown('gunduel', table)).toBe(
      '| Player | Language | Points | 1 | 2 |\n|---|---|---:|---:|---:|\n' +
        '| Monte\\|Player | C++ | 2741 | 1415 | 1326 |\n| GunClub | C++ | 500 | 500 |  |\n',
    )
  })

  it('of stronger: wins, life and command, without those that won nothing', () => {
    const table = {
      columns: ['Life'],
      rows: [row('Santayana', 3, [561], 'perl Santayana.pl'), row('Tank', 1, [227], 'java Tank'), row('Zero', 0, [0])],
    }
    expect(shown('stronger', table)).toBe(
      [
        'Wins  Life(tiebreaker)  Name',
        '----  ----------------  -----------------',
        '   3               561  perl Santayana.pl',
        '   1               227  java Tank',
        '',
      ].join('\n'),
    )
  })

  it('of samurai and coup: a line an entrant', () => {
    expect(shown('samurai', { columns: [], rows: [row('The Observer', 209, []), row('Gargoyle', 119.5, [])] })).toBe(
      'The Observer: 209.0\nGargoyle: 119.5\n',
    )
    const coup = { columns: [], rows: [row('Calculator', 154, []), row('<b>', 7, [])] }
    expect(shown('coup', coup)).toBe('154 Calculator\n7 <b>\n')
    expect(publishedMarkdown(gameOf('coup').published!(coup))).toBe('154 Calculator\\\n7 &lt;b&gt;\n')
  })
})
