/** All that agon knows of a kind of fault; what depends on the kind asks this. */
interface FaultRecord {
  readonly kind: string
  /** Reported by a transport: it puts a process that stays out of the match. Others are judgements on an answer. */
  readonly fact?: true
  /** What the bot did, for people. */
  readonly words: string
  /** No answer at all: an entrant whose first answer is this does not play. */
  readonly mute?: true
  /** Depends on the clock: asked again, the bot may do otherwise. */
  readonly byClock?: true
  /** On a wire that says so, earlier prints may count all the same. */
  readonly salvaged?: true
}

/** Every kind of fault, in the order of tables. */
export const FAULTS = [
  { kind: 'timeout', fact: true, words: 'it did not answer in time', mute: true, byClock: true, salvaged: true },
  { kind: 'crash', fact: true, words: 'its program ended, or could not be started', mute: true, salvaged: true },
  { kind: 'flood', fact: true, words: 'it printed more than an answer may have' },
  { kind: 'killed', fact: true, words: 'it had been ended earlier in the match' },
  { kind: 'silent', words: 'it answered nothing', mute: true },
  { kind: 'unparsable', words: 'its answer could not be read' },
  { kind: 'illegal', words: 'its answer is not among the legal actions' },
] as const satisfies readonly FaultRecord[]

type KnownFault = (typeof FAULTS)[number]
export type FaultKind = KnownFault['kind']
/** The kinds that transports report. */
export type Trouble = Extract<KnownFault, { readonly fact: true }>['kind']

export const FAULT_KINDS: readonly FaultKind[] = FAULTS.map(({ kind }) => kind)
export const TROUBLES: readonly Trouble[] = FAULTS.flatMap((fault) => ('fact' in fault ? [fault.kind] : []))

const BY_KIND = Object.fromEntries(FAULTS.map((fault) => [fault.kind, fault])) as Readonly<
  Record<FaultKind, FaultRecord>
>

export const faultOf = (kind: FaultKind): FaultRecord => BY_KIND[kind]
