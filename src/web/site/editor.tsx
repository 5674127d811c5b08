import { useId } from 'react'
import type { ApiProblem } from './api.js'
import { LIMITS, limitIn, withLimit } from './limits.js'

interface EditorProps {
  readonly text: string
  readonly onText: (text: string) => void
  readonly problem: ApiProblem | undefined
}

/** A contest file with its lines' numbers, the line of a mistake marked, and the limits in fields of their own. */
export function Editor({ text, onText, problem }: EditorProps) {
  const lines = text.split('\n')
  const help = useId()
  const wrong = problem?.line
  return (
    <>
      <fieldset className="limits">
        <legend>Limits</legend>
        {LIMITS.map(({ name, label, least, most }) => (
          <label key={name}>
            {label}
            <input
              type="number"
              className="short"
              min={least}
              max={most}
              placeholder="usual"
              value={limitIn(text, name) ?? ''}
              onChange={(event) => onText(withLimit(text, name, event.currentTarget.value))}
            />
          </label>
        ))}
      </fieldset>
      <label className="editor">
        Contest file
        <span className="lines">
          <span className="gutter" aria-hidden="true">
            {lines.map((_, i) => (
              // Lines have no other name than their number.
              <span key={i} className={wrong === i + 1 ? 'wrong' : undefined}>
                {i + 1}
              </span>
            ))}
          </span>
          <textarea
            value={text}
            rows={Math.max(16, lines.length)}
            spellCheck={false}
            aria-invalid={wrong !== undefined}
            aria-describedby={wrong === undefined ? undefined : help}
            onChange={(event) => onText(event.currentTarget.value)}
          />
        </span>
      </label>
      {wrong !== undefined && (
        <p id={help} className="wrong-line">
          Line {wrong}: <code>{lines[wrong - 1]}</code>
        </p>
      )}
    </>
  )
}
