import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { Context } from '../../src/app/context.js'
import type { RunOutcome } from '../../src/app/run/table.js'
import type { RunOptions } from '../../src/app/run/options.js'
import { runContest } from '../../src/app/run/run.js'

const CONTEST = `title = "Small"
game = "samurai"
seed = "9"
[options]
turns = 6
health = 1
[format]
kind = "round-robin"
repetitions = 1
[[entrants]]
name = "Strike"
module = "strike.js"
[[entrants]]
name = "Wait"
author = "Ann"
module = "wait.js"
[[entrants]]
name = "Lost"
module = "lost.js"
`

/**
 * A temporary folder with a workspace and a contest of three modules: Strike beats both others in one turn, Wait and Lost draw after
 * six, and what Lost says is always a fault. Removed after the tests of the file.
 */
export class TestContest {
  readonly folder = mkdtempSync(join(tmpdir(), 'agon-app-'))
  readonly contest: string
  readonly out: string
  /** What use cases reported beside their results. */
  readonly notices: string[] = []
  readonly context: Context

  constructor() {
    afterAll(() => {
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 })
    })
    this.write('strike.js', 'export default () => "O"\n')
    this.write('wait.js', 'export default () => "W"\n')
    this.write('lost.js', 'export default () => "nonsense"\n')
    this.contest = this.write('small.toml', CONTEST)
    this.out = this.path('out')
    this.context = { workspace: this.path('workspace'), notice: (text) => this.notices.push(text) }
  }

  path(name: string): string {
    return join(this.folder, name)
  }

  write(name: string, text: string): string {
    writeFileSync(this.path(name), text)
    return this.path(name)
  }

  /** Plays the contest in this process; `after`: only until so many matches are stored. */
  play(options: RunOptions = {}, after = Number.POSITIVE_INFINITY): Promise<RunOutcome> {
    return this.playWith(this.context, options, after)
  }

  /** The same with another store, or other notices. */
  async playWith(own: Context, options: RunOptions = {}, after = Number.POSITIVE_INFINITY): Promise<RunOutcome> {
    const stop = new AbortController()
    let matches = 0
    const context = { ...own, signal: stop.signal }
    const wished = { out: this.out, trust: true, jobs: 1, timed: 1, ...options }
    return runContest(this.contest, wished, context, ({ type }) => {
      if (type === 'match' && ++matches >= after) stop.abort(new Error('enough'))
    })
  }

  /** The same place, whose work is not wanted any more. */
  get aborted(): Context {
    return { ...this.context, signal: AbortSignal.abort(new Error('not wanted')) }
  }
}
