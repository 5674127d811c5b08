import { gzipSync } from 'node:zlib'
import { type FaultKind, type GameDefinition, type MatchRecord, type Outcome, isFault } from '../core/index.js'
import { paced } from '../files/index.js'
import { type ComputedMatch, computing, followed } from './computed-match.js'

/** A match in the list: key, entrants by seat, places by seat, reason, turns, faults by seat (absent: none). */
export type MatchRow = readonly [
  key: string,
  seats: readonly number[],
  places: readonly number[],
  reason: string,
  turns: number,
  faults?: readonly number[],
]

/** A record with, where the page cannot know the rules, what follows from it. */
export interface PackedMatch {
  readonly record: MatchRecord
  readonly positions?: ComputedMatch
  /** It is still being played: the record has no end, and grows. */
  readonly live?: true
}

interface Counting {
  readonly key: string
  readonly seats: readonly number[]
  /** undefined where the match is void. */
  readonly outcome: Outcome | undefined
  /** By seat. */
  readonly faults: readonly (readonly FaultKind[])[]
}

/** Bytes of positions that a report holds at most: the newest of them. */
const POSITIONS_BYTES = 16 * 2 ** 20

/** The matches that a report holds, with their records. `builtIn`: the page knows the game's rules. */
export class ShownMatches {
  private readonly matches: MatchRow[] = []
  /** By match, as JSON. */
  private readonly lines: { readonly record: string; positions: string | undefined }[] = []
  private bytes = 0
  /** The first match that has its positions. */
  private first = 0

  constructor(
    private readonly builtIn: boolean,
    private readonly most = POSITIONS_BYTES,
  ) {}

  /** `positions`: of a game whose rules the page does not know. Where they become too many, the oldest are left out. */
  add(record: MatchRecord, counting: Counting, positions: ComputedMatch | undefined): void {
    this.matches.push(matchRow(record, counting))
    const text = positions && JSON.stringify(positions)
    this.lines.push({ record: JSON.stringify(record), positions: text })
    this.bytes += bytesOf(text)
    for (; this.bytes > this.most; this.first++) {
      const oldest = this.lines[this.first]
      if (oldest === undefined) break
      this.bytes -= bytesOf(oldest.positions)
      oldest.positions = undefined
    }
  }

  /** `total`: matches of the run. */
  counts(total: number) {
    const kept = this.matches.length
    return {
      total,
      /** How many of them, the newest, are in the page. */
      kept,
      /** Matches a pack of records. */
      pack: PACK,
      /** Whether the records bring their positions along: the page does not know this game's rules. */
      positions: !this.builtIn,
      /** Of how many, the newest, the positions are in the page; undefined: of all that are kept. */
      drawn: this.first === 0 ? undefined : kept - this.first,
    }
  }

  done(): { readonly matches: readonly MatchRow[]; readonly packs: readonly string[] } {
    const lines = this.lines.map(({ record, positions }) =>
      positions === undefined ? `{"record":${record}}` : `{"record":${record},"positions":${positions}}`,
    )
    const packs = Array.from({ length: Math.ceil(lines.length / PACK) }, (_, i) =>
      packed(lines.slice(i * PACK, (i + 1) * PACK).join('\n')),
    )
    return { matches: this.matches, packs }
  }
}

/** Matches a pack: a reader who opens one match unpacks no more than that. */
const PACK = 64

const bytesOf = (text: string | undefined): number => (text === undefined ? 0 : Buffer.byteLength(text))

function matchRow(record: MatchRecord, { key, seats, outcome, faults }: Counting): MatchRow {
  const { place, reason } = outcome ?? { ...record.outcome, reason: `${record.outcome.reason} (void)` }
  const row = [key, seats, place, reason, record.steps.length] as const
  const faulted = faults.map((kinds) => kinds.length)
  return faulted.some((n) => n > 0) ? [...row, faulted] : row
}

/**
 * Follows a record once, by the rules; a game of its own file may take long over each step. Gives the faults by seat, and with `draws` the
 * positions.
 */
export async function judgedRecord(definition: GameDefinition, record: MatchRecord, draws: boolean) {
  const positions = draws ? await paced(computing(definition, record)) : undefined
  const moves = positions?.moves ?? (await paced(followed(definition, record)))
  const faults = record.seats.map((_, seat) =>
    moves.flatMap((step) => {
      const move = step[seat] ?? null
      return move !== null && isFault(move) ? [move.fault] : []
    }),
  )
  return { faults, positions }
}

export function packed(text: string): string {
  return gzipSync(text).toString('base64')
}
