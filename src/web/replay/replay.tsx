import { useEffect, useMemo, useRef, useState } from 'react'
import type { MatchRecord } from '../../core/index.js'
import type { PackedMatch } from '../document.js'
import { useNarrow } from '../drawn-width.js'
import { counted, matchLabel } from '../format.js'
import { useShared } from '../shared.js'
import { type Beat, Mark } from '../../games/viewer-kit/index.js'
import { useAddress } from './address.js'
import { Controls } from './controls.js'
import { EvaluationBar } from './evaluation-bar.js'
import { endText, nextEvent } from './events.js'
import type { Film } from './frames.js'
import { Graph } from './graph.js'
import { Help, type KeyAction, useKeys } from './keys.js'
import { type OpenMatch, useMatch } from './match.js'
import { Moves } from './moves.js'
import { Picture } from './picture.js'
import { type Playback, SPEEDS, usePlayback } from './playback.js'
import { Players } from './players.js'
import { TextBoard } from './text-board.js'
import { Timeline } from './timeline.js'

/** Shows a match turn by turn: one shell for every game, the board by the game's own viewer. */
export function Replay({ packed }: { readonly packed: PackedMatch }) {
  const { place, go } = useShared()
  const match = useMatch(packed)
  const { record, definition, film, seats, as, events, scenes, tallies } = match
  const last = Math.max(0, film.frames.length - 1)
  const playback = usePlayback(last, place.turn ?? 0, place.play)
  const { turn } = playback.beat
  const [flipped, setFlipped] = useState(false)
  const help = useRef<HTMLDialogElement>(null)
  const setAs = useAddress(turn, as, playback.jump)

  const toEvent = (step: 1 | -1) => {
    const at = nextEvent(events, turn, step)
    if (at !== undefined) playback.to(at)
  }
  const flip = () => setFlipped(!flipped)
  const showHelp = () => help.current?.showModal()
  const back = () => go({ at: 'matches' })
  useKeys({
    ...movesOf(playback, last, toEvent),
    'flip the board': flip,
    'this help': showHelp,
    'back to the report': back,
  })

  useFollowing(film.live === true, last, playback)
  const over = turn === last && film.stopped === undefined && !film.live
  return (
    <main className="replay" id="main" tabIndex={-1}>
      <Heading match={match} position={positionText(film, turn, over)} />
      <div className="table">
        <div className="column">
          <BoardAndVerdict match={match} beat={playback.beat} flipped={flipped} over={over} />
          <div className="console">
            <Timeline last={last} turn={turn} events={events} onTurn={playback.to} />
            <Controls
              playback={playback}
              last={last}
              seats={seats}
              as={as}
              views={definition !== undefined}
              onEvent={toEvent}
              onAs={setAs}
              onFlip={flip}
              onDownload={() => download(record)}
              onHelp={showHelp}
            />
            {tallies.length > 0 && (
              <Graph scenes={scenes} tallies={tallies} seats={seats} turn={turn} onTurn={playback.to} />
            )}
          </div>
        </div>
        <div className="column">
          <PlayersAndMoves match={match} turn={turn} over={over} onTurn={playback.to} />
        </div>
      </div>
      <Help dialog={help} />
    </main>
  )
}

function positionText({ frames, live }: Film, turn: number, over: boolean): string {
  const last = Math.max(0, frames.length - 1)
  if (live) return `turn ${turn} of ${last} so far`
  return over || turn > 0 ? `turn ${turn} of ${last}` : counted(last, 'turn')
}

/** While a match is played, a spectator at its last step is taken along to each new one. */
function useFollowing(live: boolean, last: number, { beat, jump, to }: Playback): void {
  const before = useRef(last)
  useEffect(() => {
    const from = before.current
    before.current = last
    if (!live || last <= from || beat.turn !== from) return
    if (last === from + 1) to(last)
    else jump(last)
  }, [live, last, beat.turn, to, jump])
}

