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
  /** Still being played: the record has no end, and grows. */
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

/** Bytes of positions in a report at most, the newest. */
const POSITIONS_BYTES = 16 * 2 ** 20

/** A report's matches with their records. `builtIn`: the page knows the game's rules. */
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

  /** `positions`: if the page does not know the game's rules. The oldest are left out where they become too many. */
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
      /** How many, the newest, are in the page. */
      kept,
      /** Matches a pack of records. */
      pack: PACK,
      /** The records bring positions along: the page does not know the rules. */
      positions: !this.builtIn,
      /** How many, the newest, have positions in the page; undefined: all that are kept. */
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

/** Matches a pack: a reader of one match unpacks no more. */
const PACK = 64

const bytesOf = (text: string | undefined): number => (text === undefined ? 0 : Buffer.byteLength(text))

function matchRow(record: MatchRecord, { key, seats, outcome, faults }: Counting): MatchRow {
  const { place, reason } = outcome ?? { ...record.outcome, reason: `${record.outcome.reason} (void)` }
  const row = [key, seats, place, reason, record.steps.length] as const
  const faulted = faults.map((kinds) => kinds.length)
  return faulted.some((n) => n > 0) ? [...row, faulted] : row
}

/** Follows a record once by the rules; a game's file may be slow. Gives faults by seat, and with `draws` positions. */
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
