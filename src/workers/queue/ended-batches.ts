import type { JudgedMatch } from '../../store/index.js'
import { type LaneState, requestsOf } from './lane-state.js'
import type { BatchOutcome } from './messages.js'
import type { QueuePoolSetting } from './queue-setting.js'

/** A batch of a lane that has ended. */
export interface EndedBatch extends BatchOutcome {
  readonly id: string
  /** What the run's own worker has stored of it, by keys; absent: another ended it. */
  readonly here?: ReadonlyMap<string, readonly JudgedMatch[]>
}

/** Those that the run's own worker has stored: nothing of them need be read from the server. */
export const endedHere = ({ sent }: LaneState, { mine }: Pick<QueuePoolSetting, 'mine'>): EndedBatch[] =>
  [...sent.keys()].flatMap((id) => {
    const own = mine?.of(id)
    return own === undefined ? [] : [{ ...own.outcome, id, here: own.matches }]
  })

/** The others, as the server's tables say; `gone`: ids of those that no worker will end. */
export async function endedElsewhere(
  lane: LaneState,
  { mine, batches, verifier }: Pick<QueuePoolSetting, 'mine' | 'batches' | 'verifier'>,
): Promise<{ readonly ended: EndedBatch[]; readonly gone: readonly string[] }> {
  const isHere = (id: string): boolean => mine?.isEnding(id) === true || mine?.of(id) !== undefined
  const ids = [...lane.sent.keys()].filter((id) => !isHere(id))
  if (ids.length === 0) return { ended: [], gone: [] }
  const said = await batches.outcomes([lane.queue], ids)
  const ended = said.ended
    // The run's own worker may have begun to store one of them meanwhile.
    .filter(({ id }) => !isHere(id))
    .map(({ id, output }) => ({ id, ...verifier.outcomeOf(requestsOf(lane, id), output) }))
  return { ended, gone: said.gone }
}
