import { existsSync, readFileSync } from 'node:fs'

/**
 * Files of /proc that count what the whole machine does, so that one bot can move them and another read them; and the words that the
 * machine was started with. They read as empty in a cell.
 */
const EMPTY = ['vmstat', 'interrupts', 'softirqs', 'schedstat', 'zoneinfo', 'cgroups', 'cmdline']
/** Settings below /proc/sys that programs ask for, with what a usual system says where this one does not tell. */
const SETTINGS: Readonly<Record<string, string>> = {
  'kernel/cap_last_cap': '40',
  'kernel/ngroups_max': '65536',
  'kernel/osrelease': '',
  'kernel/ostype': 'Linux',
  'kernel/overflowgid': '65534',
  'kernel/overflowuid': '65534',
  'kernel/pid_max': '32768',
  'kernel/randomize_va_space': '2',
  'kernel/threads-max': '32768',
  'kernel/version': '',
  'fs/nr_open': '1048576',
  'fs/pipe-max-size': '1048576',
  'net/core/somaxconn': '4096',
  'vm/max_map_count': '65530',
  'vm/mmap_min_addr': '65536',
  'vm/overcommit_memory': '0',
  'vm/overcommit_ratio': '50',
}

/** A file that a cell finds in place of the machine's. */
export interface MachineFile {
  readonly path: string
  readonly text: string
}

let found: { readonly settings: readonly MachineFile[]; readonly counters: readonly MachineFile[] } | undefined

/**
 * What a cell finds in place of the machine's own in /proc: of /proc/sys its settings and no more, and counters that stand still.
 * Read once.
 */
export function machineFiles(): NonNullable<typeof found> {
  found ??= {
    settings: Object.entries(SETTINGS).map(([name, usual]) => {
      const path = `/proc/sys/${name}`
      return { path, text: read(path) || `${usual}\n` }
    }),
    counters: [
      { path: '/proc/stat', text: stillStat(read('/proc/stat')) },
      ...EMPTY.map((name) => ({ path: `/proc/${name}`, text: '' })),
    ].filter(({ path }) => existsSync(path)),
  }
  return found
}

/** The processors, each with no time on it: programs count them here. */
function stillStat(text: string): string {
  const lines = text.split('\n').flatMap((line) => /^cpu\d* /.exec(line)?.[0] ?? [])
  return lines.map((name) => `${name.padEnd(5)}0 0 0 0 0 0 0 0 0 0\n`).join('')
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
