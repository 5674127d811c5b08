import type { GameDefinition, Options } from '../core/index.js'
import { CHECKS, type Finding } from './case.js'
import { type Examination, examine } from './examine.js'

/** What registers tests: vitest's own functions, or those of another runner that are called alike. */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => unknown
  readonly it: (name: string, body: () => void) => unknown
}

/** What a game's own tests may set for the contract. */
export interface ContractHints {
  /** Random games; 100 unless set. Fewer where a game is slow. */
  readonly games?: number
  /** Steps after which a game counts as endless; 20,000 unless set. */
  readonly steps?: number
  /** Options to be tried beside the defaults. */
  readonly options?: readonly Options[]
  /** Of the first random game; all others follow from it. */
  readonly seed?: string
}

/**
 * The contract every game keeps, as tests over random games with all kinds of faults. Call it in a test file:
 * `describeGame(definition, { describe, it })`. A test that fails names the smallest game that shows it.
 */
export function describeGame(
  definition: GameDefinition,
  { describe, it }: TestRunner,
  hints: ContractHints = {},
): void {
  let examined: Examination | undefined
  // The first test plays the games, and all of them look at what was found.
  const findings = (): readonly Finding[] => {
    const { seed = 'contract', games = 100, steps = 20_000, options = [] } = hints
    examined ??= examine(definition, { seed, games, cap: steps, options })
    return examined.findings
  }
  describe(`the contract of ${definition.game.id}`, () => {
    for (const [check, what] of Object.entries(CHECKS)) {
      if (check === 'leaks' && definition.game.resample === undefined) continue
      it(what, () => {
        const found = findings().filter((finding) => finding.check === check)
        if (found.length > 0) throw new Error(found.map(shown).join('\n'))
      })
    }
  })
}

function shown({ what, of, step, moves }: Finding): string {
  if (of === undefined) return what
  const { seed, seats, options } = of
  return `${what} (seed ${JSON.stringify(seed)}, ${seats} seats, options ${JSON.stringify(options)}, after ${step} steps: ${moves})`
}
