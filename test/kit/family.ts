import { readFileSync, readdirSync } from 'node:fs'
import type { SandboxHost } from '../../src/bots/process-host.js'

interface Member {
  readonly pid: number
  readonly state: string
  readonly command: string
}
/** What runs in a sandbox: its launcher first, then the bot's family. */
function familyOf(host: SandboxHost): Member[] {
  const all = readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
      const [state = '', parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const command = readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' ')
      return [{ pid: Number(name), parent: Number(parent), state, command }]
    } catch {
      return []
    }
  })
  const below = (pid: number): typeof all =>
    all.filter(({ parent }) => parent === pid).flatMap((one) => [one, ...below(one.pid)])
  const inside = below(host.inUse.pid ?? -1)
  return inside.slice(inside.findIndex(({ command }) => command.startsWith('/agon/launcher sandbox')))
}
export const launcherOf = (host: SandboxHost): number => familyOf(host)[0]?.pid ?? -1
/** The processes of the bot's family. */
export const familyPids = (host: SandboxHost): number[] =>
  familyOf(host)
    .slice(1)
    .map(({ pid }) => pid)
/** A letter for each, as ps has them. */
export const states = (host: SandboxHost): string =>
  familyOf(host)
    .slice(1)
    .map(({ state }) => state)
    .join('')
