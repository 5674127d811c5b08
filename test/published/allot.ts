/**
 * Deals out what each two entrants shared between them so that each gets just what the scoreboard says it had: `units[a][b]` is
 * what a took from its meetings with b, and no two of them take more than `each` together. A maximum flow by augmenting paths.
 * Throws where no course of the tournament could have ended in that board.
 */
export function allot(needs: readonly number[], each: number): readonly (readonly number[])[] {
  const n = needs.length
  const jobs = needs.map(() => Array<number>(n).fill(0))
  const at = (a: number, b: number): number => jobs[a]?.[b] ?? 0
  const add = (a: number, b: number, by: number): void => {
    const row = jobs[a]
    if (row) row[b] = (row[b] ?? 0) + by
  }
  needs.forEach((need, player) => {
    for (let missing = need; missing > 0;) {
      const path = augment(n, player, each, at)
      const last = path[path.length - 1] ?? player
      const open =
        Array.from({ length: n }, (_, b) => b).find((b) => b !== last && at(last, b) + at(b, last) < each) ?? last
      // Each takes from the next on the path, and the last one makes it up where a unit is still free.
      let by = Math.min(missing, each - at(last, open) - at(open, last))
      path.forEach((b, i) => (by = i === 0 ? by : Math.min(by, at(b, path[i - 1] ?? b))))
      path.forEach((b, i) => {
        const a = path[i - 1]
        if (a === undefined) return
        add(b, a, -by)
        add(a, b, by)
      })
      add(last, open, by)
      missing -= by
    }
  })
  return jobs
}

/** The shortest way from a player to one who has a free unit with another; each on it has taken something from the one before. */
function augment(n: number, player: number, each: number, at: (a: number, b: number) => number): readonly number[] {
  const from = new Map<number, number>([[player, -1]])
  for (const a of from.keys()) {
    for (let b = 0; b < n; b++) {
      if (b !== a && at(a, b) + at(b, a) < each) {
        const path = [a]
        for (let step = from.get(a) ?? -1; step >= 0; step = from.get(step) ?? -1) path.unshift(step)
        return path
      }
    }
    for (let b = 0; b < n; b++) if (!from.has(b) && at(b, a) > 0) from.set(b, a)
  }
  throw new Error(`no way for entrant ${player} to have gathered that much`)
}
