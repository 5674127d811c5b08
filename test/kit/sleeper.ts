import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A bot that writes its process's number into a file and never answers. */
export interface Sleeper {
  readonly command: string
  /** Resolves to the number once it has been asked. */
  asked(): Promise<number>
}

export function sleeperIn(folder: string): Sleeper {
  const [script, mark] = ['sleeper.sh', 'asked'].map((name) => join(folder, name)) as [string, string]
  writeFileSync(script, `echo $$ > ${mark}.new; mv ${mark}.new ${mark}; exec sleep 600\n`)
  return {
    command: `sh ${script}`,
    async asked() {
      while (!existsSync(mark)) await new Promise((done) => setTimeout(done, 20))
      return Number(readFileSync(mark, 'utf8'))
    },
  }
}

/** Whether a process of this number is there, and has not ended. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
