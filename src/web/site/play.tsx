import { useCallback, useEffect, useMemo, useState } from 'react'
import { type Legal, type MatchRecord, isList, visible } from '../../core/index.js'
import { Mark } from '../../games/viewer-kit/index.js'
import { useNarrow } from '../chart.js'
import { counted, figure, versus } from '../format.js'
import { Log, Press, Select } from '../parts.js'
import { definitionOf, viewerOf, wordsOf } from '../replay/match.js'
import { ActionField, Actions } from './actions.js'
import { type Action, post, slotIn, useAction, useApi, useTicks } from './api.js'
import { useGames } from './contest.js'
import type { Contest, List, Scrimmage, SiteGame, Sitting } from './facts.js'
import { go, pathTo, useAddress } from './router.js'
import { Above, Loaded, Problem, Shell, Waiting } from './shell.js'
import { Film } from './watch.js'

export function PlayPage() {
  const { query } = useAddress()
  const id = query.get('contest')
  const contest = useApi<Contest>(id === null ? undefined : pathTo(['contests', id]))
  const games = useApi<List<SiteGame>>('/games')
  const isShown = (game: SiteGame): boolean => id === null || game.id === contest.data?.game
  /** Opponents: the contest's entrants, else house bots, or those of open contests. */
  const offer = (game: SiteGame) => {
    if (contest.data?.sittings === false) return <p>People cannot play against the entrants of this contest.</p>
    const bots = contest.data?.entrants ?? game.house
    if (bots.length === 0)
      return contest.data ? <p>This contest has no entrants yet.</p> : <OpenContests game={game.id} />
    const sit = async (opponents: readonly string[]) => {
      const sitting = await post<{ readonly id: string }>('/sittings', {
        ...(id === null ? { game: game.id } : { contest: id }),
        opponents,
      })
      go(pathTo(['sittings', sitting.id]))
    }
    const first = query.get('bot') ?? undefined
    return <Choice game={game} bots={bots} first={first} label="against" word={`Play ${game.title}`} onPlay={sit} />
  }
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
              {offer(game)}
            </li>
          ))}
        </ul>
      )}
    </Shell>
  )
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
  // Waits for bots that think for long, or thought as the page opened.
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
  return <AtTheBoard sitting={sitting} move={move} />
}

/** There are actions, or a shape describes them. */
const isAsked = (legal: Legal): boolean => !isList(legal) || legal.length > 0

/** Its view is what the person is asked about, or saw last. */
function goneOn(before: Sitting | undefined, next: Sitting): Sitting {
  const seen = next.events.flatMap((event) => ('view' in event && event.view !== undefined ? [event.view] : []))
  return { ...next, view: next.view ?? seen.at(-1) ?? before?.view ?? null }
}

function Over({ sitting: { positions, seat }, record }: { readonly sitting: Sitting; readonly record: MatchRecord }) {
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
  return <Film packed={packed} note={note} back={['/play', 'All games']} start={record.steps.length} />
}

