import { useEffect, useState } from 'react'
import type { MatchRecord } from '../../core/index.js'
import type { ComputedMatch, PackedMatch } from '../document.js'

/** A match while it is played, as far as the page has received it. */
export interface Watching {
  /** undefined: nothing has come yet, or nothing is shown of it. */
  readonly packed?: PackedMatch
  readonly seats?: MatchRecord['seats']
  /** Why no more of it is shown. */
  readonly sealed?: 'hidden' | 'chance'
  /** Its number, once it is stored. */
  readonly ended?: { readonly match: number }
  /** It is neither played nor stored. */
  readonly gone?: true
  readonly connected: boolean
}

type Began = Omit<MatchRecord, 'luck' | 'outcome'> & { readonly positions?: ComputedMatch }
interface Steps extends Pick<MatchRecord, 'steps' | 'times'> {
  readonly from: number
  readonly positions?: ComputedMatch
}

/** Watches a match of a contest. The browser connects again by itself, and is sent what it missed. */
export function useWatching(contest: string, key: string): Watching {
  const [watching, setWatching] = useState<Watching>({ connected: true })
  useEffect(() => {
    setWatching({ connected: true })
    const address = `/api/v1/contests/${encodeURIComponent(contest)}/live/events?match=${encodeURIComponent(key)}`
    const source = new EventSource(address)
    const on = <T>(kind: string, take: (now: Watching, data: T) => Watching) =>
      source.addEventListener(kind, (event) => {
        const data = JSON.parse((event as MessageEvent<string>).data) as T
        setWatching((now) => ({ ...take(now, data), connected: true }))
      })
    on<Began>('began', (_, began) => ({ packed: begunOf(began), seats: began.seats, connected: true }))
    on<Steps>('steps', (now, steps) => (now.packed ? { ...now, packed: withSteps(now.packed, steps) } : now))
    on<{ why: 'hidden' | 'chance' }>('sealed', (now, { why }) => ({ ...now, sealed: why }))
    on<{ match: number }>('ended', (now, ended) => {
      source.close()
      return { ...now, ended }
    })
    on('gone', (now) => {
      source.close()
      return { ...now, gone: true }
    })
    source.addEventListener('open', () => setWatching((now) => ({ ...now, connected: true })))
    source.addEventListener('error', () => setWatching((now) => ({ ...now, connected: false })))
    return () => source.close()
  }, [contest, key])
  return watching
}

/** A record that has no end yet. Nothing was drawn of its luck, so any does. */
function begunOf({ positions, ...began }: Began): PackedMatch {
  const outcome = { place: began.seats.map(() => 1), reason: '' }
  return { record: { ...began, luck: { seed: '', at: 0 }, outcome }, positions, live: true }
}

function withSteps(
  { record, positions }: PackedMatch,
  { from, steps, times = [], positions: more }: Steps,
): PackedMatch {
  const grown = {
    ...record,
    steps: [...record.steps.slice(0, from), ...steps],
    times: [...(record.times ?? []).slice(0, from), ...times],
  }
  return { record: grown, live: true, positions: positions && more ? joined(positions, more, from) : undefined }
}

/** Positions as text, the first of `more` being that after step `from`. */
function joined(positions: ComputedMatch, more: ComputedMatch, from: number): ComputedMatch {
  const boards = [...positions.boards.slice(0, from + 1), ...more.boards]
  const figures = positions.figures && more.figures && [...positions.figures.slice(0, from + 1), ...more.figures]
  const pictures = positions.pictures && more.pictures && [...positions.pictures.slice(0, from + 1), ...more.pictures]
  return {
    boards,
    moves: [...positions.moves.slice(0, from), ...more.moves],
    figures,
    pictures,
  }
}
