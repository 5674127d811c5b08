import { type RoomSpec, PLACES, bubblewrapArguments } from './bubblewrap.js'
import type { Cgroup } from './cgroups.js'
import { SLICE_NS } from './cores.js'
import type { TurnResult } from './frames.js'
import { hasRoomBeside } from './source-top.js'

export interface SandboxSpec extends RoomSpec {
  readonly launcher: string
  /** Words before its own, which start it as another user. */
  readonly prefix?: readonly string[]
  readonly bubblewrap: string
  readonly pipes?: boolean
  /** The user that the sandbox's programs are, where agon may choose; absent: agon's own. */
  readonly user?: number
  readonly cgroup?: Cgroup
  readonly core?: number
}

/** The launcher's command: outside it becomes the bot's user and bubblewrap, inside it is process 1. */
export function commandOf(spec: SandboxSpec): string[] {
  const { limits, state, cgroup } = spec
  const given = (word: string, value: string | number | undefined): string[] =>
    value === undefined ? [] : [word, String(value)]
  const pipes = spec.pipes ? ['--pipes'] : []
  const madeBeside = spec.building || (spec.writable && hasRoomBeside(spec.source))
  const inner = [
    'sandbox',
    ...pipes,
    ...(cgroup?.cpu === undefined ? [] : ['--cpu']),
    ...(cgroup?.memory ? ['--counted'] : []),
    '--restrict',
    ...[PLACES.tmp, PLACES.game, '/dev/shm', ...(madeBeside ? [PLACES.source] : [])].flatMap((folder) => [
      '--private',
      folder,
    ]),
    ...(state === undefined ? [] : ['--state', `${PLACES.source}/${state.folder}`, String(state.bytes)]),
    ...Object.entries({
      data: limits.memory,
      processes: limits.processes,
      files: limits.files,
      file: limits.disk,
    }).flatMap(([name, value]) => ['--limit', name, String(value)]),
  ]
  const tools = { ...spec.tools, launcher: spec.launcher }
  const program = [`${PLACES.tools}/launcher`, ...inner]
  const { stage, data, args } = bubblewrapArguments({ ...spec, tools }, program, spec.user !== undefined)
  return [
    spec.launcher,
    'room',
    ...given('--user', spec.user),
    ...(cgroup?.folders ?? []).flatMap((folder) => ['--cgroup', folder]),
    ...given('--cpu', cgroup?.cpu),
    ...given('--core', spec.core),
    ...given('--slice', spec.core !== undefined && spec.pipes ? SLICE_NS : undefined),
    ...pipes,
    ...stage.flatMap((path) => ['--stage', path]),
    ...Object.entries(data).flatMap(([fd, text]) => ['--data', fd, text]),
    '--',
    spec.bubblewrap,
    ...args,
  ]
}

/** Restrictions beside the filters of system calls, without which no sandbox opens. */
export interface SandboxFacts {
  /** Landlock's version; 0: none. */
  readonly landlock: number
  /** Whether a program was killed by its own family is known. */
  readonly seesKills: boolean
}

/** Measures of a watched question, in microseconds since it began; CPU since it was watched. */
export interface Measures {
  readonly question: number
  readonly wallUs: number
  readonly chargedUs: number
  readonly cpuUs: number
  /** The hard stop came first: its charge is within its limit, others had its core for the rest. */
  readonly busy: boolean
}

export interface StayEvents {
  ended(end: Pick<TurnResult, 'end' | 'stop' | 'outside'>): void
  errors(chunk: Buffer): void
  /** A watched question's time is up: the process stands still until it is killed or let go on. */
  late(measures: Measures): void
  measured(measures: Measures): void
}