/** What the keys do that move through a match of `last` turns or set the speed. */
function movesOf(
  playback: Playback,
  last: number,
  toEvent: (step: 1 | -1) => void,
): Readonly<Record<Exclude<KeyAction, 'flip the board' | 'this help' | 'back to the report'>, () => void>> {
  const { turn } = playback.beat
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
    'to the end': () => playback.to(last),
    'to the next key event': () => toEvent(1),
    'to the previous key event': () => toEvent(-1),
    faster: () => faster(1),
    slower: () => faster(-1),
  }
}

/** Who plays, the match's key, and the position in words. */
function Heading({ match: { seats, record }, position }: { readonly match: OpenMatch; readonly position: string }) {
  const { href, back = 'All matches' } = useShared()
  return (
    <header>
      <p>
        <a href={href({ at: 'matches' })}>{back}</a>
      </p>
      <h1 tabIndex={-1}>
        {seats.length > 4
          ? `A match of ${seats.length}`
          : seats.map(({ seat, name }) => (
              <span key={seat} className="side">
                <Mark seat={seat} size={20} /> {name}
              </span>
            ))}
      </h1>
      <p className="key">
        {record.key !== undefined && <span>{matchLabel(record.key)} · </span>}
        <span>{position}</span>
      </p>
    </header>
  )
}

interface BoardProps {
  readonly match: OpenMatch
  readonly beat: Beat
  /** Whether the seats are shown from right to left. */
  readonly flipped: boolean
  /** Whether this is the position at which the match ended. */
  readonly over: boolean
}

/** A position by the game's viewer, or else as text; under the last one how the match ended. */
function BoardAndVerdict({ match, beat, flipped, over }: BoardProps) {
  const { record, definition, viewer, film, names, seats, as, rows, scenes, evaluation } = match
  const { turn } = beat
  const [stage, narrow] = useNarrow()
  const order = useMemo(() => (flipped ? seats.toReversed() : seats).map(({ seat }) => seat), [flipped, seats])
  return (
    <section ref={stage} className="stage" aria-label="board">
      {viewer && scenes[turn] !== undefined ? (
        <viewer.Board
          scene={scenes[turn]}
          before={scenes[turn - 1]}
          moves={(rows[turn - 1] ?? []).map((move) =>
            move === null || move === 'hidden' ? null : 'fault' in move ? move : move.action,
          )}
          seats={seats}
          order={order}
          beat={beat}
          narrow={narrow}
        />
      ) : film.frames[turn]?.picture === undefined ? (
        <TextBoard definition={definition} names={names} film={film} turn={turn} as={as} />
      ) : (
        <Picture picture={film.frames[turn].picture} />
      )}
      {evaluation && <EvaluationBar evaluation={evaluation} seats={seats} order={order} turn={turn} />}
      {over && <p className="verdict">{endText(names, record.outcome)}</p>}
      {film.stopped !== undefined && <p className="verdict fault">The replay ends here: {film.stopped}</p>}
    </section>
  )
}

interface PlayersAndMovesProps {
  readonly match: OpenMatch
  readonly turn: number
  /** Whether this is the position at which the match ended. */
  readonly over: boolean
  readonly onTurn: (turn: number) => void
}

function PlayersAndMoves({ match, turn, over, onTurn }: PlayersAndMovesProps) {
  const { record, film, left, seats, rows, words, scenes, tallies, evaluation } = match
  return (
    <>
      <Players
        lost={evaluation?.lost}
        seats={seats}
        film={film}
        left={left?.[turn]}
        turn={turn}
        moves={rows[turn - 1] ?? []}
        scene={scenes[turn]}
        tallies={tallies}
        places={over ? record.outcome.place : undefined}
        word={words.word}
      />
      <Moves seats={seats} rows={rows} turn={turn} lost={evaluation?.lost} {...words} onTurn={onTurn} />
    </>
  )
}

/** Hands the reader a record as a file that `agon verify` and `agon replay` read. */
function download(record: MatchRecord): void {
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(record)}\n`], { type: 'application/jsonl' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${(record.key ?? 'match').replace(/[^\w.-]+/g, '_')}.jsonl`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