/** Drawn by the game's own viewer or as text. */
function AtTheBoard({ sitting, move }: { readonly sitting: Sitting; readonly move: Action<[action: string]> }) {
  const { busy, problem, run: onMove } = move
  const { game, seat, names, legal, turn, view, text } = sitting
  const [stage, narrow] = useNarrow()
  const definition = definitionOf(game)
  const viewer = definition && viewerOf(game)
  const scene = useMemo(
    () => (view === null || view === undefined ? view : viewer?.seen(view, seat)),
    [viewer, view, seat],
  )
  // What a person may do to itself is said so: 'attack yourself'.
  const word = useCallback(
    (action: string) => visible(wordsOf(definition, viewer, names.with(seat, 'yourself')).word(action)),
    [definition, viewer, names, seat],
  )
  return (
    <Shell title={versus(names)} above={<a href="/play">Play</a>}>
      <div className="sitting">
        <section ref={stage} className="stage panel" aria-label="board">
          {viewer && scene !== undefined && scene !== null ? (
            <viewer.Board
              scene={scene}
              before={undefined}
              moves={names.map(() => null)}
              seats={names.map((name, i) => ({ seat: i, name: visible(name) }))}
              order={[...names.keys()]}
              beat={{ turn, ms: 0 }}
              narrow={narrow}
              choice={!busy && isList(legal) ? { legal, onChoose: onMove } : undefined}
            />
          ) : (
            <Log
              label="position"
              kind="text-board"
              text={text ?? definition?.text?.(view, seat) ?? JSON.stringify(view, undefined, 2)}
            />
          )}
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

interface ChoiceProps {
  readonly game: SiteGame
  readonly bots: readonly string[]
  /** Is chosen first; absent: the first of the bots. */
  readonly first?: string
  /** Before the first opponent. */
  readonly label: string
  readonly word: string
  readonly onPlay: (opponents: readonly string[]) => Promise<void>
}

const MOST = 12

/** One choice a seat: seats have no name but their number. */
function Choice({ game: { title, seats }, bots, first, label, word, onPlay }: ChoiceProps) {
  const least = Math.max(1, seats.min - 1)
  const most = Math.max(least, Math.min(seats.max - 1, MOST))
  const ordered = first === undefined ? bots : [first, ...bots.filter((name) => name !== first)]
  const some = (n: number) => Array.from({ length: n }, (_, i) => ordered[i % ordered.length] ?? '')
  const [opponents, setOpponents] = useState<readonly string[]>(() => some(least))
  const play = useAction(onPlay)
  const n = opponents.length
  return (
    <>
      <p className="flow">
        {opponents.map((opponent, i) => (
          <Select
            key={i}
            label={i === 0 ? label : 'and'}
            value={opponent}
            options={bots.map((name) => [name, visible(name)])}
            onChoose={(name) => setOpponents(opponents.with(i, name))}
          />
        ))}
        {n < most && (
          <Press
            aria-label={`one more opponent in ${title}`}
            onClick={() => setOpponents([...opponents, ...some(n + 1).slice(n)])}
          >
            + one
          </Press>
        )}
        {n > least && (
          <Press aria-label={`one opponent less in ${title}`} onClick={() => setOpponents(opponents.slice(0, -1))}>
            − one
          </Press>
        )}
        <Press className="main" resting={play.busy} onClick={() => play.run(opponents)}>
          {word}
        </Press>
      </p>
      <Problem problem={play.problem} />
    </>
  )
}

export function TryIt({ contest, name }: { readonly contest: string; readonly name: string }) {
  const { data } = useApi<Contest>(pathTo(['contests', contest]))
  const game = useGames()?.find(({ id }) => id === data?.game)
  const bots = [...new Set([...(data?.entrants ?? []), ...(game?.house ?? [])])].filter((one) => one !== name)
  if (game === undefined || bots.length === 0) return null
  const play = async (opponents: readonly string[]) => {
    const path = pathTo(['contests', contest, 'scrimmages'])
    const { id } = await post<{ id: string }>(path, { bots: [name, ...opponents] }, { slot: slotIn(contest) })
    go(pathTo(['scrimmages', id], { contest }))
  }
  return (
    <section aria-labelledby="try">
      <h3 id="try">Try it</h3>
      <Choice game={game} bots={bots} label="A match that counts for nothing, against" word="Play it" onPlay={play} />
    </section>
  )
}

const TITLES = {
  waiting: 'It waits for its turn',
  playing: 'It is played',
  over: 'It is over',
  failed: 'It ended early',
}

/** A match that counts for nothing: its state, its course, then turn by turn. */
export function ScrimmagePage({ id, contest }: { readonly id: string; readonly contest: string | undefined }) {
  const { query } = useAddress()
  const [over, setOver] = useState(false)
  const looks = useTicks(over ? undefined : LOOK_MS)
  const asked = useApi<Scrimmage>(pathTo(['scrimmages', id]), looks, slotIn(contest))
  const { data, problem } = asked
  // One that is gone does not come back.
  const isGone = problem?.status === 404
  useEffect(() => setOver(isGone || data?.state === 'over' || data?.state === 'failed'), [isGone, data?.state])
  const { record, positions } = data ?? {}
  const packed = useMemo(() => record && { record, positions }, [record, positions])
  if (packed !== undefined && query.get('replay') === 'yes') {
    const note = (
      <p className="beside inner">
        A scrimmage: it counts for nothing.{' '}
        <Press className="plain" onClick={() => go(pathTo(['scrimmages', id], { contest }), true)}>
          How it went
        </Press>
      </p>
    )
    return <Film packed={packed} contest={data?.contest} note={note} />
  }
  return (
    <Shell title={data === undefined ? 'A scrimmage' : versus(data.bots)} above={<Above contest={contest} />}>
      <Loaded of={asked} what="the match">
        {(scrimmage) => (
          <section aria-labelledby="state">
            <h2 id="state">{TITLES[scrimmage.state]}</h2>
            <p>It counts for nothing: the table stays as it is. Only you and the host see it.</p>
            {scrimmage.why !== undefined && <p>{visible(scrimmage.why)}</p>}
            <Outcome scrimmage={scrimmage} onWatch={() => go(pathTo(['scrimmages', id], { contest, replay: 'yes' }))} />
            {over && contest !== undefined && <BackToBots contest={contest} bots={scrimmage.bots} />}
          </section>
        )}
      </Loaded>
    </Shell>
  )
}

function BackToBots({ contest, bots }: { readonly contest: string; readonly bots: readonly string[] }) {
  const entrants = useApi<Contest>(pathTo(['contests', contest])).data?.entrants ?? []
  return (
    <p className="flow">
      {[...new Set(bots)]
        .filter((name) => entrants.includes(name))
        .map((name) => (
          <a key={name} href={pathTo(['contests', contest, 'bots', name])}>
            {visible(name)}
          </a>
        ))}
    </p>
  )
}

const LISTED = 10

function Outcome({ scrimmage, onWatch }: { readonly scrimmage: Scrimmage; readonly onWatch: () => void }) {
  const { record, faults = [], stderr = [], positions } = scrimmage
  if (record === undefined) return null
  const { place, reason } = record.outcome
  const winners = record.seats.filter((_, seat) => place[seat] === 1).map(({ entrant }) => visible(entrant))
  const isShown = positions !== undefined || definitionOf(record.game)?.game.version === record.version
  return (
    <div role="status">
      <p>
        <b>{winners.length === 1 ? `${winners[0]} won` : `${winners.join(' and ')} drew`}</b> after{' '}
        {counted(record.steps.length, 'turn')} ({visible(reason)}).{' '}
        {faults.length === 0 ? 'Nobody was faulted.' : `${counted(faults.length, 'fault')}:`}
      </p>
      <ul>
        {faults.slice(0, LISTED).map(({ seat, turn, fault, why, said }) => (
          <li key={`${seat} ${turn}`}>
            {visible(record.seats[seat]?.entrant ?? '')}, turn {turn + 1}: {fault}
            {why !== undefined && `, ${visible(why)}`}
            {said !== undefined && (
              <>
                ; it answered <code>{visible(said)}</code>
              </>
            )}
          </li>
        ))}
      </ul>
      {isShown && <Press onClick={onWatch}>Watch it turn by turn</Press>}
      {stderr.map(({ name, text }) => (
        <div key={name}>
          <h3>What {visible(name)} wrote to its standard error</h3>
          <Log label={`standard error of ${visible(name)}`} text={text} />
        </div>
      ))}
    </div>
  )
}
