import { useId } from 'react'
import { Field, Flag } from '../parts.js'
import type { ApiProblem } from './api.js'
import { Problem } from './shell.js'

interface ContestField {
  /** Its table in the contest file; '': above all tables. */
  readonly table: '' | 'format' | 'limits'
  readonly key: string
  readonly label: string
  readonly kind: 'text' | 'number' | 'flag'
}

/** The keys with a field; a file may say more. */
export const FIELDS: readonly ContestField[] = [
  { table: '', key: 'title', label: 'Title', kind: 'text' },
  { table: '', key: 'notice', label: 'Notice on its page', kind: 'text' },
  { table: 'format', key: 'repetitions', label: 'Repetitions', kind: 'number' },
  { table: 'limits', key: 'turn', label: 'Milliseconds for an answer', kind: 'number' },
  { table: 'limits', key: 'output', label: 'Bytes of an answer', kind: 'number' },
  { table: 'limits', key: 'memory', label: 'Bytes of memory', kind: 'number' },
  { table: '', key: 'signup', label: 'Anyone may sign up', kind: 'flag' },
  { table: '', key: 'sittings', label: 'People may play against its bots', kind: 'flag' },
  { table: '', key: 'publish', label: 'Sources are public at its end', kind: 'flag' },
]

interface EditorProps {
  readonly text: string
  readonly onText: (text: string) => void
  readonly problem: ApiProblem | undefined
}

/** With line numbers, fields for what most contests say, and marked mistakes. */
export function Editor({ text, onText, problem }: EditorProps) {
  const lines = text.split('\n')
  const help = useId()
  // Each mistake begins a line: 'contest.toml:3: …'.
  const named = [...(problem?.message ?? '').matchAll(/^contest\.toml:(\d+): /gm)].map(([, line]) => Number(line))
  return (
    <>
      <fieldset className="fields">
        <legend>Settings</legend>
        {FIELDS.map((field) => {
          const { kind, key, label } = field
          const value = valueIn(text, field) ?? ''
          const set = (next: string): void => onText(withValue(text, field, next))
          if (kind !== 'flag') {
            const placeholder = kind === 'number' ? 'usual' : undefined
            return (
              <Field key={key} label={label} type={kind} min={1} placeholder={placeholder} value={value} onWord={set} />
            )
          }
          // People may play unless the file forbids it.
          const usual = String(key === 'sittings')
          const isOn = (value || usual) === 'true'
          return (
            <Flag
              key={key}
              label={label}
              checked={isOn}
              onCheck={(checked) => set(String(checked) === usual ? '' : String(checked))}
            />
          )
        })}
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
      <Problem problem={problem} id={help} />
    </>
  )
}

const VALUES = { text: /=\s*("(?:\\.|[^"\\])*")/, number: /=\s*([\d_]+)/, flag: /=\s*(true|false)/ } as const

/** Lines where a field's table begins (behind its heading) and ends, and of its key; −1: none. */
function placeOf(lines: readonly string[], { table, key }: ContestField) {
  const indexOf = (pattern: string, from: number, to = lines.length): number =>
    lines.findIndex((line, i) => i >= from && i < to && new RegExp(`^\\s*${pattern}`).test(line))
  const from = table === '' ? 0 : indexOf(`\\[\\s*${table}\\s*\\]`, 0) + 1
  if (table !== '' && from === 0) return { from: -1, to: -1, at: -1 }
  const next = indexOf('\\[', from)
  const to = next < 0 ? lines.length : next
  return { from, to, at: indexOf(`${key}\\s*=`, from, to) }
}

/** Undefined: nothing, or nothing that the field can show. */
export function valueIn(toml: string, field: ContestField): string | undefined {
  const lines = toml.split('\n')
  const value = VALUES[field.kind].exec(lines[placeOf(lines, field).at] ?? '')?.[1]
  if (value === undefined || field.kind !== 'text') return value?.replaceAll('_', '')
  try {
    return String(JSON.parse(value))
  } catch {
    return undefined
  }
}

/** Another value of a field; '': none. Comments stay, and what the field cannot show. */
export function withValue(toml: string, field: ContestField, value: string): string {
  const { table, key, kind } = field
  if (kind === 'number' && !/^\d*$/.test(value)) return toml
  const lines = toml.split('\n')
  const { from, to, at } = placeOf(lines, field)
  const line = lines[at]
  const written = `= ${kind === 'text' ? JSON.stringify(value) : value}`
  const joined = (start: number, removed: number, ...added: string[]): string =>
    lines.toSpliced(start, removed, ...added).join('\n')
  if (line !== undefined)
    return value === ''
      ? joined(at, 1)
      : joined(
          at,
          1,
          line.replace(VALUES[kind], () => written),
        )
  if (value === '') return toml
  if (table === '')
    return joined(lines.slice(0, to).findLastIndex((one) => one.trim() !== '') + 1, 0, `${key} ${written}`)
  if (from >= 0) return joined(from, 0, `${key} ${written}`)
  // Entrants come last in most files, and a table may stand anywhere before them.
  const entrants = lines.findIndex((one) => /^\s*\[\[/.test(one))
  return joined(entrants < 0 ? lines.length : entrants, 0, `[${table}]`, `${key} ${written}`, '')
}
