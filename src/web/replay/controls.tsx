import { Select } from '../parts.js'
import { useShared } from '../shared.js'
import { Buttons, type Deeds, Icon } from './deeds.js'
import type { OpenMatch } from './match.js'
import { type Playback, SPEEDS } from './playback.js'

interface Props {
  readonly playback: Playback
  readonly last: number
  readonly match: OpenMatch
  readonly deeds: Deeds
}

export function Controls({ playback, last, match, deeds }: Props) {
  const { turn } = playback.beat
  return (
    <div className="controls">
      <Buttons
        label="move through the match"
        does={[
          'to the start',
          'ten turns back',
          'a turn back',
          'play or pause',
          'a turn on',
          'ten turns on',
          'to the end',
        ]}
        resting={[
          ...(turn === 0 ? (['to the start', 'ten turns back', 'a turn back'] as const) : []),
          ...(turn === last ? (['a turn on', 'ten turns on', 'to the end'] as const) : []),
        ]}
        deeds={deeds}
        playing={playback.playing}
      />
      <Buttons label="key events" does={['to the previous key event', 'to the next key event']} deeds={deeds} />
      <label>
        <span className="far">Turn</span>
        <input
          type="number"
          className="short"
          aria-label="turn number"
          min={0}
          max={last}
          value={turn}
          onChange={(event) => playback.to(Number(event.currentTarget.value))}
        />
        <span className="far">of {last}</span>
      </label>
      <Menu playback={playback} match={match} deeds={deeds} />
    </div>
  )
}

/** What is seldom needed, a click away: it closes again by Escape. */
function Menu({ playback, match: { definition, seats, as }, deeds }: Omit<Props, 'last'>) {
  const { place, go } = useShared()
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
        <Buttons label="more" does={['flip the board', 'download the record', 'this help']} deeds={deeds} />
      </div>
    </details>
  )
}
