import { useCallback, useEffect, useMemo, useState } from 'react'
import { type GameDefinition, type Legal, isList, visible } from '../../core/index.js'
import { type AnyViewer, Mark } from '../../games/viewer-kit/index.js'
import { useNarrow } from '../chart.js'
import { figure, versus } from '../format.js'
import { definitionOf, viewerOf } from '../games.js'
import { Log } from '../parts.js'
import { wordsOf } from '../replay/match.js'
import { ActionField, Actions } from './actions.js'
import { type ApiProblem, post, useAction, useApi } from './api.js'
import type { Sitting } from './facts.js'
import { useTicks } from './live.js'
import { Film } from './match.js'
import { pathTo } from './router.js'
import { Problem, Shell, Waiting } from './shell.js'

/** Milliseconds between two looks at a match whose bots think. */
const LOOK_MS = 1000

export function SittingPage({ id }: { readonly id: string }) {
  const [sitting, setSitting] = useState<Sitting>()
  const [failures, setFailures] = useState(0)
  const since = sitting && sitting.first + sitting.events.length
  const move = useAction(async (action: string) => {
    try {
      const next = await post<Sitting>(pathTo(['sittings', id, 'moves'], { since }), { action })
      setSitting((now) => goneOn(now, next))
    } catch (error) {
      // It may have been made all the same.
      setFailures((n) => n + 1)
      throw error
    }
  })
  // Bots that think for long, or thought when the page was opened, are waited for.
  const waits = sitting !== undefined && sitting.record === undefined && !isAsked(sitting.legal) && !move.busy
  const looks = `${useTicks(waits ? LOOK_MS : undefined)} ${failures}`
  const path = useMemo(() => pathTo(['sittings', id], { since }), [id, looks])
  const { data, problem } = useApi<Sitting>(path, looks)
  useEffect(() => data && setSitting((now) => goneOn(now, data)), [data])
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

/** A sitting as it is now; its view is what the person is asked about, or saw last. */
function goneOn(before: Sitting | undefined, next: Sitting): Sitting {
  const seen = next.events.flatMap((event) => ('view' in event && event.view !== undefined ? [event.view] : []))
  return { ...next, view: next.view ?? seen.at(-1) ?? before?.view ?? null }
}

interface OverProps {
  readonly sitting: Sitting
  readonly record: NonNullable<Sitting['record']>
}

function Over({ sitting, record }: OverProps) {
  const { id, positions } = sitting
  const packed = useMemo(() => ({ record, positions }), [record, positions])
  const note = (
    <section aria-label="how it ended">
      <p className="beside inner" tabIndex={-1} data-arrival>
        <b>{verdictOf(sitting)}</b> <a href="/play">Play again</a>
      </p>
    </section>
  )
  return (
    <Film
      packed={packed}
      own={(turn, as) => pathTo(['sittings', id], { turn, as })}
      note={note}
      back={['/play', 'All games']}
      start={record.steps.length}
    />
  )
}

function verdictOf({ outcome, seat }: Sitting): string {
  const place = outcome?.place ?? []
  const first = place.filter((one) => one === 1).length
  if (place[seat] !== 1) return 'You lost.'
  return first > 1 ? 'A draw.' : 'You won.'
}

interface AtTheBoardProps {
  readonly sitting: Sitting
  readonly busy: boolean
  readonly problem: ApiProblem | undefined
  readonly onMove: (action: string) => void
}

function AtTheBoard({ sitting, busy, problem, onMove }: AtTheBoardProps) {
  const { game, seat, names, legal, turn } = sitting
  const [stage, narrow] = useNarrow()
  const definition = definitionOf(game)
  const viewer = definition && viewerOf(game)
  // What a person may do to itself is said so: 'attack yourself'.
  const word = useCallback(
    (action: string) => visible(wordsOf(definition, viewer, names.with(seat, 'yourself')).word(action)),
    [definition, viewer, names, seat],
  )
  return (
    <Shell title={versus(names)} above={<a href="/play">Play</a>}>
      <div className="sitting">
        <section ref={stage} className="stage panel" aria-label="board">
          <Board
            sitting={sitting}
            definition={definition}
            viewer={viewer}
            narrow={narrow}
            onChoose={busy ? undefined : onMove}
          />
        </section>
        <section className="answers panel" aria-labelledby="answers">
          <h2 id="answers" aria-live="polite">
            {!busy && isAsked(legal) ? 'Your move' : 'They think …'}
          </h2>
          <p className="quiet">
            <Mark seat={seat} /> is you; it is turn {figure(turn + 1)}. The key on a button chooses it, too; the arrow
            keys go from one to the next.{viewer?.hint !== undefined && ` ${viewer.hint}`}{' '}
            <a href={pathTo(['games', game])}>The rules</a>
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

interface BoardProps {
  readonly sitting: Sitting
  readonly definition: GameDefinition | undefined
  readonly viewer: AnyViewer | undefined
  readonly narrow: boolean
  /** undefined: nothing can be chosen now. */
  readonly onChoose: ((action: string) => void) | undefined
}

/** What the person sees, drawn by the game's own viewer, or as text. */
function Board({ sitting, definition, viewer, narrow, onChoose }: BoardProps) {
  const { seat, names, legal, turn, view, text } = sitting
  const scene = useMemo(
    () => (viewer && view !== null && view !== undefined ? viewer.seen(view, seat) : undefined),
    [viewer, view, seat],
  )
  if (viewer && scene !== undefined) {
    return (
      <viewer.Board
        scene={scene}
        before={undefined}
        moves={names.map(() => null)}
        seats={names.map((name, i) => ({ seat: i, name: visible(name) }))}
        order={[...names.keys()]}
        beat={{ turn, ms: 0 }}
        narrow={narrow}
        choice={onChoose && isList(legal) ? { legal, onChoose } : undefined}
      />
    )
  }
  const shown = text ?? definition?.text?.(view, seat) ?? JSON.stringify(view, undefined, 2)
  return <Log label="position" kind="text-board" text={shown} />
}
