import type { MatchRow, PackedMatch, ReportDocument } from './document.js'

/** A report as the page holds it: records are unpacked when a match is opened. */
export interface Report {
  readonly document: ReportDocument
  readonly matches: readonly MatchRow[]
  /** The record of the match at that place of `matches`. */
  readonly match: (at: number) => Promise<PackedMatch>
}

/** Reads the report that the file holds: its document as JSON, matches and packs of records as gzip in base64. */
export async function loadReport(root: ParentNode): Promise<Report> {
  const text = (id: string): string => root.querySelector(`script[data-report="${id}"]`)?.textContent ?? ''
  const document = JSON.parse(text('document')) as ReportDocument
  const matches = JSON.parse(await unpack(text('matches'))) as readonly MatchRow[]
  const last: { pack: number; lines: Promise<readonly string[]> } = { pack: -1, lines: Promise.resolve([]) }
  return {
    document,
    matches,
    async match(at) {
      const pack = Math.floor(at / document.matches.pack)
      if (last.pack !== pack) {
        last.pack = pack
        last.lines = unpack(text(`pack-${pack}`)).then((lines) => lines.split('\n'))
      }
      const line = (await last.lines)[at % document.matches.pack]
      if (line === undefined || line === '') throw new Error('the record of this match is not in the page')
      return JSON.parse(line) as PackedMatch
    },
  }
}

async function unpack(base64: string): Promise<string> {
  const bytes = Uint8Array.from(atob(base64.trim()), (c) => c.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Response(stream).text()
}

/** What this browser keeps for the page; `otherwise`: where it keeps none, as from disk or if its owner forbids it. */
export function stored<T>(use: (storage: Storage) => T, otherwise: T): T {
  try {
    return use(localStorage)
  } catch {
    return otherwise
  }
}
