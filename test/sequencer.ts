import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest, the longest first. */
const LONGEST = [
  'test/hostile-user.test.ts',
  'test/hostile.test.ts',
  'test/hostile-signals.test.ts',
  'test/hostile-launcher.test.ts',
  'test/wires.test.ts',
  'test/e2e/site.test.ts',
  'test/store/kills.test.ts',
  'src/store/sqlite/damage.test.ts',
  'src/games/stronger/house.test.ts',
  'test/cli/store.test.ts',
  'src/engine/tournament.test.ts',
  'test/cli/interrupted.test.ts',
  'test/e2e/report.test.ts',
  'test/cli/workers.test.ts',
  'src/workers/pool.test.ts',
  'src/sandbox/sandbox.test.ts',
  'test/games.test.ts',
  'test/cli/endless.test.ts',
  'test/cli/report-believed.test.ts',
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
