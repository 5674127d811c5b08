import { useId } from 'react'
import type { ApiProblem } from './api.js'
import { FIELDS, valueIn, withValue } from './contest-fields.js'
import { Problem } from './shell.js'

interface EditorProps {
  readonly text: string
  readonly onText: (text: string) => void
  readonly problem: ApiProblem | undefined
}

/** A contest file with its lines' numbers, what most contests say in fields of their own, and what is wrong: it names its line, which is marked. */
export function Editor({ text, onText, problem }: EditorProps) {
  const lines = text.split('\n')
  const help = useId()
  const wrong = linesNamed(problem)
  return (
    <>
      <fieldset className="limits">
        <legend>Settings</legend>
        {FIELDS.map((field) => (
          <Field key={field.key} field={field} text={text} onText={onText} />
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

function Field({
  field,
  text,
  onText,
}: Pick<EditorProps, 'text' | 'onText'> & { readonly field: (typeof FIELDS)[number] }) {
  const value = valueIn(text, field)
  const set = (next: string): void => onText(withValue(text, field, next))
  if (field.kind === 'flag') {
    // People may play unless the file says that they may not.
    const isUsual = field.key === 'sittings'
    return (
      <label className="check">
        <input
          type="checkbox"
          checked={value === undefined ? isUsual : value === 'true'}
          onChange={({ currentTarget: { checked } }) => set(checked === isUsual ? '' : String(checked))}
        />
        {field.label}
      </label>
    )
  }
  return (
    <label>
      {field.label}
      <input
        type={field.kind === 'number' ? 'number' : undefined}
        className={field.kind === 'number' ? 'short' : undefined}
        min={1}
        placeholder={field.kind === 'number' ? 'usual' : undefined}
        value={value ?? ''}
        onChange={(event) => set(event.currentTarget.value)}
      />
    </label>
  )
}
