import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { visible } from '../../core/index.js'
import type { PackedMatch } from '../document.js'
import { kitOf, seatNames, viewerOf } from '../games.js'
import type { Place } from '../hash.js'
import { useShared } from '../shared.js'
import { Mark } from '../../viewer-kit/index.js'
import { Controls } from './controls.js'
import { endText, eventsOf, nextEvent } from './events.js'
import { filmOf } from './frames.js'
import { Graph } from './graph.js'
import { Help } from './help.js'
import { useKeys } from './keys.js'
import { Moves } from './moves.js'
import { SPEEDS, usePlayer } from './player.js'
import { Players } from './players.js'
import { download } from './save.js'
import { shownMoves, wordsOf } from './seen.js'
import { TextBoard } from './text-board.js'
import { Timeline } from './timeline.js'

/** Shows a match turn by turn: one shell for every game, the board by the game's own viewer. */
export function Replay({ packed }: { readonly packed: PackedMatch }) {
  const { report, place, go } = useShared()
  const { record } = packed
  const kit = packed.told ? undefined : kitOf(record.game)
  const viewer = kit && viewerOf(record.game)
  const film = useMemo(() => filmOf(kit, packed), [kit, packed])
  const last = Math.max(0, film.frames.length - 1)
  const player = usePlayer(last, place.turn ?? 0)
  const { turn } = player.beat
  const [flipped, setFlipped] = useState(false)
  const help = useRef<HTMLDialogElement>(null)

  const names = useMemo(() => seatNames(record), [record])
  const seats = useMemo(
    () =>
      record.seats.map(({ entrant, wire }, seat) => ({
        seat,
        name: names[seat] ?? '',
        wire,
        limit: report.document.entrants.find(({ name }) => name === entrant)?.limit ?? 1000,
      })),
    [record, names, report],
  )
  const as = kit && place.as !== undefined && place.as < seats.length ? place.as : undefined
  const events = useMemo(
    () =>
      eventsOf(film, viewer, names, record.outcome).filter(
        // Whether somebody lied is not for the others to know.
        ({ kind, seat }) => as === undefined || kind !== 'bluff' || seat === as,
      ),
    [film, viewer, names, record, as],
  )
  const rows = useMemo(() => shownMoves(film, viewer, as), [film, viewer, as])
  const words = useMemo(() => wordsOf(kit, viewer, names), [kit, viewer, names])
  const scenes = useMemo(
    () =>
      viewer && kit
        ? film.frames.map(({ state }) =>
            as === undefined ? viewer.scene(state) : viewer.seen(kit.game.view(state, as), as),
          )
        : [],
    [viewer, kit, film, as],
  )
  const order = useMemo(() => (flipped ? seats.toReversed() : seats).map(({ seat }) => seat), [flipped, seats])

  const here = useCallback(
    (change: Partial<Place>): Place => {
      const { match } = place
      const next = { ...(match !== undefined && { match }), turn, ...(as !== undefined && { as }), ...change }
      return next.as === undefined ? { match: next.match ?? '', turn: next.turn } : next
    },
    [place, turn, as],
  )
  // The address follows the position, but not every frame of a fast replay: browsers take that ill.
  const written = useRef(place.turn)
  useEffect(() => {
    if (written.current === turn || (written.current === undefined && turn === 0)) return undefined
    const timer = setTimeout(() => {
      written.current = turn
      go(here({}), true)
    }, 250)
    return () => clearTimeout(timer)
  }, [turn, go, here])
  // And the position follows the address, where it was another who changed it.
  const { jump } = player
  useEffect(() => {
    if (place.turn === written.current) return
    written.current = place.turn
    jump(place.turn ?? 0)
  }, [place.turn, jump])

  const toEvent = (step: 1 | -1) => {
    const at = nextEvent(events, turn, step)
    if (at !== undefined) player.to(at)
  }
  const faster = (step: 1 | -1) => {
    const next = SPEEDS[SPEEDS.findIndex((speed) => speed === player.speed) + step]
    if (next !== undefined) player.setSpeed(next)
  }
  const flip = () => setFlipped(!flipped)
  const back = () => go({ at: 'matches' })
  const showHelp = () => help.current?.showModal()
  useKeys({
    'play or pause': player.toggle,
    'a turn on': () => player.to(turn + 1),
    'a turn back': () => player.to(turn - 1),
    'ten turns on': () => player.to(turn + 10),
    'ten turns back': () => player.to(turn - 10),
    'to the start': () => player.to(0),
    'to the end': () => player.to(last),
    'to the next key event': () => toEvent(1),
    'to the previous key event': () => toEvent(-1),
    'flip the board': flip,
    faster: () => faster(1),
    slower: () => faster(-1),
    'this help': showHelp,
    'back to the report': back,
  })

  const frame = film.frames[turn]
  const over = turn === last && film.stopped === undefined
  const moves = rows[turn - 1] ?? []
  const tallies = viewer?.tallies ?? []
  return (
    <main className="replay" id="main">
      <header>
        <p>
          <a href="#at=matches">All matches</a>
        </p>
        <h1>
          {seats.length > 4
            ? `A match of ${seats.length}`
            : seats.map(({ seat, name }) => (
                <span key={seat} className="side">
                  <Mark seat={seat} size={20} /> {name}
                </span>
              ))}
        </h1>
        <p className="key">
          {record.key !== undefined && <code>{visible(record.key)}</code>}{' '}
          <span>{over || turn > 0 ? `turn ${turn} of ${last}` : `${last} turns`}</span>
        </p>
      </header>
      <div className="table">
        <div className="column">
          <section className="stage" aria-label="board">
            {viewer && scenes[turn] !== undefined ? (
              <viewer.Board
                scene={scenes[turn]}
                before={scenes[turn - 1]}
                moves={moves.map((move) =>
                  move === null || move === 'hidden' ? null : 'fault' in move ? move : move.action,
                )}
                seats={seats}
                order={order}
                beat={player.beat}
              />
            ) : (
              <TextBoard kit={kit} frame={frame} as={as} />
            )}
            {over && <p className="verdict">{endText(names, record.outcome)}</p>}
            {film.stopped !== undefined && <p className="verdict fault">The replay ends here: {film.stopped}</p>}
          </section>
          <div className="console">
            <Timeline last={last} turn={turn} events={events} onTurn={player.to} />
            <Controls
              player={player}
              last={last}
              seats={seats}
              as={as}
              views={kit !== undefined}
              onEvent={toEvent}
              onAs={(seat) => {
                const { as: _, ...rest } = here({})
                go(seat === undefined ? rest : { ...rest, as: seat }, true)
              }}
              onFlip={flip}
              onDownload={() => download(record)}
              onHelp={showHelp}
            />
            {tallies.length > 0 && (
              <Graph scenes={scenes} tallies={tallies} seats={seats} turn={turn} onTurn={player.to} />
            )}
          </div>
        </div>
        <div className="column">
          <Players
            seats={seats}
            film={film}
            turn={turn}
            moves={moves}
            scene={scenes[turn]}
            tallies={tallies}
            places={over ? record.outcome.place : undefined}
            word={words.word}
          />
          <Moves seats={seats} rows={rows} turn={turn} {...words} onTurn={player.to} />
        </div>
      </div>
      <Help dialog={help} />
    </main>
  )
}
