import { lstatSync, readlinkSync, readdirSync } from 'node:fs'
import type { CellLimits } from './limits.js'

/** Where things lie inside a cell. */
export const PLACES = {
  /** The bot's source, read-only; its working folder. */
  source: '/bot',
  /** Private, with a quota. */
  tmp: '/tmp',
  /** The game file. */
  game: '/game',
  tools: '/cell',
} as const

/** What a cell's room is made of. */
export interface RoomSpec {
  /** The staged source's folder on the host; absent: an empty one. */
  readonly source?: string
  /** More that is found at its own path, read-only: an interpreter outside /usr. */
  readonly also: readonly string[]
  /** Files of agon's own that are found in /cell, by name. */
  readonly tools: Readonly<Record<string, string>>
  /** A folder below the source that can be written, for a process per turn's state. */
  readonly state?: string
  /** New files may be made in the working folder, beside the source's own, which stay as they are. */
  readonly writable?: boolean
  readonly limits: CellLimits
  /** Where the source is built, it can be written. */
  readonly building?: boolean
}

/** Links and folders that make /usr a whole system, as this machine has them. */
const ROOT_ENTRIES = ['lib', 'lib32', 'lib64', 'libx32', 'bin', 'sbin']
/** What of /etc programs need to find their libraries and settings; nothing that tells of the host. */
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

/**
 * bubblewrap's arguments for a room. Where the bot has a user of its own, which could not find its way to the host's files, the
 * launcher lays them out first: `stage` lists them. Every mount of the host is read-only, every writable one is a memory file
 * system of a limited size.
 */
export function bubblewrapArguments(
  room: RoomSpec,
  program: readonly string[],
  ownUser: boolean,
): { stage: readonly string[]; args: readonly string[] } {
  const stage: string[] = []
  const open = (path: string): string => (ownUser ? `/tmp/${stage.push(path) - 1}` : path)
  const disk = String(room.limits.disk)
  const tmpfs = (folder: string) => ['--perms', '0700', '--size', disk, '--tmpfs', folder]
  const source =
    room.source === undefined
      ? ['--dir', PLACES.source]
      : room.building
        ? ['--bind', open(room.source), PLACES.source]
        : room.state === undefined && !room.writable
          ? ['--ro-bind', open(room.source), PLACES.source]
          : [
              ...(room.state === undefined ? tmpfs(PLACES.source) : ['--dir', PLACES.source]),
              ...readdirSync(room.source).flatMap((name) =>
                name === room.state ? [] : ['--ro-bind', open(`${room.source}/${name}`), `${PLACES.source}/${name}`],
              ),
              ...(room.state === undefined ? [] : tmpfs(`${PLACES.source}/${room.state}`)),
            ]
  const args = [
    ...system(),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    ...tmpfs(PLACES.tmp),
    ...tmpfs(PLACES.game),
    // After /tmp: agon itself may be installed below it.
    ...room.also.flatMap((path) => ['--ro-bind', open(path), path]),
    ...Object.entries(room.tools).flatMap(([name, path]) => ['--ro-bind', open(path), `${PLACES.tools}/${name}`]),
    ...source,
    '--chdir',
    PLACES.source,
    '--remount-ro',
    '/',
    '--remount-ro',
    '/dev',
    ...tmpfs('/dev/shm'),
    '--unshare-all',
    '--unshare-user',
    '--disable-userns',
    '--uid',
    '1000',
    '--gid',
    '1000',
    '--hostname',
    'cell',
    '--die-with-parent',
    '--new-session',
    '--cap-drop',
    'ALL',
    '--clearenv',
    '--as-pid-1',
    '--',
    ...program,
  ]
  return { stage, args }
}
