import { type DoctorFinding, findings } from '../../sandbox/index.js'

/** What this machine has to hold bots with. */
export interface DoctorReport {
  readonly findings: readonly DoctorFinding[]
  /** The bots of strangers can be run here. */
  readonly isolates: boolean
}

/** Finds out what the machine has to isolate bots with, and what it lacks. */
export async function examineMachine(): Promise<DoctorReport> {
  const found = await findings()
  return { findings: found, isolates: !found.some(({ ok }) => ok === false) }
}
