import { type Entrant, type Memory, canonical, derive } from '../core/index.js'
import type { Entry } from '../contest/entries.js'
import { sha256 } from '../files/index.js'
import type { SandboxMaker } from '../sandbox/index.js'

/** An entrant staged and built here, ready to start. */
export type BuiltEntrant = Entrant & Required<Pick<Entrant, 'program'>>

/** An entrant that cannot play here: a language is missing, or its build failed. */
export interface NotBuilt {
  readonly name: string
  readonly house: boolean
  readonly why: string
  readonly log?: string
}

export const wasBuilt = <One extends Entrant>(one: One | NotBuilt): one is One & BuiltEntrant =>
  'program' in one && one.program !== undefined

/** Milliseconds by name, and bytes. */
export type Limits = Readonly<Record<string, number>>

/** An entrant's hash: over all that decides its play under these limits. */
export function hashOfEntrant(
  { source, build, command, toolchain, wire, memory, strict }: Omit<Entrant, 'hash'>,
  limits: Limits,
): string {
  // Its source's allowed size changes nothing of its play.
  const { source: _, ...playing } = limits
  const afresh = memory === 'turn' ? strict : undefined
  return derive(
    'entrant',
    canonical({ source, build, command, toolchain, wire, memory, limits: canonical(playing), strict: afresh }),
  )
}

/**
 * An entrant that plays on its author's machine, with nothing to build. It may remember anything, so it is taken to
 * remember the matches before; `bot`: the site's name for its connection.
 */
export function remoteEntrant({ spec }: Pick<Entry, 'spec'>, bot: string, limits: Limits): BuiltEntrant {
  const { name, version, author, synopsis } = spec
  const entrant = {
    name,
    version,
    facts: { author, synopsis },
    house: false,
    source: sha256(`remote ${bot}`),
    build: '[]',
    command: '"remote"',
    toolchain: '',
    wire: 'jsonl',
    memory: 'series',
    remote: true,
  } as const
  return { ...entrant, hash: hashOfEntrant(entrant, limits), program: { kind: 'remote', bot } }
}

export interface PrepareRules {
  /** For entrants that give none; one that its wire does not allow is shortened. */
  readonly memory?: Memory
  /** Bots that do not live through the tournament have a new sandbox a life, or a turn. */
  readonly strictMemory?: boolean
  /** `source`: bytes of an entrant's source, and of its build's files; absent: 256 MiB. */
  readonly limits?: Limits
}

export interface PrepareOptions extends PrepareRules {
  /** Keeps staged sources and builds from run to run. */
  readonly workspace: string
  /** How strangers are held; absent: not at all. */
  readonly isolation?: BotIsolation
  /** Called with a text for people, for what takes time. */
  readonly onNote?: (text: string) => void
}

export interface BotIsolation {
  /** What sandboxes are made with; absent: there are none. */
  readonly maker?: SandboxMaker
  /** Modules run in agon's own process. */
  readonly trust: boolean
  /** Why a stranger's program cannot run here, and the remedy. */
  readonly refusal?: string
}
