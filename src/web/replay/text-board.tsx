import { useMemo } from 'react'
import { type GameDefinition, shownSeats, visible } from '../../core/index.js'
import type { Film, Frame } from './frames.js'

interface Props {
  readonly definition: GameDefinition | undefined
  readonly names: readonly string[]
  readonly film: Film
  readonly turn: number
  readonly as: number | undefined
}

/** The position as text, as large as its panel lets it be, for a game that has no drawing: its own lines, else its JSON. */
export function TextBoard({ definition, names, film, turn, as }: Props) {
  // One size for the whole match: the letters do not jump from turn to turn.
  const texts = useMemo(
    () => film.frames.map((each) => textOf(definition, names, each, as)),
    [definition, names, film, as],
  )
  const size = useMemo(() => sizeOf(texts), [texts])
  return (
    // A wide position is scrolled, which the keyboard must reach too.
    <pre className="text-board" tabIndex={0} aria-label="position" role="region" style={size}>
      {lines(texts[turn] ?? '')}
    </pre>
  )
}

function textOf(
  definition: GameDefinition | undefined,
  names: readonly string[],
  frame: Frame,
  as: number | undefined,
): string {
  if (frame.board !== undefined || !definition) return frame.board ?? ''
  if (as !== undefined) {
    const view = definition.game.view(frame.state, as)
    return definition.text?.(view, as) ?? JSON.stringify(view, undefined, 2)
  }
  return definition.board?.(frame.state, shownSeats(names)) ?? JSON.stringify(frame.state, undefined, 2)
}

const lines = (text: string): string => text.split('\n').map(visible).join('\n')

/** The columns and lines of the largest of these texts, for the style sheet. */
function sizeOf(texts: readonly string[]): React.CSSProperties {
  const rows = texts.map((text) => text.split('\n'))
  const most = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.max(a, b), 1)
  return {
    '--columns': most(rows.flatMap((row) => row.map((line) => line.length))),
    '--lines': most(rows.map((row) => row.length)),
  } as React.CSSProperties
}
