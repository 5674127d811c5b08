/** What the solver answers, as far as it is read. */
interface Answer {
  readonly Status: string
  readonly Columns: Readonly<Record<string, { readonly Primal?: number }>>
}
interface Solver {
  solve(program: string, options: Readonly<Record<string, unknown>>): Answer
}

let loading: Promise<Solver> | undefined

/** As exact as the solver can be set to be. */
const EXACT = { primal_feasibility_tolerance: 1e-10, dual_feasibility_tolerance: 1e-10, small_matrix_value: 1e-12 }

/**
 * Solves a linear program in CPLEX's LP format with HiGHS (Huangfu and Hall 2018), which is loaded with the first one. Returns the values of
 * its unknowns by name. Throws where there is no optimum.
 */
export async function maximum(program: string): Promise<(name: string) => number> {
  // Its types say that it is CommonJS, which it is not for an import.
  loading ??= import('highs').then((module) => (module.default as unknown as () => Promise<Solver>)())
  const { Status: status, Columns: columns } = (await loading).solve(program, EXACT)
  if (status !== 'Optimal') throw new Error(`the linear program has no optimum: ${status}`)
  return (name) => columns[name]?.Primal ?? 0
}
