import { useMemo } from 'react'
import { shownSeats } from '../../core/index.js'
import { seatColour } from '../../games/viewer-kit/index.js'
import { useNarrow } from '../chart.js'
import { percent } from '../format.js'
import { Log } from '../parts.js'
import { type Frame, endText } from './film.js'
import { type OpenMatch, useReplay } from './match.js'

/** A position by the game's viewer, or as text; under the last how the match ended. `flipped`: seats from right to left. */
export function Board({ flipped }: { readonly flipped: boolean }) {
  const { record, viewer, film, names, seats, rows, scenes, evaluation, playback, turn, over } = useReplay()
  const [stage, narrow] = useNarrow()
  const order = useMemo(() => (flipped ? seats.toReversed() : seats).map(({ seat }) => seat), [flipped, seats])
  const picture = film.frames[turn]?.picture
  /** What seat 0 can expect of the match, if both play on as well as can be. */
  const share = evaluation?.shares[turn] ?? null
  const chanceOf = (seat = 0): number => (seat === 0 ? (share ?? 0) : 1 - (share ?? 0))
  const chanceText = (seat: number): string => `${names[seat]} ${percent(chanceOf(seat))}`
  return (
    <section ref={stage} className="stage panel" aria-label="board">
      {viewer && scenes[turn] !== undefined ? (
        <viewer.Board
          scene={scenes[turn]}
          before={scenes[turn - 1]}
          moves={(rows[turn - 1] ?? []).map((move) =>
            move === null || move === 'hidden' ? null : 'fault' in move ? move : move.action,
          )}
          seats={seats}
          order={order}
          beat={playback.beat}
          narrow={narrow}
        />
      ) : picture === undefined ? (
        <TextBoard />
      ) : (
        <Picture picture={picture} />
      )}
      {share !== null && (
        <div className="evaluation" role="img" aria-label={`evaluation: ${order.map(chanceText).join(', ')}`}>
          {percent(chanceOf(order[0]))}
          <div className="trough">
            {order.map((seat) => (
              <i key={seat} style={{ width: `${100 * chanceOf(seat)}%`, background: seatColour(seat) }} />
            ))}
          </div>
          {percent(chanceOf(order[1]))}
        </div>
      )}
      {over && <p className="verdict">{endText(names, record.outcome)}</p>}
      {film.stopped !== undefined && <p className="verdict fault">The replay ends here: {film.stopped}</p>}
    </section>
  )
}

/** The position as text, as large as fits, for a game without a drawing: its own lines, else its JSON. */
function TextBoard() {
  const match = useReplay()
  const { film, definition, names, as, turn } = match
  const texts = useMemo(() => film.frames.map((frame) => textOf(match, frame)), [film, definition, names, as])
  // One size for the whole match: the letters do not jump from turn to turn.
  const size = useMemo(() => {
    const lines = texts.map((text) => text.split('\n'))
    const most = (lengths: readonly number[]): number => lengths.reduce((a, b) => Math.max(a, b), 1)
    return {
      '--columns': most(lines.flat().map((line) => line.length)),
      '--lines': most(lines.map((rows) => rows.length)),
    } as React.CSSProperties
  }, [texts])
  return (
    <div style={size}>
      <Log label="position" kind="text-board" text={texts[turn] ?? ''} />
    </div>
  )
}

function textOf({ definition, names, as }: OpenMatch, { board, state }: Frame): string {
  if (board !== undefined || !definition) return board ?? ''
  if (as === undefined) return definition.board?.(state, shownSeats(names)) ?? JSON.stringify(state, undefined, 2)
  const view = definition.game.view(state, as)
  return definition.text?.(view, as) ?? JSON.stringify(view, undefined, 2)
}

/** A game's own drawing: a stranger's SVG or HTML, in a frame that runs nothing, loads nothing and reaches nothing of the page. */
function Picture({ picture }: { readonly picture: string }) {
  const [, width = 4, height = 3] =
    /^\s*<svg\b[^>]*?\bviewBox="[-\d.]+[\s,]+[-\d.]+[\s,]+(\d[\d.]*)[\s,]+(\d[\d.]*)"/.exec(picture) ?? []
  return (
    <iframe
      className="picture"
      title="position"
      // Nothing is allowed: no script, no form, no window, and an origin of its own.
      sandbox=""
      referrerPolicy="no-referrer"
      srcDoc={`${HEAD}${picture}`}
      style={{ aspectRatio: `${width} / ${height}` }}
    />
  )
}

/** The page's policy holds in the frame, too; this one would, if the page had none. */
const HEAD =
  `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'">` +
  '<meta name="color-scheme" content="light dark"><body topmargin="0" leftmargin="0" marginwidth="0" marginheight="0">'
