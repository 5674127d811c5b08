import type { Reporter, TestModule } from 'vitest/node'

const SLOWEST = 20

/** Seconds that a file took: to load it, and to run its tests. */
function secondsOf(module: TestModule): number {
  const { collectDuration, duration, environmentSetupDuration, setupDuration } = module.diagnostic()
  return (environmentSetupDuration + setupDuration + collectDuration + duration) / 1000
}

/**
 * Closes the run with the seconds of the files that took longest, the longest last, and with one plain line, `N passed, N failed, N skipped`,
 * for programs that read the log.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state))
    const count = (state: string): number => states.filter((it) => it === state).length
    // A file that does not load and an error outside any test are failures too, though no test of theirs ran.
    const unloaded = modules.filter(
      (module) => module.state() === 'failed' && [...module.children.allTests('failed')].length === 0,
    )
    const failed = count('failed') + unloaded.length + errors.length
    const slowest = modules
      .map((module) => ({ file: module.relativeModuleId, seconds: secondsOf(module) }))
      .sort((a, b) => a.seconds - b.seconds)
      .slice(-SLOWEST)
      .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${file}\n`)
    process.once('exit', () => {
      process.stdout.write(`\nThe slowest files:\n${slowest.join('')}`)
      process.stdout.write(`${count('passed')} passed, ${failed} failed, ${count('skipped')} skipped\n`)
    })
  }
}
