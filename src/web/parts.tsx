import type { ButtonHTMLAttributes, InputHTMLAttributes, ReactNode } from 'react'
import { visible } from '../core/index.js'

interface PressProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled' | 'type'> {
  /** Nothing comes of a press just now. */
  readonly resting?: boolean
  readonly sends?: boolean
}

/** A button that may be out of use for a while, but keeps the keyboard's focus, which one that is `disabled` loses. */
export const Press = ({ resting = false, sends = false, onClick, ...rest }: PressProps) => (
  <button
    {...rest}
    type={sends ? 'submit' : 'button'}
    aria-disabled={resting || undefined}
    onClick={(event) => {
      // This also holds back the form that Enter in one of its fields would send.
      if (resting) event.preventDefault()
      else onClick?.(event)
    }}
  />
)

export interface Column<Row> {
  /** '': the column only draws what another one says. */
  readonly head: string
  readonly cell: (row: Row) => ReactNode
  readonly kind?: string
  /** Its cells name their rows. */
  readonly names?: true
  /** What the head means, for those who cannot rest a pointer on it. */
  readonly means?: string
}

/** A column of numbers, or of what is read like them. */
export const numbers = <Row,>(
  head: string,
  cell: Column<Row>['cell'],
  more: Pick<Column<Row>, 'kind' | 'means'> = {},
): Column<Row> => ({ head, cell, ...more, kind: `number ${more.kind ?? ''}`.trim() })

interface TableProps<Row> {
  readonly label: string
  readonly kind?: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string | number
  readonly isChosen?: (row: Row) => boolean
}

/** A table that is scrolled where it is wider than the page; below it, folded away, what its columns mean. */
export function Table<Row>({ label, kind, columns, rows, keyOf, isChosen }: TableProps<Row>) {
  return (
    <>
      <div className="scrollable panel" role="region" aria-label={label} tabIndex={0}>
        <table className={kind}>
          <thead>
            <tr>
              {columns.map(({ head, kind: own }, i) => {
                const Head = head === '' ? 'td' : 'th'
                return (
                  <Head key={i} scope={head === '' ? undefined : 'col'} className={own}>
                    {visible(head)}
                  </Head>
                )
              })}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={keyOf(row)} className={isChosen?.(row) ? 'chosen' : undefined}>
                {columns.map(({ head, kind: own, names, cell }, i) => {
                  const Cell = names ? 'th' : 'td'
                  return (
                    <Cell key={i} scope={names && 'row'} className={own} data-head={head}>
                      {cell(row)}
                    </Cell>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {columns.some(({ means }) => means !== undefined) && (
        <details className="more">
          <summary>What the columns mean</summary>
          <dl>
            {columns.map(
              ({ head, means }) =>
                means !== undefined && (
                  <div key={head}>
                    <dt>{head}</dt> <dd>{means}</dd>
                  </div>
                ),
            )}
          </dl>
        </details>
      )}
    </>
  )
}

export const Bar = ({ share }: { readonly share: number }) => (
  <span className="bar" style={{ width: `${100 * share}%` }} />
)

export const Facts = ({ facts }: { readonly facts: readonly (readonly [name: string, value: string])[] }) => (
  <dl className="facts flow">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

interface SelectProps {
  readonly label: string
  readonly value: string | number
  readonly options: readonly (readonly [value: string | number, text: string])[]
  readonly onChoose: (value: string) => void
  readonly disabled?: boolean
}

export const Select = ({ label, value, options, onChoose, disabled }: SelectProps) => (
  <label>
    {label}
    <select value={value} disabled={disabled} onChange={(event) => onChoose(event.currentTarget.value)}>
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  </label>
)

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: ReactNode
  readonly onWord?: (word: string) => void
}

export const Field = ({ label, onWord, ...input }: FieldProps) => (
  <label>
    {label}
    <input autoComplete="off" onChange={onWord && ((event) => onWord(event.currentTarget.value))} {...input} />
  </label>
)

interface FlagProps {
  readonly label: string
  readonly checked: boolean
  readonly onCheck: (checked: boolean) => void
}

export const Flag = ({ label, checked, onCheck }: FlagProps) => (
  <label className="check">
    <input type="checkbox" checked={checked} onChange={(event) => onCheck(event.currentTarget.checked)} />
    {label}
  </label>
)

interface FormProps {
  readonly kind?: string
  readonly label?: string
  /** Told what stands in the fields, without blanks around it. */
  readonly onSend: (field: (name: string) => string) => void
  readonly children: ReactNode
}

export const Form = ({ kind, label, onSend, children }: FormProps) => (
  <form
    className={kind}
    aria-label={label}
    onSubmit={(event) => {
      event.preventDefault()
      const data = new FormData(event.currentTarget)
      onSend((name) => {
        const value = data.get(name)
        return typeof value === 'string' ? value.trim() : ''
      })
    }}
  >
    {children}
  </form>
)

interface SectionProps {
  readonly id: string
  readonly title: ReactNode
  readonly kind?: string
  readonly children: ReactNode
}

export const Section = ({ id, title, kind, children }: SectionProps) => (
  <section id={id} className={kind} aria-labelledby={`${id}-heading`}>
    <h2 id={`${id}-heading`} tabIndex={-1}>
      {title}
    </h2>
    {children}
  </section>
)

/** Parts of a page, in their order, of which some may not be there. */
type Parts = readonly (readonly [id: string, title: string, part: ReactNode])[]

export const Sections = ({ parts }: { readonly parts: Parts }) =>
  parts.map(
    ([id, title, part]) =>
      part && (
        <Section key={id} id={id} title={title}>
          {part}
        </Section>
      ),
  )

interface LogProps {
  readonly label: string
  readonly kind?: string
  readonly text: string
}

/** A stranger's text of several lines, which is scrolled where it is long. */
export const Log = ({ label, kind = 'log panel', text }: LogProps) => (
  <pre className={kind} tabIndex={0} role="region" aria-label={label}>
    {text.split('\n').map(visible).join('\n')}
  </pre>
)
