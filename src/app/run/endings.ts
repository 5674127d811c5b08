import { join } from 'node:path'
import { writeReport } from '../../results/index.js'
import type { RunStore } from '../../store/index.js'
import type { FaultCount } from '../../results/faults.js'
import { clearResults } from '../../results/write.js'
import type { Control } from './control.js'
import { type OnReport, type ReportedRun, reportOfRun } from '../look/report-of-run.js'
import type { RunOptions } from './options.js'
import { writeTranscripts } from './transcripts.js'

/** Takes back a run that failed before its first match: as the latest of its contest it would hide the one before it. */
export async function removeUnplayedRun(
  store: Pick<RunStore, 'run' | 'removeRun'>,
  id: string,
  out: string,
): Promise<boolean> {
  try {
    if (((await store.run(id))?.matches ?? 0) > 0) return false
    await store.removeRun(id)
    clearResults(out)
    return true
  } catch {
    // The file is damaged there, too: what went wrong first is reported.
    return false
  }
}

/** Another agon may have removed the run, or the store itself cannot be read any more. */
export const isRunStored = async (store: Pick<RunStore, 'run'>, id: string): Promise<boolean> => {
  try {
    return (await store.run(id)) !== undefined
  } catch {
    return true
  }
}

/** Puts those out who have that many faults. What it was that they played before does not matter then: none of it counts. */
export async function disqualify(control: Control, faults: FaultCount, most: number): Promise<void> {
  for (const [name, kinds] of faults) {
    const n = Object.values(kinds).reduce((sum, count) => sum + count, 0)
    if (n >= most) await control.exclude({ name, status: 'disqualified', treatment: 'void', why: `${most} faults` })
  }
}

/** Writes into a results folder what people read of a run that is over: its report, and transcripts where they are wanted. */
export async function writePages(
  reported: ReportedRun,
  { transcripts }: Pick<RunOptions, 'transcripts'>,
  on: OnReport,
): Promise<void> {
  const { source, data } = await reportOfRun(reported, on)
  const { out } = reported.run
  writeReport(out, data)
  if (transcripts) await writeTranscripts(join(out, 'transcripts'), source, reported.definition)
}
