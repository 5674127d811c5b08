import { lstatSync, readlinkSync, readdirSync } from 'node:fs'
import { realPath } from '../files/index.js'
import type { SandboxLimits } from './limits.js'
import { isShown, topOf } from './source-top.js'
import { machineFiles } from './machine-files.js'

export const PLACES = {
  /** The bot's source, read-only; its working folder. */
  source: '/bot',
  /** Private, with a quota. */
  tmp: '/tmp',
  game: '/game',
  tools: '/agon',
  /** Where something is built: the source as it is on the host. */
  staged: '/staged',
} as const

export interface RoomSpec {
  /** The staged source's folder on the host; absent: an empty one. */
  readonly source?: string
  /** More at its own path, read-only: an interpreter outside /usr. */
  readonly also: readonly string[]
  /** Files of agon's own that are found in /sandbox, by name. */
  readonly tools: Readonly<Record<string, string>>
  /** A writable folder below the source, of so many bytes, for the state of a process per turn. */
  readonly state?: { readonly folder: string; readonly bytes: number }
  /** The working folder takes new files; the source's own stay as they are. */
  readonly writable?: boolean
  readonly limits: SandboxLimits
  /** The source is built: it lies at /staged, and /bot is empty and can be written. */
  readonly building?: boolean
}

/** This machine's links and folders that make /usr a whole system. */
const ROOT_ENTRIES = ['lib', 'lib32', 'lib64', 'libx32', 'bin', 'sbin']
/** What of /etc programs need for their libraries and settings; nothing that describes the host. */
const ETC = ['ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'alternatives', 'localtime', 'perl', 'ssl/certs']
const ETC_PATTERN = /^(java|python|php|ruby|openjdk)/

function system(): string[] {
  const root = ROOT_ENTRIES.flatMap((name) => {
    const stat = lstatSync(`/${name}`, { throwIfNoEntry: false })
    if (stat?.isSymbolicLink()) return ['--symlink', readlinkSync(`/${name}`), `/${name}`]
    return stat?.isDirectory() ? ['--ro-bind', `/${name}`, `/${name}`] : []
  })
  const versions = readdirSync('/etc').filter((name) => ETC_PATTERN.test(name))
  const etc = [...ETC, ...versions].flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`])
  return ['--ro-bind', '/usr', '/usr', ...root, ...etc]
}

const empty = (folder: string): string[] => ['--tmpfs', folder, ...fixed(folder)]
const fixed = (folder: string): string[] => ['--remount-ro', folder]

/** Covers what in /proc is the whole machine's; `data` gives the descriptor that a text is read from. */
function stillMachine(data: (text: string) => string): string[] {
  const { settings, counters, emptyFiles, emptyFolders } = machineFiles()
  return [
    '--tmpfs',
    '/proc/sys',
    ...settings.flatMap(({ path, text }) => ['--file', data(text), path]),
    ...fixed('/proc/sys'),
    ...counters.flatMap(({ path, text }) => ['--ro-bind-data', data(text), path]),
    ...emptyFiles.flatMap((path) => ['--dev-bind', '/dev/null', path]),
    ...emptyFolders.flatMap(empty),
  ]
}

const ISOLATION = `--unshare-all --unshare-user --disable-userns --uid 1000 --gid 1000 --hostname sandbox
  --die-with-parent --new-session --cap-drop ALL --clearenv --as-pid-1`.split(/\s+/)

/** The first descriptor that bubblewrap reads files from: those below are the sandbox's own. */
export const FIRST_DATA = 16

/**
 * bubblewrap's arguments for a room. `stage`: host's files that the launcher lays out first, because the bot's user
 * cannot reach them; `data`: the texts of files that bubblewrap makes, by descriptor. Every mount of the host is
 * read-only, every writable one is a memory file system of a limited size. bubblewrap follows links, so no path given
 * to it is one or goes through one; no stranger's program can change that before the mount, because sources and builds
 * are agon's own copies.
 */
export function bubblewrapArguments(
  room: RoomSpec,
  program: readonly string[],
  ownUser: boolean,
): { stage: readonly string[]; data: Readonly<Record<string, string>>; args: readonly string[] } {
  const stage: string[] = []
  const data: string[] = []
  const open = (path: string): string => {
    const real = realPath(path) ?? path
    return ownUser ? `/tmp/${stage.push(real) - 1}` : real
  }
  const tmpfs = (folder: string) => {
    // A build needs little that can be written beside these two.
    const isLarge = !room.building || folder === PLACES.source || folder === PLACES.tmp
    const size = isLarge ? room.limits.disk : BESIDE_A_BUILD
    return ['--perms', '0700', '--size', String(size), '--tmpfs', folder]
  }
  const args = [
    ...system(),
    '--proc',
    '/proc',
    ...stillMachine((text) => String(FIRST_DATA + data.push(text) - 1)),
    '--dev',
    '/dev',
    // The machine's terminals are limited: one bot could take them all.
    ...empty('/dev/pts'),
    ...tmpfs(PLACES.tmp),
    ...tmpfs(PLACES.game),
    // After /tmp: agon itself may be installed below it.
    ...room.also.flatMap((path) => ['--ro-bind', open(path), path]),
    ...Object.entries(room.tools).flatMap(([name, path]) => ['--ro-bind', open(path), `${PLACES.tools}/${name}`]),
    ...sourceArguments(room, open, tmpfs),
    '--chdir',
    PLACES.source,
    ...fixed('/'),
    ...fixed('/dev'),
    ...tmpfs('/dev/shm'),
    ...ISOLATION,
    '--',
    ...program,
  ]
  return { stage, data: Object.fromEntries(data.map((text, i) => [FIRST_DATA + i, text])), args }
}

/** Bytes of each private folder beside those that a build uses. */
const BESIDE_A_BUILD = 16 * 1024 ** 2

function sourceArguments(
  { source, state: kept, building, writable }: RoomSpec,
  open: (path: string) => string,
  tmpfs: (folder: string) => string[],
): string[] {
  if (source === undefined) return ['--dir', PLACES.source]
  const bind = (path: string, to: string): string[] => ['--ro-bind', path, to]
  if (building) return [...tmpfs(PLACES.source), ...bind(open(source), PLACES.staged)]
  const root = realPath(source) ?? source
  const state = kept?.folder
  const top = state === undefined && !writable ? undefined : topOf(source, state)
  if (top === undefined) return bind(open(root), PLACES.source)
  const stateMount = state === undefined ? [] : tmpfs(`${PLACES.source}/${state}`)
  if (top === 'whole') return [...bind(open(root), PLACES.source), ...stateMount]
  // Its names are mounted one by one, so that others can be made beside them.
  const from = isShown(root) ? open(root) : undefined
  const at = (below: string): string => (from === undefined ? open(`${root}/${below}`) : `${from}/${below}`)
  return [
    ...(state === undefined ? tmpfs(PLACES.source) : ['--dir', PLACES.source]),
    ...top.flatMap(({ name, below, program }) =>
      program === undefined
        ? bind(at(below), `${PLACES.source}/${name}`)
        : ['--symlink', program, `${PLACES.source}/${name}`],
    ),
    ...stateMount,
  ]
}
