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
  // Each mistake begins a line of its own: 'contest.toml:3: …'.
  const named = [...(problem?.message ?? '').matchAll(/^contest\.toml:(\d+): /gm)].map(([, line]) => Number(line))
  return (
    <>
      <fieldset className="fields">
        <legend>Settings</legend>
        {FIELDS.map((field) => (
          <Field
            key={field.key}
            field={field}
            value={valueIn(text, field)}
            onValue={(next) => onText(withValue(text, field, next))}
          />
        ))}
      </fieldset>
      <label className="editor">
        Contest file
        <span className="lines">
          <span className="gutter" aria-hidden="true">
            {lines.map((_, i) => (
              // Lines have no other name than their number.
              <span key={i} className={named.includes(i + 1) ? 'wrong' : undefined}>
                {i + 1}
              </span>
            ))}
          </span>
          <textarea
            value={text}
            rows={Math.max(16, lines.length)}
            spellCheck={false}
            aria-invalid={named.length > 0}
            aria-describedby={problem && help}
            onChange={(event) => onText(event.currentTarget.value)}
          />
        </span>
      </label>
      {problem && <Problem problem={problem} id={help} />}
    </>
  )
}

interface FieldProps {
  readonly field: (typeof FIELDS)[number]
  readonly value: string | undefined
  readonly onValue: (value: string) => void
}

function Field({ field: { kind, key, label }, value, onValue }: FieldProps) {
  if (kind === 'flag') {
    // People may play unless the file says that they may not.
    const isUsual = key === 'sittings'
    return (
      <label className="check">
        <input
          type="checkbox"
          checked={value === undefined ? isUsual : value === 'true'}
          onChange={({ currentTarget: { checked } }) => onValue(checked === isUsual ? '' : String(checked))}
        />
        {label}
      </label>
    )
  }
  return (
    <label>
      {label}
      <input
        type={kind}
        min={1}
        placeholder={kind === 'number' ? 'usual' : undefined}
        value={value ?? ''}
        onChange={(event) => onValue(event.currentTarget.value)}
      />
    </label>
  )
}
