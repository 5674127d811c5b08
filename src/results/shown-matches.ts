import { gzipSync } from 'node:zlib'
import { type FaultKind, type GameDefinition, type MatchRecord, type Outcome, isFault } from '../core/index.js'
import { paced } from '../files/index.js'
import type { ComputedMatch, MatchRow, PackedMatch, ReportDocument } from '../web/document.js'
import { computing, followed } from './computed-match.js'

/** How a match counts in its run. */
interface Counting {
  readonly key: string
  /** By seat: the entrant. */
  readonly seats: readonly number[]
  /** undefined where the match is void. */
  readonly outcome: Outcome | undefined
  /** By seat. */
  readonly faults: readonly (readonly FaultKind[])[]
}

/** The matches that a report holds, with their records. `builtIn`: the page knows the game's rules. */
export class ShownMatches {
  private readonly matches: MatchRow[] = []
  private readonly packs = new Packs()

  constructor(private readonly builtIn: boolean) {}

  /** `positions`: of a game whose rules the page does not know. */
  add(record: MatchRecord, counting: Counting, positions: ComputedMatch | undefined): void {
    this.matches.push(matchRow(record, counting))
    const packed: PackedMatch = { record, positions }
    this.packs.add(JSON.stringify(packed))
  }

  /** `total`: matches of the run. */
  counts(total: number): ReportDocument['matches'] {
    return { total, kept: this.matches.length, pack: this.packs.size, positions: !this.builtIn }
  }

  done(): { readonly matches: readonly MatchRow[]; readonly packs: readonly string[] } {
    return { matches: this.matches, packs: this.packs.done() }
  }
}

/** A match of the list. */
function matchRow(record: MatchRecord, { key, seats, outcome, faults }: Counting): MatchRow {
  const { place, reason } = outcome ?? { ...record.outcome, reason: `${record.outcome.reason} (void)` }
  const row = [key, seats, place, reason, record.steps.length] as const
  const faulted = faults.map((kinds) => kinds.length)
  return faulted.some((n) => n > 0) ? [...row, faulted] : row
}

/** What the rules make of a record. */
interface JudgedRecord {
  /** By seat. */
  readonly faults: readonly (readonly FaultKind[])[]
  /** Where they are wanted. */
  readonly positions?: ComputedMatch | undefined
}

/** Follows a record once, by the rules; a game of its own file may take long over each step. `positions`: these are wanted, too. */
export async function judgedRecord(
  definition: GameDefinition,
  record: MatchRecord,
  wanted: { readonly positions: boolean },
): Promise<JudgedRecord> {
  const positions = wanted.positions ? await paced(computing(definition, record)) : undefined
  const moves = positions?.moves ?? (await paced(followed(definition, record)))
  const faults = record.seats.map((): FaultKind[] => [])
  for (const step of moves)
    for (const [seat, move] of step.entries()) if (move !== null && isFault(move)) faults[seat]?.push(move.fault)
  return { faults, positions }
}

/** Packs lines by so many: a reader who opens one match unpacks no more than that. */
class Packs {
  readonly size = 64
  private readonly packs: string[] = []
  private lines: string[] = []

  add(line: string): void {
    this.lines.push(line)
    if (this.lines.length === this.size) this.close()
  }

  /** All packs, the last one as full as it is. */
  done(): readonly string[] {
    if (this.lines.length > 0) this.close()
    return this.packs
  }

  private close(): void {
    this.packs.push(packed(this.lines.join('\n')))
    this.lines = []
  }
}

/** A text as gzip in base64. */
export function packed(text: string): string {
  return gzipSync(text).toString('base64')
}
