import { availableParallelism } from 'node:os'
import { textIn, trustedProgram } from '../files/index.js'
import { startSandbox } from './sandbox.js'
import type { SandboxFacts } from './sandbox-spec.js'
import { NO_FILTER, allowed, troubleOf } from './host-error.js'
import { cgroupRoots, countsCpu } from './cgroups.js'
import { findLauncher, isBuilt } from './launcher.js'
import { DEFAULT_LIMITS } from './limits.js'
import { nextUser } from './users.js'

export interface Isolation {
  readonly launcher: string | undefined
  /** bubblewrap's program, tried and found to work. */
  readonly program: string | undefined
  readonly facts?: SandboxFacts
  /** What is lacking for a sandbox, in words, and the command that mends it. */
  readonly lacks?: string
  readonly remedy?: string
  /** Not sandboxes alone need it: the machine or the shell gives too little to run anything. */
  readonly trouble?: true
}

let found: Promise<Isolation> | undefined

/** Looks for all that a sandbox needs, by opening one; once a process. */
export function findIsolation(): Promise<Isolation> {
  found ??= look()
  return found
}

/** Begins to look, if it finds the system's own: which folders of PATH are a stranger's depends on the contest. */
export function lookAhead(): void {
  if (trustedProgram('bwrap')?.startsWith('/usr/') && isBuilt()) findIsolation().catch(() => undefined)
}

const root = process.getuid?.() === 0 ? '' : 'sudo '
const INSTALL = (name: string): string => `${root}apt-get install -y ${name}`

async function look(): Promise<Isolation> {
  const launcher = await findLauncher()
  const without = (lacks: string, remedy: string): Isolation => ({ launcher, program: undefined, lacks, remedy })
  if (process.platform !== 'linux') return without(`${process.platform} has no sandboxes`, 'run agon on Linux')
  if (launcher === undefined) return without('a C compiler, which builds the launcher', INSTALL('gcc libc6-dev'))
  const program = trustedProgram('bwrap')
  if (program === undefined) return without('bubblewrap', INSTALL('bubblewrap'))
  try {
    const room = { also: [], tools: {}, limits: DEFAULT_LIMITS, user: nextUser() }
    const sandbox = await startSandbox({ launcher, bubblewrap: program, ...room })
    const facts = await sandbox.opened
    void sandbox.close()
    return { launcher, program, facts }
  } catch (error) {
    const trouble = troubleOf(error)
    if (trouble !== undefined) return { ...without(trouble.lacks, trouble.remedy), trouble: true }
    const reason = error instanceof Error ? error.message : String(error)
    if (reason.includes(NO_FILTER))
      return without(
        'a filter of system calls (seccomp)',
        'run agon on x86_64 or aarch64, on a kernel with CONFIG_SECCOMP_FILTER that nothing keeps from using it',
      )
    return without(`a bubblewrap that works here (${reason})`, remedyFor())
  }
}

function remedyFor(): string {
  for (const [file, bad, command] of [
    ['/proc/sys/kernel/unprivileged_userns_clone', '0', 'sysctl -w kernel.unprivileged_userns_clone=1'],
    [
      '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
      '1',
      'sysctl -w kernel.apparmor_restrict_unprivileged_userns=0',
    ],
    ['/proc/sys/user/max_user_namespaces', '0', 'sysctl -w user.max_user_namespaces=10000'],
  ] as const)
    if (textIn(file).trim() === bad) return `${root}${command}`
  return 'in a container, let it make user namespaces (docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined)'
}

export interface DoctorFinding {
  readonly name: string
  /** Undefined: good to have, and not needed. */
  readonly ok: boolean | undefined
  readonly says: string
  readonly remedy?: string
}

/** What sandboxes without users or cgroups of their own share, also with their user: processes count for both. */
function shared(cgroups: boolean, counted: boolean): DoctorFinding {
  const most = allowed('processes')
  const { memory, processes } = DEFAULT_LIMITS
  const user = process.getuid?.()
  const bounds = [
    ...(user === 0
      ? []
      : [`the ${most ?? 'unlimited'} processes of user ${user} are for all sandboxes and all else of that user`]),
    ...(cgroups ? [] : [`${memory / 1024 ** 2} MiB are for each process: a sandbox may take ${processes} times that`]),
    ...(counted
      ? []
      : ['a bot is charged for what it waits for a core once one of its processes or threads has ended']),
  ]
  const mend = [
    ...(user === 0 || most === undefined ? [] : [`ulimit -u ${Math.max(4096, 2 * most)}`]),
    ...(cgroups ? [] : ['lower the limits memory and processes of the contest']),
    user === 0
      ? 'let agon write /sys/fs/cgroup'
      : 'run agon as root, where each sandbox has a user and a cgroup of its own',
  ]
  return { name: 'shared', ok: undefined, says: bounds.join('; '), remedy: mend.join(', or ') }
}

export async function findings(): Promise<DoctorFinding[]> {
  const { launcher, program, facts, lacks, remedy } = await findIsolation()
  const cgroups = cgroupRoots()
  const counted = countsCpu()
  const isRoot = process.getuid?.() === 0
  const needed = (name: string, ok: boolean, says: string): DoctorFinding => ({
    name,
    ok,
    says,
    remedy: ok ? undefined : remedy,
  })
  const good = (name: string, has: boolean | undefined, says: string, otherwise: string): DoctorFinding => ({
    name,
    ok: has ? true : undefined,
    says: has ? says : otherwise,
  })
  return [
    needed('launcher', launcher !== undefined, launcher ?? `lacks ${lacks}`),
    needed(
      'bubblewrap',
      program !== undefined,
      program === undefined ? `lacks ${lacks}: the bots of strangers are refused` : `${program} makes rooms`,
    ),
    good(
      'landlock',
      facts && facts.landlock > 0,
      `version ${facts?.landlock}`,
      'none: rooms are held by their mounts alone',
    ),
    good('seccomp', facts !== undefined, 'filters system calls', 'none'),
    good(
      'kills',
      facts?.seesKills,
      'the launcher sees which bot kills itself; one that was killed from outside plays its match again',
      'who kills a bot cannot be seen: its match is played again once, then it is the bot’s crash',
    ),
    good(
      'cgroups',
      cgroups.length > 0,
      `memory and processes of a sandbox are limited${counted ? ', and its CPU time is counted,' : ''} in ${cgroups.join(' and ')}`,
      'cannot be written: memory is limited by process, not by sandbox',
    ),
    good(
      'users',
      isRoot,
      'each sandbox has a user of its own',
      `sandboxes are kept apart by namespaces; all are user ${process.getuid?.()}`,
    ),
    ...(counted && isRoot ? [] : [shared(cgroups.length > 0, counted)]),
    { name: 'cores', ok: true, says: `${availableParallelism()}` },
  ]
}
