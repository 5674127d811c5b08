import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { FAULT_KINDS } from '../../core/faults.js'
import { visible } from '../../core/index.js'
import { counted } from '../format.js'
import { Press } from '../press.js'
import { type Fetched, ask, useApi } from './api.js'
import { ContestShell } from './contest.js'
import type { Contest, List, MatchFacts } from './facts.js'
import { MatchRows } from './match-rows.js'
import { go, pathTo, useAddress } from './router.js'
import { Empty, Problem, Shell, Waiting } from './shell.js'

const FILTERS = ['bot', 'opponent', 'result', 'fault', 'least', 'most'] as const
type Filter = Partial<Record<(typeof FILTERS)[number], string>>

/** The matches of a contest, filtered by what stands in the address. */
export function MatchesPage({ id }: { readonly id: string }) {
  const { query } = useAddress()
  const contest = useApi<Contest>(pathTo(['contests', id]))
  const filter: Filter = Object.fromEntries(
    FILTERS.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])),
  )
  const asked = /^\d{1,3}$/.test(query.get('pages') ?? '') ? Number(query.get('pages')) : 1
  const list = usePages(pathTo(['contests', id, 'matches'], { ...filter, limit: 50 }), asked)
  const onMore = () => go(pathTo(['contests', id, 'matches'], { ...filter, pages: asked + 1 }), true)
  if (contest.data === undefined) {
    return (
      <Shell title="Matches">
        <Waiting problem={contest.problem} what="the contest" />
      </Shell>
    )
  }
  return (
    <ContestShell contest={contest.data}>
      <section aria-labelledby="matches">
        <h2 id="matches">Matches</h2>
        <Filters contest={contest.data} filter={filter} />
        <Found list={list} contest={contest.data} onMore={onMore} of={filter.bot} />
      </section>
    </ContestShell>
  )
}

interface FoundProps {
  readonly list: Pages
  readonly contest: Contest
  readonly of?: string
  readonly onMore: () => void
}

function Found({ list, contest, of, onMore }: FoundProps) {
  const { items, problem, more, busy } = list
  const rows = useRef<HTMLDivElement>(null)
  /** How many there were when more were asked for: the list goes on below them. */
  const before = useRef<number>(undefined)
  const now = items?.length ?? 0
  useLayoutEffect(() => {
    if (before.current === undefined || now <= before.current) return
    rows.current?.querySelectorAll<HTMLElement>('tbody th a')[before.current]?.focus()
    before.current = undefined
  }, [now])
  if (items === undefined) return <Waiting problem={problem} what="the matches" />
  if (items.length === 0 && !more)
    return <Empty>{contest.matches > 0 ? 'No match fits this filter.' : 'No match has been played yet.'}</Empty>
  return (
    <>
      <div ref={rows}>{items.length > 0 && <MatchRows contest={contest.id} matches={items} of={of} />}</div>
      {problem && <Problem problem={problem} />}
      <div className="pager">
        <span role="status">
          {counted(items.length, 'match', 'matches')}
          {more ? ', and there may be more' : ''}
        </span>
        {more && (
          <Press
            resting={busy}
            onClick={() => {
              before.current = now
              onMore()
            }}
          >
            Show more
          </Press>
        )}
      </div>
    </>
  )
}

function Filters({ contest: { id, entrants }, filter }: { readonly contest: Contest; readonly filter: Filter }) {
  const choose = (name: (typeof FILTERS)[number], value: string) =>
    go(pathTo(['contests', id, 'matches'], { ...filter, [name]: value }), true)
  const names = [...entrants].sort((a, b) => a.localeCompare(b, 'en'))
  const select = (
    label: string,
    name: (typeof FILTERS)[number],
    any: string,
    options: readonly (readonly [string, string])[],
  ) => (
    <label>
      {label}
      <select value={filter[name] ?? ''} onChange={(event) => choose(name, event.currentTarget.value)}>
        <option value="">{any}</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
  const number = (label: string, name: 'least' | 'most') => (
    <label>
      {label}
      <input
        type="number"
        min={0}
        max={1_000_000}
        className="short"
        value={filter[name] ?? ''}
        onChange={(event) => choose(name, /^\d{1,7}$/.test(event.currentTarget.value) ? event.currentTarget.value : '')}
      />
    </label>
  )
  const bots = names.map((name) => [name, visible(name)] as const)
  return (
    <form className="bar-of-controls" aria-label="filter the matches" onSubmit={(event) => event.preventDefault()}>
      {select('Player', 'bot', 'anyone', bots)}
      {select('against', 'opponent', 'anyone', bots)}
      {select('Result', 'result', 'any', [
        ['win', filter.bot ? 'it won' : 'one bot won'],
        ['draw', 'shared first place'],
        ...(filter.bot ? [['loss', 'it lost'] as const] : []),
      ])}
      {select('Faults', 'fault', 'any or none', [
        ['any', 'with faults'],
        ...FAULT_KINDS.map((kind) => [kind, kind] as const),
      ])}
      <span className="range">
        {number('Turns from', 'least')}
        {number('to', 'most')}
      </span>
    </form>
  )
}

interface Pages {
  /** undefined: nothing has come yet. */
  readonly items: readonly MatchFacts[] | undefined
  readonly problem: Fetched<never>['problem']
  /** There is a page after those that were asked for. */
  readonly more: boolean
  /** Pages that were asked for have not come yet. */
  readonly busy: boolean
}

/** So many pages of a list, one after the other. */
function usePages(path: string, wanted: number): Pages {
  const first = useApi<List<MatchFacts>>(path)
  const [rest, setRest] = useState<{ readonly path: string; readonly pages: readonly List<MatchFacts>[] }>()
  const [problem, setProblem] = useState<Pages['problem']>()
  const pages = first.data === undefined ? [] : [first.data, ...(rest?.path === path ? rest.pages : [])]
  const next = pages.at(-1)?.next ?? null
  const busy = next !== null && pages.length < wanted && problem === undefined
  useEffect(() => {
    setProblem(undefined)
    if (!busy) return undefined
    const abort = new AbortController()
    ask<List<MatchFacts>>('GET', `${path}&cursor=${encodeURIComponent(next)}`, undefined, { signal: abort.signal })
      .then((page) => setRest((now) => ({ path, pages: [...(now?.path === path ? now.pages : []), page] })))
      .catch((error: unknown) => abort.signal.aborted || setProblem(error as Pages['problem']))
    return () => abort.abort()
  }, [path, wanted, next])
  return {
    items: first.data && pages.flatMap(({ items }) => items),
    problem: problem ?? first.problem,
    busy,
    more: next !== null,
  }
}
