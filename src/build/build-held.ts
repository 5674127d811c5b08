import { join, relative } from 'node:path'
import {
  BUILD_LIMITS,
  type SandboxMaker,
  placedWords,
  describeEnding,
  openSandbox,
  type Sandbox,
  PLACES,
} from '../sandbox/index.js'
import { copyTree, paced, TreeFault } from '../files/index.js'
import { BUILD_MS, inTurn, LATE, LOG_BYTES, NotAdmitted, type BuildStep, type StepResult } from './build.js'

/*
 * A stranger's build is held: it runs in a sandbox whose /bot is memory of a limited size, with its copy; nothing of the host can be
 * written. What it leaves is taken out when all its processes are dead, through the checks of any stranger's tree: a link, a device, a huge
 * or deep tree reaches the host no more than it would in a source.
 */

export interface Held {
  readonly maker: SandboxMaker
  /** Folders of the host that its commands read. */
  readonly reads: readonly string[]
  /** Bytes that what it leaves may have. */
  readonly bytes: number
}

/** Runs the commands of a build on a copy, and puts what they leave into `made`. Throws NotAdmitted where it fails. */
export async function runHeld(steps: readonly BuildStep[], folder: string, made: string, held: Held): Promise<void> {
  const { maker, reads, bytes } = held
  const [first] = steps
  const sandbox = await openSandbox(maker, {
    argv: first?.argv ?? [],
    programs: steps.map(({ argv: [program = ''] }) => program),
    source: folder,
    limits: BUILD_LIMITS,
    reads,
    building: true,
  })
  try {
    await fetched(sandbox)
    await inTurn(steps, folder, BUILD_MS, (step, left) => runStep(sandbox, step, folder, left))
    // Its processes are dead, so nothing changes meanwhile.
    await readBuilt(copyTree(sandbox.rootOf(PLACES.source), made, { bytes, alias: PLACES.source, dangling: true }))
  } finally {
    await sandbox.close()
  }
}

const ENV = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: PLACES.tmp, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' }

/** Puts the copy where it is built: what the sandbox shows of the host stays as it is. */
async function fetched(sandbox: Sandbox): Promise<void> {
  const { end, stop, stderr } = await sandbox.turn({
    argv: ['/bin/cp', '-RP', `${PLACES.staged}/.`, `${PLACES.source}/`],
    env: ENV,
    folder: '/',
    limit: BUILD_MS,
    output: 4096,
    errors: 4096,
    wipe: false,
  })
  if (stop === undefined && 'code' in end && end.code === 0) return
  const why = stop ?? describeEnding(end)
  throw new NotAdmitted(`its source could not be put where it is built (cp ${why})`, stderr.toString())
}

async function runStep(
  sandbox: Sandbox,
  { argv, home }: BuildStep,
  folder: string,
  limit: number,
): Promise<StepResult> {
  const { end, stop, out, stderr, chargedUs } = await sandbox.turn({
    argv: placedWords(argv, folder),
    env: ENV,
    folder: join(PLACES.source, relative(folder, home)),
    limit,
    output: BUILD_LIMITS.errors,
    errors: BUILD_LIMITS.errors,
    wipe: false,
  })
  const log = (Buffer.from(out, 'latin1').toString() + stderr.toString()).slice(0, LOG_BYTES)
  const took = chargedUs / 1000
  if (stop === 'time' || stop === 'busy') return { log, took, trouble: LATE }
  if (stop !== undefined) return { log, took, trouble: 'printed without end' }
  return 'code' in end && end.code === 0 ? { log, took } : { log, took, trouble: describeEnding(end) }
}

/** Reads what a build has left. Throws NotAdmitted for what agon never accepts. */
export async function readBuilt(work: Generator<unknown, void>): Promise<void> {
  try {
    await paced(work)
  } catch (error) {
    throw error instanceof TreeFault ? new NotAdmitted(leftBehind(error)) : error
  }
}

export const leftBehind = ({ path, why }: TreeFault): string =>
  path === '.' ? `what its build left ${why}` : `its build left ${path}, which ${why}`
