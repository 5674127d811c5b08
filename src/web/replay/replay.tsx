import { useRef, useState } from 'react'
import { Mark } from '../../games/viewer-kit/index.js'
import type { PackedMatch } from '../document.js'
import { counted, matchLabel } from '../format.js'
import { useShared } from '../shared.js'
import { Board } from './board.js'
import { Controls } from './controls.js'
import { type Deeds, Help, useKeys } from './deeds.js'
import { nextEvent } from './events.js'
import { Graph } from './graph.js'
import { type OpenMatch, useMatch } from './match.js'
import { Moves } from './moves.js'
import { type Playback, SPEEDS, useAddress, useFollowing, usePlayback } from './playback.js'
import { Players } from './players.js'
import { Timeline } from './timeline.js'

/** Shows a match turn by turn: one shell for every game, the board by the game's own viewer. */
export function Replay({ packed }: { readonly packed: PackedMatch }) {
  const { place, go } = useShared()
  const match = useMatch(packed)
  const { film, as, events, tallies } = match
  const last = Math.max(0, film.frames.length - 1)
  const playback = usePlayback(last, place.turn ?? 0, place.play)
  const { turn } = playback.beat
  const [flipped, setFlipped] = useState(false)
  const help = useRef<HTMLDialogElement>(null)
  useAddress(playback, as)
  useFollowing(film.live === true, last, playback)
  const deeds: Deeds = {
    ...movesOf(playback, match),
    'flip the board': () => setFlipped(!flipped),
    'this help': () => help.current?.showModal(),
    'back to the report': () => go({ at: 'matches' }),
  }
  useKeys(deeds)
  const over = turn === last && film.stopped === undefined && !film.live
  return (
    <main className="replay inner" id="main" tabIndex={-1}>
      <Heading match={match} turn={turn} over={over} />
      <div className="table">
        <div className="column">
          <Board match={match} beat={playback.beat} flipped={flipped} over={over} />
          <div className="console panel">
            <Timeline last={last} turn={turn} events={events} onTurn={playback.to} />
            <Controls playback={playback} last={last} match={match} deeds={deeds} />
            {tallies.length > 0 && <Graph match={match} turn={turn} onTurn={playback.to} />}
          </div>
        </div>
        <div className="column">
          <Players match={match} turn={turn} over={over} />
          <Moves match={match} turn={turn} onTurn={playback.to} />
        </div>
      </div>
      <Help dialog={help} />
    </main>
  )
}

/** What moves through a match or sets the speed. */
function movesOf(
  playback: Playback,
  { events, film }: OpenMatch,
): Omit<Deeds, 'flip the board' | 'this help' | 'back to the report'> {
  const { turn } = playback.beat
  const toEvent = (step: 1 | -1) => playback.to(nextEvent(events, turn, step) ?? turn)
  const faster = (step: 1 | -1) => {
    const next = SPEEDS[SPEEDS.findIndex((speed) => speed === playback.speed) + step]
    if (next !== undefined) playback.setSpeed(next)
  }
  return {
    'play or pause': playback.toggle,
    'a turn on': () => playback.to(turn + 1),
    'a turn back': () => playback.to(turn - 1),
    'ten turns on': () => playback.to(turn + 10),
    'ten turns back': () => playback.to(turn - 10),
    'to the start': () => playback.to(0),
    'to the end': () => playback.to(film.frames.length),
    'to the next key event': () => toEvent(1),
    'to the previous key event': () => toEvent(-1),
    faster: () => faster(1),
    slower: () => faster(-1),
  }
}

/** Seats that are named in the heading, at most. */
const NAMED = 4

interface HeadingProps {
  readonly match: OpenMatch
  readonly turn: number
  readonly over: boolean
}

/** Who plays, the match's key, and the position in words. */
function Heading({ match: { seats, record, film }, turn, over }: HeadingProps) {
  const { href, back = 'All matches' } = useShared()
  const last = Math.max(0, film.frames.length - 1)
  const position = over || film.live || turn > 0 ? `turn ${turn} of ${last}` : counted(last, 'turn')
  return (
    <header>
      <a href={href({ at: 'matches' })}>{back}</a>
      <h1 className="flow" tabIndex={-1}>
        {seats.length > NAMED
          ? `A match of ${seats.length}`
          : seats.map(({ seat, name }) => (
              <span key={seat} className="side">
                <Mark seat={seat} size={20} /> {name}
              </span>
            ))}
      </h1>
      <p className="key">
        {record.key !== undefined && `${matchLabel(record.key)} · `}
        {film.live ? `${position} so far` : position}
      </p>
    </header>
  )
}
