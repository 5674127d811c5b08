import { visible } from '../../core/index.js'
import { Mark } from '../../games/viewer-kit/index.js'
import { duration, figure, percent, resultWord } from '../format.js'
import { type Evaluation, MARKS, markOf } from './evaluation.js'
import { faultText } from './events.js'
import { faultsUntil } from './frames.js'
import type { OpenMatch, Shown } from './match.js'

interface Props {
  readonly match: Pick<
    OpenMatch,
    'seats' | 'film' | 'left' | 'rows' | 'scenes' | 'tallies' | 'record' | 'words' | 'evaluation'
  >
  readonly turn: number
  readonly over: boolean
}

/** A panel for each player: how it stands, what it did, how long it took, and its faults in words. */
export function Players({ match, turn, over }: Props) {
  const { seats, record } = match
  const { place } = record.outcome
  const isCrowd = seats.length > 4
  return (
    // A crowd is scrolled, which the keyboard must reach too.
    <section
      className={isCrowd ? 'players panel crowd' : 'players panel'}
      aria-label="players"
      tabIndex={isCrowd ? 0 : undefined}
    >
      {seats.map(({ seat, name, wire }) => (
        <article key={seat} className="player">
          <h2>
            <Mark seat={seat} />
            <span className="cut" title={name}>
              {name}
            </span>
            {over && <span className={`place p${place[seat]}`}>{resultWord(place, seat)}</span>}
          </h2>
          <Known match={match} turn={turn} seat={seat} />
          <p className="wire" title="the protocol it speaks">
            {wire}
          </p>
        </article>
      ))}
    </section>
  )
}

/** What is known of a player: its numbers beside each other, and each other fact in a line of its own. */
function Known({ match, turn, seat }: Pick<Props, 'match' | 'turn'> & { readonly seat: number }) {
  const { seats, film, left, rows, scenes, tallies, words, evaluation } = match
  const { times, said } = film.frames[turn] ?? {}
  const move = rows[turn - 1]?.[seat] ?? null
  const didAct = move !== null && move !== 'hidden' && 'action' in move
  const faults = faultsUntil(film, seat, turn)
  const latest = faults.at(-1)
  const lines: readonly (readonly [name: string, text: string | undefined])[] = [
    ['did', deedText(move, turn, words.word)],
    ['said', didAct && said?.[seat] !== undefined ? visible(said[seat]) : undefined],
    ['cost', evaluation && givenAway(evaluation.lost, seat, turn)],
    ['time', timeText(times?.[seat], move, seats[seat]?.limit ?? 0)],
    ['left', left && duration((left[turn]?.[seat] ?? 0) * 1000)],
  ]
  return (
    <dl>
      {tallies.map(({ name, of }) => {
        const value = of(scenes[turn], seat, turn)
        return (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value === null ? '?' : figure(value)}</dd>
          </div>
        )
      })}
      {lines.map(
        ([name, text]) =>
          text !== undefined && (
            <div key={name} className="line">
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ),
      )}
      <div className="line">
        <dt>faults</dt>
        <dd className={latest && 'fault'}>
          {latest
            ? `${faults.length > 1 ? `${faults.length}, the last in ` : ''}turn ${latest.turn}: ${faultText(latest)}`
            : 'none so far'}
        </dd>
      </div>
    </dl>
  )
}

function deedText(move: Shown, turn: number, word: (action: string) => string): string {
  if (turn === 0) return 'nothing yet'
  if (move === null) return 'was not asked'
  if (move === 'hidden') return 'not known to this seat'
  return 'fault' in move ? move.fault : word(move.action)
}

/** `us`: microseconds; `limit`: milliseconds. */
function timeText(us: number | undefined, move: Shown, limit: number): string {
  if (us === undefined) return move === null ? 'was not asked' : 'not recorded'
  return `${duration(us)}, ${percent(us / 1000 / limit)} of ${duration(limit * 1000)}`
}

/** 'nothing: best', '22 %: blunder'; and what came of all moves so far: '1 blunder so far'. */
function givenAway(lost: Evaluation['lost'], seat: number, turn: number): string {
  const share = lost[turn]?.[seat] ?? null
  const mark = markOf(share)
  const now = share === null ? '–' : mark === 'best' ? 'nothing' : percent(share)
  const marks = lost.slice(1, turn + 1).map((step) => markOf(step[seat]))
  const counts = MARKS.slice(1).flatMap((name) => {
    const n = marks.filter((one) => one === name).length
    return n === 0 ? [] : [`${n} ${n === 1 ? name : name === 'inaccuracy' ? 'inaccuracies' : `${name}s`}`]
  })
  return `${now}${mark === undefined || mark === 'best' ? '' : `, ${mark}`}${counts.length === 0 ? '' : ` (so far ${counts.join(', ')})`}`
}
