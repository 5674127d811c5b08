import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest, the longest first. */
const LONGEST = [
  'test/cli/many-machines.machine.test.ts',
  'test/cli/remembering-machines.machine.test.ts',
  'test/hostile-user.machine.test.ts',
  'test/hostile.machine.test.ts',
  'test/docs-blocks.machine.test.ts',
  'test/wires.machine.test.ts',
  'test/docs-machines.machine.test.ts',
  'test/e2e/site.machine.test.ts',
  'src/workers/pool.machine.test.ts',
  'src/site/ladder.machine.test.ts',
  'src/store/postgres/postgres.machine.test.ts',
  'src/engine/worker-pool.machine.test.ts',
  'src/engine/tournament.machine.test.ts',
  'src/site/workers.machine.test.ts',
  'src/build/side-by-side.machine.test.ts',
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
