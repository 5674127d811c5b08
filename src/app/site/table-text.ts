import type { FoundContest } from './found-contest.js'
import { entrantOfContest } from './entrants.js'
import { reportOfContest } from './live-report.js'
import { standingsOfContest } from './standings.js'
import type { TableAsked, TableSource } from './table-source.js'

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
