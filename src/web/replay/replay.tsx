import { useRef, useState } from 'react'
import type { MatchRecord } from '../../core/index.js'
import { Mark } from '../../games/viewer-kit/index.js'
import type { PackedMatch } from '../document.js'
import { counted, matchLabel } from '../format.js'
import { useShared } from '../shared.js'
import { Board } from './board.js'
import { Controls, type Deeds, Help, Timeline, useKeys } from './controls.js'
import { nextEvent } from './film.js'
import { Graph, Moves, Players } from './panels.js'
import { ReplayProvider, useMatch, useReplay } from './match.js'
import { SPEEDS, useAddress, usePlayback } from './playback.js'

/** Shows a match turn by turn: one shell for every game, the board by the game's own viewer. */
export function Replay({ packed }: { readonly packed: PackedMatch }) {
  const { go } = useShared()
  const match = useMatch(packed)
  const { record, film, as, events, tallies } = match
  const last = Math.max(0, film.frames.length - 1)
  const playback = usePlayback(last, film.live === true)
  const { turn } = playback.beat
  const [flipped, setFlipped] = useState(false)
  const help = useRef<HTMLDialogElement>(null)
  useAddress(playback, as)
  const to = (next: number) => () => playback.to(next)
  const faster = (step: 1 | -1) => () =>
    playback.setSpeed(SPEEDS[SPEEDS.findIndex((speed) => speed === playback.speed) + step] ?? playback.speed)
  const deeds: Deeds = {
    'play or pause': playback.toggle,
    'a turn on': to(turn + 1),
    'a turn back': to(turn - 1),
    'ten turns on': to(turn + 10),
    'ten turns back': to(turn - 10),
    'to the start': to(0),
    'to the end': to(last),
    'to the next key event': to(nextEvent(events, turn, 1) ?? turn),
    'to the previous key event': to(nextEvent(events, turn, -1) ?? turn),
    'flip the board': () => setFlipped(!flipped),
    faster: faster(1),
    slower: faster(-1),
    'download the record': () => download(record),
    'this help': () => help.current?.showModal(),
    'back to the report': () => go({ at: 'matches' }),
  }
  useKeys(deeds)
  const over = turn === last && film.stopped === undefined && !film.live
  return (
    <ReplayProvider value={{ ...match, playback, turn, over }}>
      <main className="replay inner" id="main" tabIndex={-1}>
        <Heading />
        <div className="table">
          <div className="column">
            <Board flipped={flipped} />
            <div className="console panel">
              <Timeline />
              <Controls deeds={deeds} />
              {tallies.length > 0 && <Graph />}
            </div>
          </div>
          <div className="column">
            <Players />
            <Moves />
          </div>
        </div>
        <Help dialog={help} />
      </main>
    </ReplayProvider>
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

const NAMED = 4

function Heading() {
  const { href, back = 'All matches' } = useShared()
  const { seats, record, film, turn, playback } = useReplay()
  const { last } = playback
  const position = film.live || turn > 0 ? `turn ${turn} of ${last}` : counted(last, 'turn')
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
        {position}
        {film.live && ' so far'}
      </p>
    </header>
  )
}
