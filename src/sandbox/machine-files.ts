import { kindOf, namesIn, statOf, textIn } from '../files/index.js'

/** What programs ask /proc for, or what stands still in it and is the same on every machine with that kernel. */
const SHOWN = new Set(
  `acpi config.gz consoles cpuinfo devices dma driver execdomains filesystems iomem ioports kallsyms key-users keys loadavg locks
  meminfo misc mtrr stat sys sysvipc tty uptime version`.split(/\s+/),
)
/** Settings below /proc/sys that programs ask for; where this system has none, a usual one's. */
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

let found: ReturnType<typeof look> | undefined

/** A sandbox's /proc: settings of /proc/sys, counters that stand still, and empty paths. Read once. */
export const machineFiles = (): ReturnType<typeof look> => (found ??= look())

const look = () => ({
  settings: Object.entries(SETTINGS).map(([name, usual]) => {
    const path = `/proc/sys/${name}`
    return { path, text: textIn(path) || `${usual}\n` }
  }),
  counters: [{ path: '/proc/stat', text: stillStat(textIn('/proc/stat')) }].filter(({ path }) => kindOf(path)),
  ...hidden(),
})

/**
 * All else of /proc counts the whole machine, so that one bot can move it and another read it (diskstats, …), or shows
 * the host (cmdline, …). No bot can read what only root may, and links lead to a process's own.
 */
function hidden(): { emptyFiles: string[]; emptyFolders: string[] } {
  const emptyFiles: string[] = []
  const emptyFolders: string[] = []
  for (const name of namesIn('/proc')) {
    const path = `/proc/${name}`
    const stat = /^\d+$/.test(name) || SHOWN.has(name) ? undefined : statOf(path)
    if (stat === undefined || (stat.mode & 0o004) === 0) continue
    if (stat.isDirectory()) emptyFolders.push(path)
    else if (stat.isFile()) emptyFiles.push(path)
  }
  return { emptyFiles, emptyFolders }
}

/** The processors, without times: programs count them here. */
function stillStat(text: string): string {
  const lines = text.split('\n').flatMap((line) => /^cpu\d* /.exec(line)?.[0] ?? [])
  return lines.map((name) => `${name.padEnd(5)}0 0 0 0 0 0 0 0 0 0\n`).join('')
}
