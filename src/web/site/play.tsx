import { useCallback, useEffect, useMemo, useState } from 'react'
import { type GameDefinition, type Legal, type MatchRecord, type Move, isList, visible } from '../../core/index.js'
import { useNarrow } from '../drawn-width.js'
import { figure, versus } from '../format.js'
import { definitionOf, viewerOf } from '../games.js'
import { Replay } from '../replay/replay.js'
import { SharedProvider } from '../shared.js'
import { type AnyViewer, Mark } from '../../games/viewer-kit/index.js'
import { ActionField, Actions } from './actions.js'
import { type ApiProblem, ask, useAction, useApi } from './api.js'
import type { Sitting } from './facts.js'
import { sharedOf } from './match.js'
import { follow, go, Link, pathTo, useAddress } from './router.js'
import { Bar, Problem, Shell, Waiting } from './shell.js'

/** Milliseconds between two looks at a match whose bots think. */
const LOOK_MS = 1000

/** A person at the board. */
export function SittingPage({ id }: { readonly id: string }) {
  const [sitting, setSitting] = useState<Sitting>()
  const [looks, setLooks] = useState(0)
  const since = sitting && sitting.first + sitting.events.length
  const path = useMemo(() => pathTo(['sittings', id], { since }), [id, looks])
  const { data, problem } = useApi<Sitting>(path, looks)
  useEffect(() => data && setSitting((now) => goneOn(now, data)), [data])
  const move = useAction(async (action: string) => {
    try {
      const next = await ask<Sitting>('POST', pathTo(['sittings', id, 'moves'], { since }), { action })
      setSitting((now) => goneOn(now, next))
    } catch (error) {
      // It may have been made all the same.
      setLooks((n) => n + 1)
      throw error
    }
  })
  // Bots that think for long, or thought when the page was opened, are waited for.
  const waits = sitting !== undefined && sitting.record === undefined && !isAsked(sitting.legal) && !move.busy
  useEffect(() => {
    if (!waits) return undefined
    const timer = setInterval(() => setLooks((n) => n + 1), LOOK_MS)
    return () => clearInterval(timer)
  }, [waits])
  if (sitting === undefined) {
    return (
      <Shell title="Play">
        <Waiting problem={problem} what="the board" />
      </Shell>
    )
  }
  if (sitting.record !== undefined) return <Over sitting={sitting} record={sitting.record} />
  return <AtTheBoard sitting={sitting} busy={move.busy} problem={move.problem} onMove={move.run} />
}

/** The newest events that the page keeps: it shows what was seen last. */
const EVENTS = 100

/** A sitting with what has happened since. */
function goneOn(before: Sitting | undefined, next: Sitting): Sitting {
  const events = [...(before?.events ?? []), ...next.events].slice(-EVENTS)
  return { ...next, events, first: next.first + next.events.length - events.length }
}

/** The match is over: its replay. */
function Over({ sitting, record }: { readonly sitting: Sitting; readonly record: MatchRecord }) {
  const { query } = useAddress()
  const turn = query.get('turn')
  const shared = useMemo(() => {
    const base = sharedOf(
      sitting.id,
      undefined,
      { record },
      {
        match: sitting.id,
        turn: turn !== null && /^\d{1,9}$/.test(turn) ? Number(turn) : record.steps.length,
      },
    )
    const href: typeof base.href = (place) =>
      place.match === undefined ? '/play' : pathTo(['sittings', sitting.id], { turn: place.turn, as: place.as })
    return {
      ...base,
      back: 'All games',
      href,
      go: (to: Parameters<typeof base.go>[0], replace?: boolean) => go(href(to), replace),
    }
  }, [sitting.id, record, turn])
  return (
    <SharedProvider value={shared}>
      <Bar />
      <section aria-label="how it ended">
        <p className="inner verdict-of" tabIndex={-1} data-arrival>
          {verdictOf(sitting)} <Link to="/play">Play again</Link>
        </p>
      </section>
      <div onClick={follow}>
        <Replay packed={sitting.positions ? { record, positions: sitting.positions } : { record }} />
      </div>
    </SharedProvider>
  )
}

