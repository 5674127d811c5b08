import { useId } from 'react'
import type { ApiProblem } from './api.js'
import { LIMITS, limitIn, withLimit } from './limits.js'
import { Problem } from './shell.js'

interface EditorProps {
  readonly text: string
  readonly onText: (text: string) => void
  readonly problem: ApiProblem | undefined
}

/** A contest file with its lines' numbers, the limits in fields of their own, and what is wrong: it names its line, which is marked. */
export function Editor({ text, onText, problem }: EditorProps) {
  const lines = text.split('\n')
  const help = useId()
  const wrong = linesNamed(problem)
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
              <span key={i} className={wrong.has(i + 1) ? 'wrong' : undefined}>
                {i + 1}
              </span>
            ))}
          </span>
          <textarea
            value={text}
            rows={Math.max(16, lines.length)}
            spellCheck={false}
            aria-invalid={wrong.size > 0}
            aria-describedby={problem && help}
            onChange={(event) => onText(event.currentTarget.value)}
          />
        </span>
      </label>
      {problem && <Problem problem={problem} id={help} />}
    </>
  )
}

/** The lines that a text of mistakes names, each at the beginning of one of its own: 'contest.toml:3: …'. */
const linesNamed = (problem: ApiProblem | undefined): ReadonlySet<number> =>
  new Set([...(problem?.message ?? '').matchAll(/^contest\.toml:(\d+): /gm)].map(([, line]) => Number(line)))
