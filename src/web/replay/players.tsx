import { visible } from '../../core/index.js'
import { Mark } from '../../games/viewer-kit/index.js'
import { counted, duration, figure, percent, resultWord } from '../format.js'
import { MARKS, markOf } from './evaluation.js'
import { faultText, faultsUntil } from './film.js'
import type { OpenMatch, Shown } from './match.js'

interface PlayersProps {
  readonly match: OpenMatch
  readonly turn: number
  readonly over: boolean
}

/** A panel for each player: how it stands, what it did, how long it took, and its faults in words. */
export function Players({ match, turn, over }: PlayersProps) {
  const { seats, record, tallies, scenes } = match
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
          <dl>
            {tallies.map(({ name: tally, of }) => {
              const value = of(scenes[turn], seat, turn)
              return (
                <div key={tally}>
                  <dt>{tally}</dt>
                  <dd>{value === null ? '?' : figure(value)}</dd>
                </div>
              )
            })}
            {factsOf(match, turn, seat).map(
              ([fact, text, kind]) =>
                text !== undefined && (
                  <div key={fact} className="line">
                    <dt>{fact}</dt>
                    <dd className={kind}>{text}</dd>
                  </div>
                ),
            )}
          </dl>
          <p className="wire" title="the protocol it speaks">
            {wire}
          </p>
        </article>
      ))}
    </section>
  )
}

type Fact = readonly [name: string, text: string | undefined, kind?: string]

/** What is known of a player beside its numbers: a line each. */
function factsOf(
  { seats, film, left, rows, words, evaluation }: OpenMatch,
  turn: number,
  seat: number,
): readonly Fact[] {
  const { times, said } = film.frames[turn] ?? {}
  const move = rows[turn - 1]?.[seat] ?? null
  const didAct = move !== null && move !== 'hidden' && 'action' in move
  const faults = faultsUntil(film, seat, turn)
  const latest = faults.at(-1)
  const before = faults.length > 1 ? `${faults.length}, the last in ` : ''
  return [
    ['did', deedText(move, turn, words.word)],
    ['said', didAct && said?.[seat] !== undefined ? visible(said[seat]) : undefined],
    [
      'cost',
      evaluation &&
        costText(
          evaluation.lost.slice(0, turn + 1).map((step) => step[seat] ?? null),
          turn,
        ),
    ],
    ['time', timeText(times?.[seat], move, seats[seat]?.limit ?? 0)],
    ['left', left && duration((left[turn]?.[seat] ?? 0) * 1000)],
    latest ? ['faults', `${before}turn ${latest.turn}: ${faultText(latest)}`, 'fault'] : ['faults', 'none so far'],
  ]
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

/** What the latest move of a player gave away, and what came of all so far: '22 %, blunder (so far 1 mistake, 1 blunder)'. */
function costText(lost: readonly (number | null)[], turn: number): string {
  const share = lost[turn] ?? null
  const mark = markOf(share)
  const now = share === null ? '–' : mark === 'best' ? 'nothing' : percent(share)
  const marks = lost.slice(1).map(markOf)
  const counts = MARKS.slice(1).flatMap((name) => {
    const n = marks.filter((one) => one === name).length
    return n === 0 ? [] : [counted(n, name, name === 'inaccuracy' ? 'inaccuracies' : `${name}s`)]
  })
  return `${now}${mark === undefined || mark === 'best' ? '' : `, ${mark}`}${counts.length === 0 ? '' : ` (so far ${counts.join(', ')})`}`
}
