import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import { type Ended, type Running, startAgon } from '../kit/agon-process.js'

export { type Ended, MAIN } from '../kit/agon-process.js'

/** A temporary folder with files, and agon in it, with a workspace of its own. Removed after the tests of the file. */
export class Place {
  readonly folder = mkdtempSync(join(tmpdir(), 'agon-cli-'))

  constructor(files: Readonly<Record<string, string>> = {}) {
    for (const [name, text] of Object.entries(files)) this.write(name, text)
    afterAll(() => {
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 })
    })
  }

  path(...names: readonly string[]): string {
    return join(this.folder, ...names)
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true })
    writeFileSync(this.path(name), text)
  }

  /** Runs agon to its end, with this on its standard input. */
  agon(args: readonly string[], input = ''): Promise<Ended> {
    return this.start(args, input).ended
  }

  start(args: readonly string[], input = '', env: NodeJS.ProcessEnv = {}): Running {
    return startAgon(this.folder, args, { AGON_WORKSPACE: this.path('workspace'), ...env }, input)
  }
}

/** The last line of what was printed. */
export const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? ''

export const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))
