import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../core/index.js'

/** Takes a folder for this process alone. Throws UserError where another living process has it. Returns what gives it back. */
export function lockFolder(folder: string): () => void {
  const file = join(folder, 'lock')
  for (let attempt = 0; ; attempt++) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST') || attempt > 2) throw error
      const owner = Number(readFileSync(file, 'utf8'))
      if (isAlive(owner))
        throw new UserError(`${folder} is in use by another agon (process ${owner}); wait for it to end`)
      rmSync(file, { force: true })
    }
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
