import type { Reporter, TestModule } from 'vitest/node'

/** Closes the run with one plain line, `N passed, N failed, N skipped`, for programs that read the log. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state))
    const count = (state: string): number => states.filter((it) => it === state).length
    // A file that does not load and an error outside any test are failures too, though no test of theirs ran.
    const unloaded = modules.filter(
      (module) => module.state() === 'failed' && [...module.children.allTests('failed')].length === 0,
    )
    const failed = count('failed') + unloaded.length + errors.length
    process.once('exit', () =>
      process.stdout.write(`${count('passed')} passed, ${failed} failed, ${count('skipped')} skipped\n`),
    )
  }
}
