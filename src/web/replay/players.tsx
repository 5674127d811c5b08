import { visible } from '../../core/index.js'
import { duration, figure, percent, resultWord } from '../format.js'
import { Mark, type SeatInfo, type Tally } from '../../games/viewer-kit/index.js'
import { type Evaluation, MARKS, markOf } from './evaluation.js'
import { faultText } from './events.js'
import { type Film, faultsUntil } from './frames.js'
import type { Shown } from './seen.js'

interface Props {
  readonly seats: readonly (SeatInfo & { readonly wire: string; readonly limit: number })[]
  readonly film: Film
  /** By seat, the milliseconds that are left; undefined: there is no bank. */
  readonly left: readonly number[] | undefined
  readonly turn: number
  /** The step that led to this position. */
  readonly moves: readonly Shown[]
  readonly scene: unknown
  readonly tallies: readonly Tally<unknown>[]
  /** Places, once the match is over. */
  readonly places: readonly number[] | undefined
  readonly word: (action: string) => string
  /** What moves gave away, where that is known. */
  readonly lost: Evaluation['lost'] | undefined
}

/** A panel for each player: how it stands, what it did, how long it took, and its faults in words. */
export function Players({ seats, film, left, turn, moves, scene, tallies, places, word, lost }: Props) {
  const crowd = seats.length > 4
  return (
    // A crowd is scrolled, which the keyboard must reach too.
    <section className={crowd ? 'players crowd' : 'players'} aria-label="players" {...(crowd && { tabIndex: 0 })}>
      {seats.map(({ seat, name, wire, limit }) => {
        const faults = faultsUntil(film, seat, turn)
        const latest = faults.at(-1)
        const { times, said: words } = film.frames[turn] ?? {}
        const time = times?.[seat]
        return (
          <article key={seat} className="player">
            <h2>
              <Mark seat={seat} />
              <span className="cut" title={name}>
                {name}
              </span>
              {places && <span className={`place p${places[seat]}`}>{resultWord(places, seat)}</span>}
            </h2>
            <dl>
              {tallies.map((tally) => {
                const value = tally.of(scene, seat, turn)
                return (
                  <div key={tally.name}>
                    <dt>{tally.name}</dt>
                    <dd>{value === null ? '?' : figure(value)}</dd>
                  </div>
                )
              })}
              <Wide name="did">{deed(moves[seat], turn, word)}</Wide>
              {words?.[seat] !== undefined && didAct(moves[seat]) && <Wide name="said">{visible(words[seat])}</Wide>}
              {lost && <Wide name="cost">{givenAway(lost, seat, turn)}</Wide>}
              <Wide name="time">
                {time === undefined
                  ? notTimed(moves[seat], turn)
                  : `${duration(time)}, ${percent(time / 1000 / limit)} of ${duration(limit * 1000)}`}
              </Wide>
              {left && <Wide name="left">{duration((left[seat] ?? 0) * 1000)}</Wide>}
              <Wide name="faults" isFault={latest !== undefined}>
                {latest
                  ? `${faults.length > 1 ? `${faults.length}, the last in ` : ''}turn ${latest.turn}: ${faultText(latest)}`
                  : 'none so far'}
              </Wide>
            </dl>
            <p className="wire" title="the protocol it speaks">
              {wire}
            </p>
          </article>
        )
      })}
    </section>
  )
}

interface WideProps {
  readonly name: string
  readonly isFault?: boolean
  readonly children: string
}

/** A fact that takes a line of its panel. */
const Wide = ({ name, isFault = false, children }: WideProps) => (
  <div className="wide">
    <dt>{name}</dt>
    <dd className={isFault ? 'fault' : undefined}>{children}</dd>
  </div>
)

function deed(move: Shown | undefined, turn: number, word: (action: string) => string): string {
  if (turn === 0) return 'nothing yet'
  if (move === null || move === undefined) return 'was not asked'
  if (move === 'hidden') return 'not known to this seat'
  return 'fault' in move ? move.fault : word(move.action)
}

/** 'nothing: best', '22 %: blunder'; and what came of all moves so far: '1 blunder so far'. */
function givenAway(lost: Evaluation['lost'], seat: number, turn: number): string {
  const share = lost[turn]?.[seat]
  const now = share === undefined ? '–' : share < 0.005 ? 'nothing' : percent(share)
  const mark = markOf(share)
  const marks = lost.slice(1, turn + 1).map((step) => markOf(step[seat]))
  const counts = MARKS.slice(1).flatMap((name) => {
    const n = marks.filter((one) => one === name).length
    return n === 0 ? [] : [`${n} ${n === 1 ? name : name === 'inaccuracy' ? 'inaccuracies' : `${name}s`}`]
  })
  return `${now}${mark === undefined || mark === 'best' ? '' : `, ${mark}`}${counts.length === 0 ? '' : ` (so far ${counts.join(', ')})`}`
}

const didAct = (move: Shown | undefined): boolean => typeof move === 'object' && move !== null && 'action' in move

const notTimed = (move: Shown | undefined, turn: number): string =>
  turn === 0 || move === null || move === undefined ? 'was not asked' : 'not recorded'
