import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { playOut, specOf } from '../../test/kit/tournament.js'
import type { Result } from '../core/index.js'
import {
  gridOf,
  OPPONENTS,
  createTournament,
  crosstable,
  crosstableCsv,
  crosstableMarkdown,
  crosstableText,
  crosstableTitle,
} from './index.js'

const scoring = { win: 1, draw: 0.5, loss: 0, ties: [] }
const result = (key: string, seats: readonly number[], place: readonly number[]): Result => ({
  key,
  seats,
  outcome: { place, reason: 'so' },
})
const names = ['Ant', 'Bee|"b"', 'Cat, the\u001b[31m']
const results = [
  result('1/Ant-Bee/1', [0, 1], [1, 2]),
  result('1/Ant-Bee/2', [1, 0], [1, 2]),
  result('1/Ant-Bee/3', [0, 1], [1, 1]),
  result('1/Ant-Cat/1', [2, 0], [2, 1]),
  result('playoff-1/Ant-Bee/1', [0, 1], [2, 1]),
]

describe('crosstable', () => {
  it('counts both ways, seats and playoffs aside', () => {
    const meetings = gridOf(crosstable(names, scoring, results))
    expect(meetings[0]?.[1]).toEqual({ n: 3, wins: 1, draws: 1, losses: 1, points: 1.5 })
    expect(meetings[2]?.[0]).toEqual({ n: 1, wins: 0, draws: 0, losses: 1, points: 0 })
    expect([meetings[0]?.[0], meetings[1]?.[2], meetings[2]?.[1]]).toEqual([undefined, undefined, undefined])
  })

  it('shows those asked for, in that order', () => {
    const table = crosstable(names, scoring, results, [1, 0])
    expect(table.names).toEqual([names[1], names[0]])
    expect(gridOf(table)[1]?.[0]?.points).toBe(1.5)
  })

  it('of a large field has only the first opponents, and says where the others are', () => {
    const many = Array.from({ length: OPPONENTS + 50 }, (_, i) => `Bot${i}`)
    const far = many.length - 1
    const table = crosstable(many, scoring, [result('1', [0, far], [1, 2]), result('2', [1, 2], [1, 2])])
    expect(table.rows[far]).toEqual([{ opponent: 0, n: 1, wins: 0, draws: 0, losses: 1, points: 0 }])
    const [head = ''] = crosstableMarkdown(table).split('\n')
    expect(head.endsWith(` ${OPPONENTS} |`)).toBe(true)
    expect(crosstableMarkdown(table)).toContain('The first 300 of 350 opponents; all are in crosstable.csv.')
    expect(crosstableText(table, 100, 'it')).toMatch(/The first \d+ of 350 opponents; all are in it\./)
    expect(crosstableCsv(table)).toContain('Bot349,Bot0,1,0,0,1,0')
  })

  it('compares places, two by two, in a match of many', () => {
    const table = crosstable(['Ant', 'Bee', 'Cat'], scoring, [result('1/all/1', [2, 0, 1], [3, 1, 1])])
    const meetings = gridOf(table)
    expect([table.ahead, crosstableTitle(table)]).toEqual([true, expect.stringContaining('finished ahead')])
    const nothing = crosstable(['A', 'B', 'C'], { ...scoring, win: 9, draw: 0 }, [result('1', [0, 1, 2], [1, 1, 3])])
    expect(
      gridOf(nothing)[0]?.map((meeting) => meeting?.points),
      'whatever the points are',
    ).toEqual([undefined, 0.5, 1])
    expect(meetings.map((row) => row.map((meeting) => meeting?.points ?? null))).toEqual([
      [null, 0.5, 1],
      [0.5, null, 1],
      [0, 0, null],
    ])
  })

  it('has rows that sum to the points of a round robin', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 6 }),
        fc.array(fc.integer({ min: 1, max: 2 }), { minLength: 60 }),
        (n, places) => {
          const spec = specOf(['a', 'b', 'c', 'd', 'e', 'f'].slice(0, n), { format: { repetitions: 2, swap: true } })
          const tournament = createTournament(spec)
          let at = 0
          const some = playOut(tournament, ({ seats }) => {
            const first = places[at++ % places.length] ?? 1
            return { place: seats.map((_, seat) => (seat === 0 ? first : 1)), reason: 'so' }
          })
          const { rows } = crosstable(spec.names, spec.scoring, some.values())
          for (const { entrant, points } of tournament.standings(some).rows) {
            expect(rows[entrant]?.reduce((sum, meeting) => sum + meeting.points, 0)).toBe(points)
          }
        },
      ),
    )
  })
})

describe('tables of it', () => {
  const table = crosstable(names, scoring, results)
  it('text', () => {
    expect(crosstableText(table)).toMatchInlineSnapshot(`
      "#  Name                  1    2  3
      -  ------------------  ---  ---  -
      1  Ant                   ·  1.5  1
      2  Bee|"b"             1.5    ·
      3  Cat, the\\u{1b}[31m    0       ·
      "
    `)
  })
  it('Markdown', () => {
    expect(crosstableMarkdown(table)).toMatchInlineSnapshot(`
      "| # | Name | 1 | 2 | 3 |
      |---:|---|---:|---:|---:|
      | 1 | Ant | · | 1.5 | 1 |
      | 2 | Bee\\|"b" | 1.5 | · |  |
      | 3 | Cat, the\\\\u{1b}\\[31m | 0 |  | · |
      "
    `)
  })
  it('CSV', () => {
    expect(crosstableCsv(table)).toMatchInlineSnapshot(`
      "name,opponent,n,wins,draws,losses,points
      Ant,"Bee|""b""",3,1,1,1,1.5
      Ant,"Cat, the\\u{1b}[31m",1,1,0,0,1
      "Bee|""b""",Ant,3,1,1,1,1.5
      "Cat, the\\u{1b}[31m",Ant,1,0,0,1,0
      "
    `)
  })
})
