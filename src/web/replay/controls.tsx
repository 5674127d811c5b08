import type { MatchRecord } from '../../core/index.js'
import { Press, Select } from '../parts.js'
import { useShared } from '../shared.js'
import { type Deeds, Do, Icon } from './deeds.js'
import type { OpenMatch } from './match.js'
import { type Playback, SPEEDS } from './playback.js'

interface Props {
  readonly playback: Playback
  readonly last: number
  readonly match: OpenMatch
  readonly deeds: Deeds
}

/** The buttons under the board. */
export function Controls({ playback, last, match, deeds }: Props) {
  const { beat, playing } = playback
  const atStart = beat.turn === 0
  const atEnd = beat.turn === last
  return (
    <div className="controls">
      <div className="group" role="group" aria-label="move through the match">
        <Do does="to the start" deeds={deeds} resting={atStart} isFar />
        <Do does="ten turns back" deeds={deeds} resting={atStart} isFar />
        <Do does="a turn back" deeds={deeds} resting={atStart} />
        <Press
          className="icon main"
          aria-label={playing ? 'pause' : 'play'}
          title="Space"
          onClick={deeds['play or pause']}
        >
          <Icon d={playing ? 'M6 4h3v12H6zM11 4h3v12h-3z' : 'M6 3.5 16 10 6 16.5z'} />
        </Press>
        <Do does="a turn on" deeds={deeds} resting={atEnd} />
        <Do does="ten turns on" deeds={deeds} resting={atEnd} isFar />
        <Do does="to the end" deeds={deeds} resting={atEnd} isFar />
      </div>
      <div className="group" role="group" aria-label="key events">
        <Do does="to the previous key event" deeds={deeds} />
        <Do does="to the next key event" deeds={deeds} />
      </div>
      <label>
        <span className="far">Turn</span>
        <input
          type="number"
          className="short"
          aria-label="turn number"
          min={0}
          max={last}
          value={beat.turn}
          onChange={(event) => playback.to(Number(event.currentTarget.value))}
        />
        <span className="far">of {last}</span>
      </label>
      <Menu playback={playback} match={match} deeds={deeds} />
    </div>
  )
}

/** What is seldom needed, a click away: it closes again by Escape. */
function Menu({ playback, match, deeds }: Omit<Props, 'last'>) {
  const { place, go } = useShared()
  const { definition, seats, as, record } = match
  return (
    <details
      className="menu"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !event.currentTarget.open) return
        event.stopPropagation()
        event.currentTarget.open = false
        event.currentTarget.querySelector('summary')?.focus()
      }}
    >
      <summary className="icon" aria-label="speed, perspective and more" title="speed, perspective and more">
        <Icon d="M4 5.5h12M4 10h12M4 14.5h12" />
      </summary>
      <div className="panel">
        <Select
          label="Speed"
          value={playback.speed}
          options={SPEEDS.map((each) => [each, `${each}×`])}
          onChoose={(one) => playback.setSpeed(Number(one))}
        />
        {definition && (
          <Select
            label="Show"
            value={as ?? ''}
            options={[['', 'everything'], ...seats.map(({ seat, name }) => [seat, `what ${name} knew`] as const)]}
            onChoose={(seat) =>
              go({ match: place.match, turn: playback.beat.turn, as: seat === '' ? undefined : Number(seat) }, true)
            }
          />
        )}
        <div className="group" role="group" aria-label="more">
          <Do does="flip the board" deeds={deeds} />
          <Press
            className="icon"
            aria-label="download the record"
            title="download the record (JSON)"
            onClick={() => download(record)}
          >
            <Icon d="M10 3v9M6 8.5l4 4 4-4M4 16.5h12" />
          </Press>
          <Do does="this help" deeds={deeds} />
        </div>
      </div>
    </details>
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
