// @vitest-environment happy-dom
import { cleanup, configure, fireEvent, render, screen, within } from '@testing-library/react'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type GameDefinition } from '../core/index.js'
import { games } from '../games/index.js'
import { folderSource, reportData, reportHtml } from '../results/index.js'
import { randomArchive } from '../../test/kit/archive.js'
import { App } from './app.js'
import { SharedProvider, formatPlace, parsePlace } from './shared.js'
import { type Report, loadReport } from './load.js'
import { duration, matchLabel, percent } from './format.js'
import { Standings } from './overview/standings.js'

// What is looked for comes, however busy the machine is.
configure({ asyncUtilTimeout: 60_000 })

const folder = mkdtempSync(join(tmpdir(), 'agon-page-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(() => {
  cleanup()
  history.replaceState(null, '', '#')
  vi.useRealTimers()
})

const samurai = games.find(({ game }) => game.id === 'samurai') as GameDefinition
let report: Report
beforeAll(async () => {
  const options = { ...samurai.game.options, turns: 12 }
  randomArchive(folder, samurai, ['Ant', 'Bee', '<b>Cat</b>'], { repetitions: 4, options })
  const file = join(folder, 'results.json')
  const results = JSON.parse(readFileSync(file, 'utf8')) as object
  writeFileSync(file, JSON.stringify({ ...results, leftOut: [{ name: '<i>Dog</i>', why: 'its build <u>failed</u>' }] }))
  const html = reportHtml(await reportData(folderSource(folder), samurai, true), { script: '', style: '' })
  report = await loadReport(new DOMParser().parseFromString(html, 'text/html'))
})
const open = (hash = '') => {
  history.replaceState(null, '', hash === '' ? '#' : hash)
  return render(<App report={report} />)
}
const rows = (name: string) => within(screen.getByRole('region', { name })).getAllByRole('row').slice(1)

describe('the overview', () => {
  it('shows the table in its order, with names as they are', () => {
    open()
    const names = rows('the table').map((row) => within(row).getByRole('button').textContent)
    expect(names).toEqual(report.document.standings.rows.map(({ entrant }) => report.document.entrants[entrant]?.name))
    expect(names).toContain('<b>Cat</b>')
  })

  it('tells who was left out and why, as text', () => {
    open()
    const left = within(screen.getByRole('list', { name: 'Left out' })).getAllByRole('listitem')
    expect(left.map((item) => item.textContent)).toEqual(['<i>Dog</i>: its build <u>failed</u>'])
  })

  it('says between whom the matches decide nothing', () => {
    open()
    expect(rows('the table').some((row) => row.textContent?.includes('not separable from'))).toBe(true)
  })

  it('names the next one by rating where the table has another order', () => {
    const { document } = report
    const [first, second, third] = document.standings.rows
    const superiority = [{ better: first?.entrant ?? 0, worse: second?.entrant ?? 0, probability: 0.999 }]
    const shown = (order: readonly (typeof first)[]): string | undefined => {
      const standings = { ...document.standings, rows: order.flatMap((row) => (row ? [row] : [])) }
      const changed = {
        ...document,
        standings,
        ratings: document.ratings ? { ...document.ratings, superiority } : undefined,
      }
      const shared = {
        report: { ...report, document: changed },
        place: {},
        go: () => undefined,
        href: () => '',
        bot: () => '',
      }
      render(
        <SharedProvider value={shared}>
          <Standings />
        </SharedProvider>,
      )
      const text = rows('the table')[0]?.querySelector('.next')?.textContent ?? undefined
      cleanup()
      return text
    }
    const name = document.entrants[second?.entrant ?? 0]?.name
    expect(shown([first, second, third])).toBe('>\u00a099\u00a0% sure')
    expect(shown([first, third, second])).toBe(`over ${name}: >\u00a099\u00a0% sure`)
  })

  it('says where it is watched live how many places somebody has gained or lost', () => {
    const [first, second, third] = report.document.standings.rows.map(
      ({ entrant }) => report.document.entrants[entrant]?.name ?? '',
    )
    const moved = new Map([
      [first ?? '', 2],
      [second ?? '', -1],
      [third ?? '', 0],
    ])
    const shared = { report, place: {}, go: () => undefined, href: () => '', bot: () => '', moved }
    render(
      <SharedProvider value={shared}>
        <Standings />
      </SharedProvider>,
    )
    const ranks = rows('the table').map((row) => row.querySelector('.rank')?.textContent?.replace(/^\d+/, ''))
    expect(ranks).toEqual([
      '▲2, 2 places up since this page was opened',
      '▼1, 1 place down since this page was opened',
      '',
    ])
  })

  it('opens with who leads, and plays a match at once', async () => {
    const { container } = open()
    expect(container.querySelector('.lead')?.textContent).toMatch(/ won (together )?with .*\.$/)
    const watch = screen.getByRole('link', { name: /^Watch .+ beat .+/ })
    const { match: key, play } = parsePlace(watch.getAttribute('href') ?? '')
    expect([report.matches.some((row) => row[0] === key), play]).toEqual([true, true])
    location.hash = watch.getAttribute('href') ?? ''
    expect(await screen.findByRole('button', { name: 'pause' })).toBeTruthy()
  })

  it('marks who is out in its row, and says in words what the columns mean', () => {
    const [first, ...rest] = report.document.standings.rows
    const standings = { ...report.document.standings, rows: first ? [{ ...first, out: 'disqualified' }, ...rest] : [] }
    render(<App report={{ ...report, document: { ...report.document, standings } }} />)
    const marked = rows('the table').map((row) => within(row).queryByText('disqualified') !== null)
    expect(marked).toEqual([true, ...rest.map(() => false)])
    const [meanings] = screen.getAllByText('What the columns mean')
    expect(meanings?.parentElement?.textContent).toMatch(/First place ?how probable it is/)
  })

  it('names a match by its round and its number', () => {
    expect(['2/Ant%2DBot-Bee/3', 'playoff-1/Ant-Bee/1', '1/Ant-Bee', 'own'].map(matchLabel)).toEqual([
      'round 2, match 3',
      'playoff 1, match 1',
      'round 1',
      'own',
    ])
  })

  it('leads from a cell of the crosstable to its matches', async () => {
    open()
    const first = rows('the table of meetings').at(0) as HTMLElement
    const cell = within(first).getAllByRole('link').at(0)
    expect(cell?.textContent).toMatch(/against .*: \d+ per cent of 4 matches/)
    location.hash = cell?.getAttribute('href') ?? ''
    expect(await screen.findByText('4 matches')).toBeTruthy()
    expect(rows('the list of matches')).toHaveLength(4)
  })

  it('filters the matches by faults and by how they ended', () => {
    open()
    const all = report.matches.length
    expect(rows('the list of matches')).toHaveLength(all)
    fireEvent.click(screen.getByLabelText('with faults'))
    const faulted = report.matches.filter((row) => row[5]).length
    expect(rows('the list of matches')).toHaveLength(faulted)
    expect(faulted).toBeGreaterThan(0)
    expect(faulted).toBeLessThan(all)
    fireEvent.click(screen.getByLabelText('with faults'))
    const reason = report.matches[0]?.[3] ?? ''
    fireEvent.change(screen.getByLabelText('Ended by'), { target: { value: reason } })
    expect(rows('the list of matches')).toHaveLength(report.matches.filter((row) => row[3] === reason).length)
  })

  it('highlights one entrant everywhere', () => {
    const { container } = open('#bot=Bee')
    expect([...container.querySelectorAll('tr.chosen')].every((row) => row.textContent?.includes('Bee'))).toBe(true)
    expect(container.querySelectorAll('tr.chosen').length).toBeGreaterThan(2)
    expect(container.querySelector('.end.chosen text')?.lastChild?.textContent).toBe('Bee')
  })
})

