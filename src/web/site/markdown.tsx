import { Fragment, type ReactNode } from 'react'
import { visible } from '../../core/index.js'
import { Log, Table } from '../parts.js'

/** Markdown as rules and READMEs use it: headings, paragraphs, lists, tables, blocks of code, and inline marks. */
export function Markdown({ text }: { readonly text: string }) {
  const blocks = text.match(BLOCKS) ?? []
  return blocks.map((block, i) => <Fragment key={i}>{drawn(block.trimEnd().split('\n'))}</Fragment>)
}

type Block = readonly string[]

/** What stands apart: a block of code between fences, a heading, and lines up to an empty one. */
const BLOCKS = /^```[^]*?^```|^#+ .*|(?:^(?!```|#+ ).*\S.*\n?)+/gm

const ITEM = /^(?:(\d+)\.|[-*]) +/

function drawn(lines: Block): ReactNode {
  const [first = ''] = lines
  const [, marks] = /^(#+) /.exec(first) ?? []
  if (marks !== undefined) {
    const Heading = marks.length <= 2 ? 'h3' : 'h4'
    return <Heading>{inline(first.slice(marks.length + 1))}</Heading>
  }
  if (first.startsWith('```')) return <Log label="example" text={lines.slice(1, -1).join('\n')} />
  if (first.trim().startsWith('|')) return <Rows lines={lines} />
  if (!ITEM.test(first)) return <p>{inline(lines.join(' '))}</p>
  const items: string[] = []
  for (const line of lines)
    if (ITEM.test(line)) items.push(line.replace(ITEM, ''))
    else items.push(`${items.pop() ?? ''} ${line.trim()}`)
  const all = items.map((item, i) => <li key={i}>{inline(item)}</li>)
  const [, number] = ITEM.exec(first) ?? []
  return number === undefined ? <ul>{all}</ul> : <ol start={Number(number)}>{all}</ol>
}

function Rows({ lines }: { readonly lines: Block }) {
  const [head = [], , ...rows] = lines.map((line) =>
    line
      .trim()
      .replace(/^\||\|$/g, '')
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  )
  const columns = head.map((name, i) => ({ head: name, cell: (cells: readonly string[]) => inline(cells[i] ?? '') }))
  return <Table label="table" columns={columns} rows={rows} keyOf={(cells) => cells.join('|')} />
}

/** `code`, **strong**, *emphasis*, and of a link its words: where it leads is no page of the site. */
function inline(text: string): ReactNode {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*|\[[^\]]+\]\([^)]*\))/).map((part, i) => {
    if (i % 2 === 0) return visible(part)
    if (part.startsWith('`')) return <code key={i}>{visible(part.slice(1, -1))}</code>
    if (part.startsWith('**')) return <b key={i}>{visible(part.slice(2, -2))}</b>
    if (part.startsWith('*')) return <em key={i}>{visible(part.slice(1, -1))}</em>
    return visible(/^\[([^\]]+)\]/.exec(part)?.[1] ?? part)
  })
}
