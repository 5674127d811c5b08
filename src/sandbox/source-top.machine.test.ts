import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { startSandbox } from './sandbox.js'
import { findIsolation } from './doctor.js'
import { findLauncher } from './launcher.js'
import { DEFAULT_LIMITS } from './limits.js'
import { nextUser } from './users.js'

const top = mkdtempSync(join(tmpdir(), 'agon-top-'))
const { launcher, program: bubblewrap } = await findIsolation()
afterAll(() => rmSync(top, { recursive: true, force: true }))
let n = 0
function source(files: number): string {
  const folder = join(top, String(n++))
  mkdirSync(join(folder, 'lib'), { recursive: true })
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'lib/tool'), 'tool')
  for (let i = 0; i < files; i++) writeFileSync(join(folder, `f${i}`), String(i))
  return folder
}
/** What a script says in a sandbox with this source. */
async function outputOf(
  folder: string,
  script: string,
  { writable, state }: { writable?: boolean; state?: string },
): Promise<string> {
  const user = nextUser()
  const sandbox = await startSandbox({
    launcher: launcher as string,
    bubblewrap: bubblewrap ?? '',
    source: folder,
    also: [],
    tools: {},
    limits: DEFAULT_LIMITS,
    user,
    writable,
    state: state === undefined ? undefined : { folder: state, bytes: 1000 },
  })
  try {
    const env = { PATH: '/usr/bin:/bin' }
    const words = { env, folder: '/bot', limit: 10_000, output: 65536, errors: 65536, wipe: true }
    const { out, stderr } = await sandbox.turn({ argv: ['/bin/sh', '-c', script], ...words })
    return out + stderr.toString()
  } finally {
    await sandbox.close()
  }
}

describe.runIf(bubblewrap !== undefined)('a source in its sandbox', () => {
  const write = 'echo x > new && cat new; echo y > f0; cat f0 lib/tool; ls | wc -l'
  test('may have hundreds of files at its top, with others made beside them', async () => {
    const output = await outputOf(source(90), write, { writable: true })
    expect(output).toMatch(/^x\n0tool92\n/)
    expect(output).toMatch(/cannot create f0|f0: Read-only/)
  })
  test('may have more than there are mounts for, with nothing beside them', async () => {
    const output = await outputOf(source(600), write, { writable: true })
    expect(output).toMatch(/^0tool601\n/)
  })
  test('shows its links as what they lead to within it, and never what lies elsewhere', async () => {
    writeFileSync(join(top, 'secret'), 'secret')
    for (const more of [{ writable: true }, { state: 'state' }, {}]) {
      const folder = source(1)
      symlinkSync('lib/tool', join(folder, 'inner'))
      symlinkSync('/', join(folder, 'root'))
      symlinkSync(join(top, 'secret'), join(folder, 'leak'))
      symlinkSync('../secret', join(folder, 'up'))
      const script = `cat inner; cat leak up root${top}/secret bot/up 2>/dev/null; ls root/root 2>/dev/null; echo`
      expect(await outputOf(folder, script, more)).toBe('tool\n')
    }
  })
  test('has its state folder whether or not it lies there, and whatever lies there', async () => {
    const there = source(3)
    mkdirSync(join(there, 'state'))
    const file = source(3)
    writeFileSync(join(file, 'state'), '')
    for (const folder of [there, file, source(3)])
      expect(await outputOf(folder, 'echo kept > state/a; cat state/a; echo x > lib/new', { state: 'state' })).toMatch(
        /^kept\n.*(cannot create|Read-only)/,
      )
  })
})

test.runIf(process.getuid?.() === 0)('the launcher lays out nothing that a link leads to', async () => {
  mkdirSync(join(top, 'plain'))
  symlinkSync('plain', join(top, 'link'))
  const program = (await findLauncher()) as string
  const lay = (path: string) => spawnSync(program, ['room', '--stage', path, '--', '/bin/true'], { encoding: 'utf8' })
  expect(lay(join(top, 'plain')).status).toBe(0)
  for (const path of [join(top, 'link'), `${top}/link/../plain`, '/proc/self/cwd'])
    expect(lay(path)).toMatchObject({ status: 70, stderr: expect.stringContaining('symbolic links') as string })
})
