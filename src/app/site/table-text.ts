import type { SiteContext } from './context.js'
import type { FoundContest } from './contests.js'
import { entrantOfContest } from './entrants.js'
import { reportOfContest } from './live-report.js'
import { standingsOfContest } from './standings.js'

/** Which table of a contest is asked for. */
export type TableAsked =
  { readonly kind: 'standings' } | { readonly kind: 'report' } | { readonly kind: 'entrant'; readonly name: string }

/** What a table is made from: what was played, and what can be played. */
export type TableSource = Pick<SiteContext, 'store' | 'games' | 'site' | 'workspace'>

/** A table as JSON. */
export async function tableText(source: TableSource, found: FoundContest, asked: TableAsked): Promise<string> {
  switch (asked.kind) {
    case 'standings':
      return JSON.stringify(await standingsOfContest(source, found))
    case 'report':
      return JSON.stringify({ report: await reportOfContest(source, found) })
    case 'entrant':
      return JSON.stringify(await entrantOfContest(source, found, asked.name))
  }
}
