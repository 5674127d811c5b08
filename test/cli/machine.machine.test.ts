import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { describe, expect, it } from 'vitest'
import { MAIN, Place } from './agon.js'

const entrant = (name: string) => `[[entrants]]\nname = "${name}"\ncommand = "sh bow.sh"\n`
const place = new Place({
  'bow.sh': 'echo B\n',
  'two.toml': `game = "samurai"\nseed = "s"\n[options]\nturns = 2\n${entrant('Ant')}${entrant('Bee')}`,
})

const AGON = `'${process.execPath}' '${MAIN}'`
const RUN = `${AGON} run '${place.path('two.toml')}' --workspace '${place.path('ws')}' --out '${place.path('out')}' --fresh`
const shell = (script: string, env: Readonly<Record<string, string>> = {}) =>
  spawnSync('bash', ['-c', script], { cwd: place.folder, encoding: 'utf8', env: { ...process.env, ...env } })

const canFilter = /^ok +seccomp/m.test(shell(`${AGON} doctor`).stdout) && shell('command -v cc').status === 0

const NO_PROCESSES: [string, string, Record<string, string>, RegExp] = [
  'no more processes',
  `ulimit -u 3; exec ${RUN}`,
  {},
  /^agon: .*(?:room for|starts no|can start no) more (?:processes|programs).*ulimit -u/,
]

/** What the shell or the machine gives too little of is named in one line, with a remedy. */
describe.runIf(process.platform === 'linux')('a machine that gives too little', () => {
  it.each<[string, string, Record<string, string>, RegExp]>([
    [
      'few open files',
      `ulimit -n 64; exec ${RUN}`,
      {},
      /^agon: this machine lacks open files: this shell allows 64, .*mend it: ulimit -n 1024$/,
    ],
    [
      'too few open files for anything',
      `ulimit -n 20; exec ${RUN}`,
      {},
      /^agon: this shell allows 20 open files, and agon takes 64 at the least; mend it: ulimit -n 1024$/,
    ],
    // Of an ordinary user's, Node itself is one too many, and stops before a line of agon's runs.
    ...(process.getuid?.() === 0 ? [NO_PROCESSES] : []),
    [
      'a current folder that was removed',
      `mkdir -p removed && cd removed && rmdir ../removed && exec ${AGON} run gunduel`,
      {},
      /^agon: the current folder has been removed: go to one that is there \(cd\), and try again$/,
    ],
    [
      'no folder for anything',
      `exec ${RUN}`,
      { TMPDIR: '/nonexistent', HOME: '/nonexistent', XDG_CACHE_HOME: '/nonexistent', XDG_RUNTIME_DIR: '' },
      /^agon: this machine lacks a folder that can be used for named pipes: tried .*mend it: set TMPDIR to a folder/,
    ],
  ])('%s', (_, script, env, message) => {
    const { status, stderr, stdout } = shell(script, env)
    const last = stderr.trim().split('\n').at(-1) ?? ''
    expect(last).toMatch(message)
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).not.toMatch(/\n {4}at |bubblewrap/)
  })

  it('is reported by the doctor in the same words', () => {
    const { status, stdout } = shell(`ulimit -n 64; exec ${AGON} doctor`)
    expect(stdout).toMatch(/lacks open files: this shell allows 64.*\n.*mend it: ulimit -n 1024/)
    expect(status).toBe(1)
  })

  it.runIf(canFilter)('a kernel that filters no system calls runs no stranger’s bot, and says so', () => {
    const program = place.path('without-filters')
    execFileSync('cc', ['-o', program, fileURLToPath(new URL('../kit/without-filters.c', import.meta.url))])
    place.write('marks.sh', `echo ran >&2\necho B\n`)
    const match = `${AGON} match samurai 'sh marks.sh' Hedgehog --option turns=1`
    const refused = shell(`exec '${program}' ${match}`)
    expect(refused.stderr).toMatch(
      /^agon: .* cannot play: it is a stranger's bot, and its sandbox needs a filter of system calls \(seccomp\), which this machine lacks: run agon on x86_64/m,
    )
    expect([refused.status, refused.stdout]).toEqual([2, ''])
    const checked = shell(`exec '${program}' ${AGON} check samurai 'sh marks.sh'`)
    expect(checked.stderr).toMatch(
      /^agon: marks\.sh cannot play: it is a stranger's bot, and its sandbox needs a filter/m,
    )
    expect([checked.status, checked.stdout]).toEqual([2, ''])
    expect(shell(`exec '${program}' ${AGON} doctor`).stdout).toContain('Only house bots run here')
    expect(shell(`exec '${program}' ${match} --unsafe-no-isolation`).stdout).toContain('ran')
    expect(shell(`exec ${match}`).stdout).toContain('ran')
  })

  const NOBODY = 'setpriv --reuid=65534 --regid=65534 --clear-groups'
  it.runIf(process.getuid?.() === 0 && shell(`${NOBODY} test -r '${MAIN}'`).status === 0)(
    'is reported by the doctor as what the sandboxes of an ordinary user share, with the remedy',
    () => {
      chmodSync(place.folder, 0o755)
      const homes = `mkdir -p -m 777 home && export HOME=$PWD/home TMPDIR=$PWD/home XDG_CACHE_HOME=$PWD/home XDG_RUNTIME_DIR=`
      const { stdout } = shell(`${homes}; exec ${NOBODY} prlimit --nproc=5000 ${AGON} doctor`)
      expect(stdout).toMatch(
        /shared +the 5000 processes of user 65534 are for all sandboxes and all else of that user; 1024 MiB are for each process: a sandbox may take 64 times that; a bot is charged for what it waits for a core once one of its processes or threads has ended\n +mend it: ulimit -u 10000, or lower the limits/,
      )
      expect(shell(`exec ${AGON} doctor`).stdout).not.toMatch(/shared +the/)
    },
  )

  it('needs neither TMPDIR nor HOME where there is another folder of the user', () => {
    const { status, stderr } = shell(`mkdir -p cache && exec ${RUN}`, {
      TMPDIR: '/nonexistent',
      HOME: '/nonexistent',
      XDG_CACHE_HOME: place.path('cache'),
      XDG_RUNTIME_DIR: '',
    })
    expect(status, stderr).toBe(0)
  })

  it('and standard output without a reader, is no fault', () => {
    for (const script of [
      `${RUN} | true; exit \${PIPESTATUS[0]}`,
      `${RUN} 2>&1 >/dev/null | true; exit \${PIPESTATUS[0]}`,
      `${RUN} >&- 2>&-`,
    ])
      expect(shell(script)).toMatchObject({ status: 0, stderr: expect.not.stringContaining('    at ') as unknown })
  })
})
