interface Ends {
  readonly low: number
  readonly high: number
}

/**
 * The ends of an interval for programs, which need numbers: where the games tell no bound, the end stands by the prior alone, and
 * `unbounded` says so; it is null where that is not known.
 */
export function endsDocument({ low, high, withPrior }: Ends & { readonly withPrior?: Ends | undefined }): object {
  const unbounded = [...(Number.isFinite(low) ? [] : ['low']), ...(Number.isFinite(high) ? [] : ['high'])]
  return {
    low: Number.isFinite(low) ? low : (withPrior?.low ?? null),
    high: Number.isFinite(high) ? high : (withPrior?.high ?? null),
    unbounded: unbounded.length > 0 ? unbounded : undefined,
  }
}
