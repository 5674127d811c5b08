import { gzipSync } from 'node:zlib'
import { type FaultKind, type GameDefinition, type MatchRecord, type Outcome, isFault } from '../core/index.js'
import { walk } from '../match/index.js'
import type { MatchRow, PackedMatch, ReportDocument } from '../web/document.js'
import { computedMatch } from './computed-match.js'

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

  constructor(
    private readonly definition: GameDefinition,
    private readonly builtIn: boolean,
  ) {}

  add(record: MatchRecord, counting: Counting): void {
    const { definition, builtIn } = this
    this.matches.push(matchRow(record, counting))
    const packed: PackedMatch = builtIn ? { record } : { record, positions: computedMatch(definition, record) }
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

/** By seat: the faults of a match, as the rules judge it. */
export function judgedFaults(definition: GameDefinition, record: MatchRecord): readonly FaultKind[][] {
  const faults = record.seats.map((): FaultKind[] => [])
  try {
    for (const { moves } of walk(definition, record)) {
      moves.forEach((move, seat) => isFault(move) && faults[seat]?.push(move.fault))
    }
  } catch {
    // A record of other rules: what was judged so far counts, and the replay says where it ends.
  }
  return faults
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
  return gzipSync(text, { level: 9 }).toString('base64')
}