describe('the replay', () => {
  const match = () => report.matches.find((row) => row[4] > 6)?.[0] ?? ''
  const slider = () => screen.getByRole<HTMLInputElement>('slider', { name: 'turn' })
  const press = (key: string) => fireEvent.keyDown(document.body, { key })

  it('opens at the turn of the address', async () => {
    open(formatPlace({ match: match(), turn: 3 }))
    expect((await screen.findByRole<HTMLInputElement>('slider')).value).toBe('3')
    expect(document.querySelector('[aria-current=step]')?.textContent).toMatch(/^3/)
  })

  it('goes by keys: a turn, ten, the ends, key events', async () => {
    open(formatPlace({ match: match(), turn: 0 }))
    await screen.findByRole('slider')
    const last = slider().max
    press('ArrowRight')
    expect(slider().value).toBe('1')
    press('ArrowLeft')
    expect(slider().value).toBe('0')
    press('End')
    expect(slider().value).toBe(last)
    press('p')
    expect(Number(slider().value)).toBeLessThan(Number(last))
    press('Home')
    expect(slider().value).toBe('0')
    press('n')
    expect(Number(slider().value)).toBeGreaterThan(0)
  })

  it('plays at the speed that is chosen, and remembers it', async () => {
    open(formatPlace({ match: match(), turn: 0 }))
    await screen.findByRole('slider')
    fireEvent.change(screen.getByLabelText('Speed'), { target: { value: '2' } })
    expect(localStorage.getItem('agon.speed')).toBe('2')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    fireEvent.click(screen.getByRole('button', { name: 'play' }))
    const { act } = await import('react')
    await act(() => vi.advanceTimersByTimeAsync(460))
    expect(slider().value).toBe('1')
    await act(() => vi.advanceTimersByTimeAsync(460))
    expect(slider().value).toBe('2')
    fireEvent.change(slider(), { target: { value: '4' } })
    expect(screen.getByRole('button', { name: 'play' })).toBeTruthy()
    localStorage.removeItem('agon.speed')
  })

  it('follows a click in the list of moves', async () => {
    open(formatPlace({ match: match(), turn: 0 }))
    await screen.findByRole('slider')
    fireEvent.click(
      within(screen.getByRole('region', { name: 'moves' }))
        .getAllByRole('button')
        .at(4) as HTMLElement,
    )
    expect(slider().value).toBe('5')
  })

  it('says what is wrong where there is no such match', async () => {
    open('#match=nowhere')
    expect(await screen.findByText(/there is no match "nowhere"/)).toBeTruthy()
  })
})

describe('the address', () => {
  it('comes back as it was written', () => {
    const places = [{}, { match: '1/Ant-%2F/3', turn: 0, as: 1 }, { at: 'matches', bot: 'A&b=#', rival: 'Ü' }]
    for (const place of places) expect(parsePlace(formatPlace(place))).toEqual(place)
  })
  it('leaves out what is not understood', () => {
    expect(parsePlace('#turn=-1&as=x&match=&colour=red')).toEqual({})
  })
})

it('tells figures in the unit that suits them', () => {
  expect([840, 3210, 45_300, 386_000, 1_050_000].map(duration)).toEqual([
    '840 µs',
    '3.21 ms',
    '45.3 ms',
    '386 ms',
    '1.05 s',
  ])
  expect([0, 0.0004, 0.039, 0.39, 1].map(percent)).toEqual([
    '0\u00a0%',
    '<\u00a00.1\u00a0%',
    '3.9\u00a0%',
    '39\u00a0%',
    '100\u00a0%',
  ])
})
