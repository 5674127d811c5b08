export interface SandboxLimits {
  /** Bytes of memory of one process; where cgroups can be written, of all the sandbox's together. */
  readonly memory: number
  /** Processes and threads at a time. */
  readonly processes: number
  readonly files: number
  /** Bytes of the private /tmp, and so of any file in it. */
  readonly disk: number
  /** Bytes of standard error a turn, or between two questions to a process that stays. */
  readonly errors: number
}

const MIB = 1024 ** 2

export const DEFAULT_LIMITS: SandboxLimits = {
  memory: 1024 * MIB,
  processes: 64,
  files: 256,
  disk: 16 * MIB,
  errors: 4 * MIB,
}
/** Compilers are larger than what they make. */
export const BUILD_LIMITS: SandboxLimits = {
  memory: 4096 * MIB,
  processes: 256,
  files: 1024,
  disk: 1024 * MIB,
  errors: MIB,
}

/** A contest's `[limits]` by name, in bytes or numbers, over the defaults. */
export function sandboxLimits(given: Readonly<Record<string, number>>): SandboxLimits {
  const limits: Record<keyof SandboxLimits, number> = { ...DEFAULT_LIMITS }
  for (const name of Object.keys(limits) as (keyof SandboxLimits)[]) limits[name] = given[name] ?? limits[name]
  return limits
}
