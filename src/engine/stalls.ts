import type { AnyWire, MatchRecord } from '../core/index.js'

/** Milliseconds between two looks at the clock. */
const LOOK_MS = 20

/**
 * Watches this process's own clock. Where the machine keeps the referee from running, its clock slips; what it then says of
 * others' time is not to be trusted.
 */
export class StallWatch {
  private slips: { at: number; ms: number }[] = []
  private last = performance.now()
  private readonly timer: NodeJS.Timeout

  constructor() {
    this.timer = setInterval(() => this.look(), LOOK_MS)
    this.timer.unref()
  }

  private look(): void {
    const now = performance.now()
    const ms = now - this.last - LOOK_MS
    this.last = now
    if (ms < LOOK_MS) return
    // What was asked before the longest limit that still runs matters no more.
    if (this.slips.length >= KEPT) this.slips.shift()
    this.slips.push({ at: now, ms })
  }

  /** The longest slip since a time of performance.now(), in milliseconds. */
  worst(since: number): number {
    this.look()
    return this.slips.reduce((most, { at, ms }) => (at >= since ? Math.max(most, ms) : most), 0)
  }

  close(): void {
    clearInterval(this.timer)
  }
}
const KEPT = 1000

/**
 * Whether a slip may have cost a seat its time: someone was late whose limit the slip is a fifth of, or more. A module runs in
 * this process, and is late by its own doing.
 */
export function mayBeStalled(
  record: MatchRecord,
  wires: Readonly<Record<string, AnyWire>>,
  limits: Readonly<Record<string, number>>,
  slip: number,
): boolean {
  const late = (seat: number, name: string): boolean => {
    const wire = wires[record.seats[seat]?.wire ?? '']
    return (
      wire !== undefined && wire.transport !== 'module' && slip >= (limits[name] ?? wire.limits?.[name] ?? 1000) / 5
    )
  }
  return (
    record.ready.some(([seat, { trouble }]) => {
      const within = wires[record.seats[seat]?.wire ?? '']?.ready?.within
      return trouble === 'timeout' && within !== undefined && late(seat, within)
    }) ||
    record.steps.some((step) =>
      step.some(([seat, heard]) => typeof heard !== 'string' && heard.trouble === 'timeout' && late(seat, 'turn')),
    )
  )
}
