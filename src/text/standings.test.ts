import { describe, expect, it } from 'vitest'
import type { Standings } from '../core/index.js'
import { standingsCsv, standingsMarkdown, standingsText, width } from './index.js'
import { visible } from '../core/index.js'

const standings: Standings = {
  columns: ['1', '2', '3'],
  rows: [
    { rank: 1, entrant: 2, name: 'The Observer', points: 209, cells: [100, 60.5, 48.5] },
    { rank: 2, entrant: 0, name: '侍の剣', points: 60.5, cells: [60.5, 0, null] },
    { rank: 2, entrant: 1, name: 'a|b, "c" *d*', points: 60.5, cells: [60.5, 0, null] },
    { rank: 4, entrant: 3, name: 'evil\u001b[2J\u202e\n', points: 1 / 3, cells: [1 / 3, null, null] },
  ],
  notes: ['The Observer won the playoff'],
}

describe('the table', () => {
  it('as text', () => {
    expect(standingsText(standings)).toMatchInlineSnapshot(`
      "#  Name                        Points      1     2     3
      -  --------------------------  ------  -----  ----  ----
      1  The Observer                   209    100  60.5  48.5
      2  侍の剣                        60.5   60.5     0
      2  a|b, "c" *d*                  60.5   60.5     0
      4  evil\\u{1b}[2J\\u{202e}\\u{a}   0.333  0.333

      The Observer won the playoff
      "
    `)
  })

  it('with the countries of entrants beside their names, if any has one', () => {
    const field = [
      { facts: { country: 'JP' } },
      { facts: { author: 'Ann' } },
      { facts: { country: 'CH' } },
      { facts: {} },
    ]
    const countries = (lines: string, at: number) =>
      lines
        .split('\n')
        .slice(0, 6)
        .map((line) => line.slice(at, at + 9))
    expect(countries(standingsText(standings, { field }).replaceAll('侍の剣', 'sword '), 30)).toEqual([
      ' Country ',
      ' ------- ',
      ' CH      ',
      ' JP      ',
      '         ',
      '         ',
    ])
    expect(standingsMarkdown(standings, field).split('\n')[2]).toContain('| The Observer | CH | ')
    const [head, , second, third] = standingsCsv(standings, field).split('\r\n')
    expect([head, second, third]).toEqual([
      'rank,name,country,points,1,2,3',
      '2,侍の剣,JP,60.5,60.5,0,',
      '2,"a|b, ""c"" *d*",,60.5,60.5,0,',
    ])
    expect(standingsText(standings, { field: [{ facts: { author: 'Ann' } }] })).toBe(standingsText(standings))
  })

  it('with columns beside it only where everything fits', () => {
    const beside = [{ head: 'Elo', cells: ['+10', '0', '−4', '−6'], right: true }]
    const wide = standingsText(standings, { width: 61, beside }).split('\n')
    expect([wide[0]?.endsWith('     1     2     3  Elo'), wide[2]?.endsWith('  48.5  +10')]).toEqual([true, true])
    expect(standingsText(standings, { width: 60, beside })).toBe(standingsText(standings, { width: 60 }))
  })

  it('as text where the terminal is narrow: the latest columns', () => {
    const text = standingsText(standings, { width: 54 })
    expect(text).toMatchInlineSnapshot(`
      "#  Name                        Points  …     2     3
      -  --------------------------  ------  -  ----  ----
      1  The Observer                   209     60.5  48.5
      2  侍の剣                        60.5        0
      2  a|b, "c" *d*                  60.5        0
      4  evil\\u{1b}[2J\\u{202e}\\u{a}   0.333

      The Observer won the playoff
      "
    `)
    for (const line of text.split('\n').slice(0, 6)) expect(width(line)).toBeLessThanOrEqual(54)
    expect(standingsText(standings, { width: 200 })).toBe(standingsText(standings))
    expect(standingsText(standings, { width: 1 }).split('\n')[0]).toMatch(/Points {2}…$/)
  })

  it('as Markdown', () => {
    expect(standingsMarkdown(standings)).toMatchInlineSnapshot(`
      "| # | Name | Points | 1 | 2 | 3 |
      |---:|---|---:|---:|---:|---:|
      | 1 | The Observer | 209 | 100 | 60.5 | 48.5 |
      | 2 | 侍の剣 | 60.5 | 60.5 | 0 |  |
      | 2 | a\\|b, "c" \\*d\\* | 60.5 | 60.5 | 0 |  |
      | 4 | evil\\\\u{1b}\\[2J\\\\u{202e}\\\\u{a} | 0.333 | 0.333 |  |  |

      - The Observer won the playoff
      "
    `)
  })

  it('as CSV', () => {
    expect(standingsCsv(standings)).toMatchInlineSnapshot(`
      "rank,name,points,1,2,3
      1,The Observer,209,100,60.5,48.5
      2,侍の剣,60.5,60.5,0,
      2,"a|b, ""c"" *d*",60.5,60.5,0,
      4,evil\\u{1b}[2J\\u{202e}\\u{a},0.333,0.333,,
      "
    `)
  })

  it('as CSV with the line ends of RFC 4180', () => {
    expect(standingsCsv(standings).split('\r\n').length).toBe(6)
  })

  it('without entrants', () => {
    expect(standingsText({ columns: [], rows: [], notes: [] })).toBe('#  Name  Points\n-  ----  ------\n')
  })
})

describe('visible', () => {
  it('leaves no control character and nothing that turns the writing', () => {
    const all = Array.from({ length: 0x2100 }, (_, code) => String.fromCharCode(code)).join('')
    expect(visible(all)).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/)
    expect(visible('Ant Bee-ß 侍')).toBe('Ant Bee-ß 侍')
  })
})
