/** Strength in 24ths: a force shared by two, three or four stays whole (rule 3.3). */
export const UNIT = 24

/** Each daimyo's gain, in 24ths (rules 3.1, 3.2). `forces` by lord; `intimacy` by lord and daimyo, at most four. */
export function settle(forces: readonly number[], intimacy: readonly (readonly number[])[]): readonly number[] {
  const gains = (intimacy[0] ?? []).map(() => 0)
  for (const [lord, row] of intimacy.entries()) {
    const force = (forces[lord] ?? 0) * UNIT
    for (const [bound, sign] of [
      [Math.max(...row), 1],
      [Math.min(...row), -1],
    ] as const) {
      const sharing = row.filter((degree) => degree === bound).length
      for (const [daimyo, degree] of row.entries()) {
        if (degree === bound) gains[daimyo] = (gains[daimyo] ?? 0) + sign * (force / sharing)
      }
    }
  }
  return gains
}

/** Places by strength, equals sharing: [84, 0, 84, −60] is [1, 3, 1, 4] (rule 4.1). */
export function places(strength: readonly number[]): readonly number[] {
  return strength.map((own) => 1 + strength.filter((other) => other > own).length)
}
