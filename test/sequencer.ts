import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest, the longest first. */
const LONGEST = [
  'test/hostile-user.machine.test.ts',
  'test/hostile.machine.test.ts',
  'test/hostile-signals.machine.test.ts',
  'test/hostile-launcher.machine.test.ts',
  'test/wires.machine.test.ts',
  'test/e2e/site.machine.test.ts',
  'test/store/kills.machine.test.ts',
  'src/store/sqlite/damage.test.ts',
  'src/games/stronger/house.machine.test.ts',
  'test/cli/store.machine.test.ts',
  'src/engine/tournament.machine.test.ts',
  'test/cli/interrupted.machine.test.ts',
  'test/e2e/report.machine.test.ts',
  'test/cli/workers.machine.test.ts',
  'src/workers/pool.machine.test.ts',
  'src/sandbox/sandbox.machine.test.ts',
  'test/games.test.ts',
  'test/cli/endless.machine.test.ts',
  'test/cli/report-believed.machine.test.ts',
]

/**
 * Long files first, then the others, the largest first: where a long one came last, as it may by its size, one core would wait for it.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const place = LONGEST.indexOf(relative(project.config.root, moduleId))
      return place < 0 ? LONGEST.length : place
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
