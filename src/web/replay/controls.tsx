import type { ReactNode } from 'react'
import type { SeatInfo } from '../../games/viewer-kit/index.js'
import { type Playback, SPEEDS } from './playback.js'

interface Props {
  readonly playback: Playback
  readonly last: number
  readonly seats: readonly SeatInfo[]
  readonly as: number | undefined
  /** Whether views can be shown at all. */
  readonly views: boolean
  readonly onEvent: (step: 1 | -1) => void
  readonly onAs: (seat: number | undefined) => void
  readonly onFlip: () => void
  readonly onDownload: () => void
  readonly onHelp: () => void
}

/** The buttons under the board. */
export function Controls({ playback, last, seats, as, views, onEvent, onAs, onFlip, onDownload, onHelp }: Props) {
  return (
    <div className="controls">
      <Steps playback={playback} last={last} />
      <div className="group" role="group" aria-label="key events">
        {button('previous key event', 'p', <Icon d="M9 5 4 10l5 5M14 7.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 1 1 0-5z" />, () =>
          onEvent(-1),
        )}
        {button('next key event', 'n', <Icon d="m11 5 5 5-5 5M6 7.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 1 1 0-5z" />, () =>
          onEvent(1),
        )}
      </div>
      <Turn playback={playback} last={last} />
      <Menu>
        <Speed playback={playback} />
        {views && <Knowledge seats={seats} as={as} onAs={onAs} />}
        <div className="group" role="group" aria-label="more">
          {button('flip the board', 'f', <Icon d="M7 4 3 7.5 7 11M3 7.5h13M13 9l4 3.5L13 16M17 12.5H4" />, onFlip)}
          {button('download the record', 'JSON', <Icon d="M10 3v9M6 8.5l4 4 4-4M4 16.5h12" />, onDownload)}
          {button('keys', '?', <Icon d="M7 7.5a3 3 0 1 1 4.4 2.7c-.9.5-1.4 1-1.4 2.1M10 15v1" />, onHelp)}
        </div>
      </Menu>
    </div>
  )
}

/** The buttons that move through the match, and the one that plays it. */
function Steps({ playback, last }: Pick<Props, 'playback' | 'last'>) {
  const { beat, playing, to, toggle } = playback
  const atStart = beat.turn === 0
  const atEnd = beat.turn === last
  return (
    <div className="group" role="group" aria-label="move through the match">
      {button('to the start', 'Home', <Icon d="M5 4v12M16 4 8 10l8 6z" />, () => to(0), atStart, 'far')}
      {button(
        'ten turns back',
        'Page up',
        <Icon d="M10 4 3 10l7 6zM17 4l-7 6 7 6z" />,
        () => to(beat.turn - 10),
        atStart,
        'far',
      )}
      {button('a turn back', '←', <Icon d="M13 4 6 10l7 6z" />, () => to(beat.turn - 1), atStart)}
      <button type="button" className="play" aria-label={playing ? 'pause' : 'play'} title="Space" onClick={toggle}>
        {playing ? <Icon d="M6 4h3v12H6zM11 4h3v12h-3z" /> : <Icon d="M6 3.5 16 10 6 16.5z" />}
      </button>
      {button('a turn on', '→', <Icon d="m7 4 7 6-7 6z" />, () => to(beat.turn + 1), atEnd)}
      {button(
        'ten turns on',
        'Page down',
        <Icon d="m3 4 7 6-7 6zM10 4l7 6-7 6z" />,
        () => to(beat.turn + 10),
        atEnd,
        'far',
      )}
      {button('to the end', 'End', <Icon d="M15 4v12M4 4l8 6-8 6z" />, () => to(last), atEnd, 'far')}
    </div>
  )
}

function Turn({ playback, last }: Pick<Props, 'playback' | 'last'>) {
  return (
    <label>
      <span className="word">Turn</span>
      <input
        type="number"
        aria-label="turn number"
        min={0}
        max={last}
        value={playback.beat.turn}
        onChange={(event) => playback.to(Number(event.currentTarget.value))}
      />
      <span className="of">of {last}</span>
    </label>
  )
}

/** What is seldom needed, a click away: it closes again by Escape. */
function Menu({ children }: { readonly children: ReactNode }) {
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
      <summary aria-label="speed, perspective and more" title="speed, perspective and more">
        <Icon d="M4 5.5h12M4 10h12M4 14.5h12" />
      </summary>
      <div>{children}</div>
    </details>
  )
}

function Speed({ playback: { speed, setSpeed } }: Pick<Props, 'playback'>) {
  return (
    <label>
      Speed
      <select value={speed} onChange={(event) => setSpeed(Number(event.currentTarget.value))}>
        {SPEEDS.map((each) => (
          <option key={each} value={each}>
            {each}×
          </option>
        ))}
      </select>
    </label>
  )
}

/** Whose knowledge is shown. */
function Knowledge({ seats, as, onAs }: Pick<Props, 'seats' | 'as' | 'onAs'>) {
  return (
    <label>
      Show
      <select
        value={as ?? ''}
        onChange={(event) => onAs(event.currentTarget.value === '' ? undefined : Number(event.currentTarget.value))}
      >
        <option value="">everything</option>
        {seats.map(({ seat, name }) => (
          <option key={seat} value={seat}>
            what {name} knew
          </option>
        ))}
      </select>
    </label>
  )
}

function button(name: string, key: string, icon: ReactNode, onClick: () => void, disabled = false, kind?: 'far') {
  return (
    <button
      type="button"
      className={kind}
      aria-label={name}
      title={`${name} (${key})`}
      onClick={onClick}
      aria-disabled={disabled}
    >
      {icon}
    </button>
  )
}

/** A drawing on a field of 20 by 20; what closes is filled. */
function Icon({ d }: { readonly d: string }) {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <path d={d} className={d.includes('z') ? 'filled' : 'line'} />
    </svg>
  )
}
