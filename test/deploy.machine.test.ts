import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { afterAll, describe, expect, it } from 'vitest'
import { runCommand } from '../src/cli/run.js'
import { workerCommand } from '../src/cli/workers.js'

/* What deploy/ gives a host: as far as it can be tried without the host's machines. */

const folder = fileURLToPath(new URL('../deploy', import.meta.url))
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8')
const units = readdirSync(folder).filter((name) => name.endsWith('.service'))
const scratch = mkdtempSync(join(tmpdir(), 'agon-deploy-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** The options of a verb, as it makes them itself. */
function optionsOf(verb: string): ReadonlySet<string> {
  const command = new Command(verb)
  if (verb === 'run') runCommand(command)
  else if (verb === 'worker') workerCommand(command)
  return new Set(command.options.flatMap(({ long }) => long ?? []))
}
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

describe('what is deployed', () => {
  it('starts verbs with options that there are', () => {
    const words = [
      ...units.map((name) => /^ExecStart=\S*\/agon (.*)$/m.exec(textOf(name))?.[1] ?? ''),
      ...[...textOf('compose.yaml').matchAll(/\['agon', (.*)\]/g)].map(([, list = '']) => list.replaceAll(/[',]/g, '')),
      ...[...textOf('compose.yaml').matchAll(/^ {4}command: \['(worker)'\]/gm)].map(([, verb = '']) => verb),
    ]
    expect(words).toHaveLength(4)
    for (const line of words) {
      const [verb = '', ...rest] = line.split(' ')
      for (const flag of rest.filter((word) => word.startsWith('--'))) expect(optionsOf(verb)).toContain(flag)
    }
  })

  it.runIf(hasSystemd).each(units)('%s is what systemd reads', (name) => {
    const file = join(scratch, name)
    writeFileSync(file, textOf(name).replace('/usr/local/bin/agon', process.execPath))
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})
