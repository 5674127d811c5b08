import { useCallback, useEffect, useMemo, useState } from 'react'
import { type GameDefinition, type Legal, isList, visible } from '../../core/index.js'
import { type AnyViewer, Mark } from '../../games/viewer-kit/index.js'
import { useNarrow } from '../chart.js'
import { figure, versus } from '../format.js'
import { definitionOf, viewerOf } from '../games.js'
import { Log } from '../parts.js'
import { wordsOf } from '../replay/match.js'
import { ActionField, Actions } from './actions.js'
import { type ApiProblem, post, useAction, useApi, useTicks } from './api.js'
import type { Contest, List, SiteGame, Sitting } from './facts.js'
import { Film } from './watch.js'
import { go, pathTo, useAddress } from './router.js'
import { Choice } from './scrimmage.js'
import { Problem, Shell, Waiting } from './shell.js'

export function PlayPage() {
  const { query } = useAddress()
  const id = query.get('contest')
  const contest = useApi<Contest>(id === null ? undefined : pathTo(['contests', id]))
  const games = useApi<List<SiteGame>>('/games')
  const isShown = (game: SiteGame): boolean => id === null || game.id === contest.data?.game
  return (
    <Shell
      title="Play"
      above={contest.data && <a href={pathTo(['contests', contest.data.id])}>{visible(contest.data.title)}</a>}
      below={
        <p className="summary">
          {id === null
            ? 'Sit down against bots. What is hidden stays on the server.'
            : 'Sit down against entrants of the contest. It counts for nothing.'}
        </p>
      }
    >
      {games.data === undefined || (id !== null && contest.data === undefined) ? (
        <Waiting problem={contest.problem ?? games.problem} what="the games" />
      ) : (
        <ul className="cards" role="list">
          {games.data.items.filter(isShown).map((game) => (
            <li key={game.id} className="panel">
              <h2>{game.title}</h2>
              <p className="quiet">{game.summary}</p>
              <Offer game={game} contest={contest.data} first={query.get('bot') ?? undefined} />
            </li>
          ))}
        </ul>
      )}
    </Shell>
  )
}

interface OfferProps {
  readonly game: SiteGame
  readonly contest: Contest | undefined
  readonly first: string | undefined
}

/** Whom a game can be played against: entrants of the contest, or else its house bots, or those of the contests that are open. */
function Offer({ game, contest, first }: OfferProps) {
  if (contest?.sittings === false) return <p>People cannot play against the entrants of this contest.</p>
  const bots = contest?.entrants ?? game.house
  if (bots.length === 0) return contest ? <p>This contest has no entrants yet.</p> : <OpenContests game={game.id} />
  const sit = async (opponents: readonly string[]) => {
    const body = contest === undefined ? { game: game.id, opponents } : { contest: contest.id, opponents }
    const { id } = await post<{ readonly id: string }>('/sittings', body)
    go(pathTo(['sittings', id]))
  }
  return <Choice game={game} bots={bots} first={first} label="against" word={`Play ${game.title}`} onPlay={sit} />
}

function OpenContests({ game }: { readonly game: string }) {
  const { data, problem } = useApi<List<Contest>>('/contests?limit=200')
  if (data === undefined) return <Waiting problem={problem} what="its contests" />
  const open = data.items.filter(
    (one) => one.hosted && one.game === game && one.sittings !== false && one.entrants.length > 0,
  )
  if (open.length === 0)
    return <p>No bots come with this game. As soon as one is entered in a contest of it, you can play against that.</p>
  return (
    <>
      <p>No bots come with this game. Play against the entrants of</p>
      <ul>
        {open.map(({ id, title }) => (
          <li key={id}>
            <a href={pathTo(['play'], { contest: id })}>{visible(title)}</a>
          </li>
        ))}
      </ul>
    </>
  )
}

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

/** Whether the person may choose now: there are actions, or a shape describes them. */
const isAsked = (legal: Legal): boolean => !isList(legal) || legal.length > 0

/** A sitting as it is now; its view is what the person is asked about, or saw last. */
function goneOn(before: Sitting | undefined, next: Sitting): Sitting {
  const seen = next.events.flatMap((event) => ('view' in event && event.view !== undefined ? [event.view] : []))
  return { ...next, view: next.view ?? seen.at(-1) ?? before?.view ?? null }
}

interface OverProps {
  readonly sitting: Sitting
  readonly record: NonNullable<Sitting['record']>
}

function Over({ sitting: { id, positions, seat }, record }: OverProps) {
  const packed = useMemo(() => ({ record, positions }), [record, positions])
  const { place } = record.outcome
  const isShared = place.filter((one) => one === 1).length > 1
  const note = (
    <section aria-label="how it ended">
      <p className="beside inner" tabIndex={-1} data-arrival>
        <b>{place[seat] !== 1 ? 'You lost.' : isShared ? 'A draw.' : 'You won.'}</b> <a href="/play">Play again</a>
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
          <Problem problem={problem} />
        </section>
      </div>
    </Shell>
  )
}

interface BoardProps {
  readonly sitting: Sitting
  readonly definition: GameDefinition | undefined
  readonly viewer: AnyViewer | undefined
  readonly narrow: boolean
  /** undefined: nothing can be chosen now. */
  readonly onChoose: ((action: string) => void) | undefined
}

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
