import { useLayoutEffect, useRef } from 'react'
import { FAULT_KINDS } from '../../core/faults.js'
import { visible } from '../../core/index.js'
import { counted } from '../format.js'
import { Field, Form, Press, Select } from '../parts.js'
import { type Pages, pagesOf, useApi } from './api.js'
import { MatchRows, OfContest } from './contest.js'
import type { Contest, MatchFacts } from './facts.js'
import { go, pathTo, useAddress } from './router.js'
import { Problem, Waiting } from './shell.js'

const FILTERS = ['bot', 'opponent', 'result', 'fault', 'least', 'most'] as const
type Filter = Partial<Record<(typeof FILTERS)[number], string>>

export function MatchesPage({ id }: { readonly id: string }) {
  const { query } = useAddress()
  const filter: Filter = Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? undefined]))
  return (
    <OfContest id={id} title="Matches">
      {(contest) => (
        <section aria-labelledby="matches">
          <h2 id="matches">Matches</h2>
          <Filters contest={contest} filter={filter} />
          <Found contest={contest} filter={filter} />
        </section>
      )}
    </OfContest>
  )
}

interface FilterProps {
  readonly contest: Contest
  readonly filter: Filter
}

const PAGE = 50

function Found({ contest: { id, matches }, filter }: FilterProps) {
  const { query } = useAddress()
  const pages = /^\d{1,3}$/.test(query.get('pages') ?? '') ? Number(query.get('pages')) : 1
  const path = pathTo(['contests', id, 'matches'], { ...filter, limit: PAGE })
  const { data, problem } = useApi<Pages<MatchFacts>>(path, pages, undefined, pagesOf(pages))
  const rows = useRef<HTMLDivElement>(null)
  /** How many there were when more were asked for: the list goes on below them. */
  const before = useRef<number>(undefined)
  const now = data?.items.length ?? 0
  useLayoutEffect(() => {
    if (before.current === undefined || now <= before.current) return
    rows.current?.querySelectorAll<HTMLElement>('tbody th a')[before.current]?.focus()
    before.current = undefined
  }, [now])
  if (data === undefined) return <Waiting problem={problem} what="the matches" />
  if (now === 0 && data.next === null)
    return <p className="empty">{matches > 0 ? 'No match fits this filter.' : 'No match has been played yet.'}</p>
  const more = () => {
    before.current = now
    go(pathTo(['contests', id, 'matches'], { ...filter, pages: pages + 1 }), true)
  }
  return (
    <>
      <div ref={rows}>{now > 0 && <MatchRows contest={id} matches={data.items} of={filter.bot} />}</div>
      <Problem problem={problem} />
      <div className="flow">
        <span role="status">
          {counted(now, 'match', 'matches')}
          {data.next !== null && ', and there may be more'}
        </span>
        {data.next !== null && (
          <Press resting={data.pages < pages} onClick={more}>
            Show more
          </Press>
        )}
      </div>
    </>
  )
}

type Choices = readonly (readonly [value: string, text: string])[]

function Filters({ contest: { id, entrants }, filter }: FilterProps) {
  const choose = (name: keyof Filter, value: string) =>
    go(pathTo(['contests', id, 'matches'], { ...filter, [name]: value }), true)
  const select = (label: string, name: keyof Filter, options: Choices) => (
    <Select label={label} value={filter[name] ?? ''} options={options} onChoose={(value) => choose(name, value)} />
  )
  const number = (label: string, name: 'least' | 'most') => (
    <Field
      label={label}
      type="number"
      min={0}
      max={1_000_000}
      className="short"
      value={filter[name] ?? ''}
      onWord={(word) => choose(name, /^\d{1,7}$/.test(word) ? word : '')}
    />
  )
  const names = [...entrants].sort((a, b) => a.localeCompare(b, 'en'))
  const anyone: Choices = [['', 'anyone'], ...names.map((name) => [name, visible(name)] as const)]
  return (
    <Form kind="filters flow" label="filter the matches" onSend={() => undefined}>
      {select('Player', 'bot', anyone)}
      {select('against', 'opponent', anyone)}
      {select('Result', 'result', [
        ['', 'any'],
        ['win', filter.bot ? 'it won' : 'one bot won'],
        ['draw', 'shared first place'],
        ...(filter.bot ? [['loss', 'it lost'] as const] : []),
      ])}
      {select('Faults', 'fault', [
        ['', 'any or none'],
        ['any', 'with faults'],
        ...FAULT_KINDS.map((kind) => [kind, kind] as const),
      ])}
      <span className="range">
        {number('Turns from', 'least')}
        {number('to', 'most')}
      </span>
    </Form>
  )
}
