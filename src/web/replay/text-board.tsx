import { type GameDefinition, visible } from '../../core/index.js'
import type { Frame } from './frames.js'

interface Props {
  readonly definition: GameDefinition | undefined
  readonly frame: Frame | undefined
  readonly as: number | undefined
}

/** The position as text, for a game that has no drawing: its own lines, else its JSON. */
export function TextBoard({ definition, frame, as }: Props) {
  return (
    // A wide position is scrolled, which the keyboard must reach too.
    <pre className="text-board" tabIndex={0} aria-label="position" role="region">
      {lines(textOf(definition, frame, as))}
    </pre>
  )
}

function textOf(definition: GameDefinition | undefined, frame: Frame | undefined, as: number | undefined): string {
  if (frame === undefined) return ''
  if (frame.board !== undefined || !definition) return frame.board ?? ''
  if (as !== undefined) {
    const view = definition.game.view(frame.state, as)
    return definition.text?.(view, as) ?? JSON.stringify(view, undefined, 2)
  }
  return definition.board?.(frame.state) ?? JSON.stringify(frame.state, undefined, 2)
}

const lines = (text: string): string => text.split('\n').map(visible).join('\n')