function verdictOf({ outcome, seat }: Sitting): string {
  const place = outcome?.place ?? []
  const first = place.filter((one) => one === 1).length
  if (place[seat] !== 1) return 'You lost.'
  return first > 1 ? 'A draw.' : 'You won.'
}

interface BoardProps {
  readonly sitting: Sitting
  readonly busy: boolean
  readonly problem: ApiProblem | undefined
  readonly onMove: (action: string) => void
}

function AtTheBoard({ sitting, busy, problem, onMove }: BoardProps) {
  const { game, seat, names, legal, turn } = sitting
  const [stage, narrow] = useNarrow()
  const definition = definitionOf(game)
  const viewer = definition && viewerOf(game)
  // What a person may do to itself is said so: 'attack yourself'.
  const word = useCallback(
    (action: string) => wordOf(action, definition, viewer, names.with(seat, 'yourself')),
    [definition, viewer, names, seat],
  )
  return (
    <Shell title={versus(names.map(visible))} above={<Link to="/play">Play</Link>}>
      <div className="sitting">
        <section ref={stage} className="stage" aria-label="board">
          <Board
            sitting={sitting}
            definition={definition}
            viewer={viewer}
            narrow={narrow}
            onChoose={busy ? undefined : onMove}
          />
        </section>
        <section className="answers" aria-labelledby="answers">
          <h2 id="answers" aria-live="polite">
            {!busy && isAsked(legal) ? 'Your move' : 'They think …'}
          </h2>
          <p className="quiet">
            <Mark seat={seat} /> is you; it is turn {figure(turn + 1)}. The key on a button chooses it, too; the arrow
            keys go from one to the next.{viewer?.hint !== undefined && ` ${viewer.hint}`}{' '}
            <Link to={pathTo(['games', game])}>The rules</Link>
          </p>
          {isList(legal) ? (
            <Actions legal={legal} wordOf={word} busy={busy} onMove={onMove} />
          ) : (
            <ActionField shape={legal} busy={busy} onMove={onMove} />
          )}
          {problem && <Problem problem={problem} />}
        </section>
      </div>
    </Shell>
  )
}

/** Whether the person may choose now: there are actions, or a shape describes them. */
const isAsked = (legal: Legal): boolean => !isList(legal) || legal.length > 0

/** What the person sees: what it is asked about, or what it saw last. */
function viewOf({ view, events }: Sitting): unknown {
  const seen = events.flatMap((event) => ('view' in event && event.view !== undefined ? [event.view] : []))
  return view ?? seen.at(-1) ?? null
}

const wordOf = (
  action: string,
  definition: GameDefinition | undefined,
  viewer: AnyViewer | undefined,
  names: readonly string[],
) => visible(viewer?.word?.(action, names) ?? definition?.actions?.[action] ?? action)

/** What the person sees, drawn by the game's own viewer, or as text. */
function Board({
  sitting,
  definition,
  viewer,
  narrow,
  onChoose,
}: {
  readonly sitting: Sitting
  readonly definition: GameDefinition | undefined
  readonly viewer: AnyViewer | undefined
  readonly narrow: boolean
  /** undefined: nothing can be chosen now. */
  readonly onChoose: ((action: string) => void) | undefined
}) {
  const { seat, names, legal } = sitting
  const { turn } = sitting
  const view = viewOf(sitting)
  const seats = names.map((name, i) => ({ seat: i, name: visible(name) }))
  const scene = useMemo(
    () => (viewer && view !== null && view !== undefined ? viewer.seen(view, seat) : undefined),
    [viewer, view, seat],
  )
  if (viewer && scene !== undefined) {
    const nothing: (Move<string> | null)[] = names.map(() => null)
    return (
      <viewer.Board
        scene={scene}
        before={undefined}
        moves={nothing}
        seats={seats}
        order={seats.map((one) => one.seat)}
        beat={{ turn, ms: 0 }}
        narrow={narrow}
        choice={onChoose && isList(legal) ? { legal, onChoose } : undefined}
      />
    )
  }
  const text = sitting.text ?? definition?.text?.(view, seat) ?? JSON.stringify(view, undefined, 2)
  return (
    <pre className="text-board" tabIndex={0} role="region" aria-label="position">
      {text.split('\n').map(visible).join('\n')}
    </pre>
  )
}
