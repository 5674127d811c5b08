import { useState } from 'react'
import { type FaultKind, type MatchRecord, visible } from '../../core/index.js'
import { counted } from '../format.js'
import { ask, slotIn, useAction, useApi } from './api.js'
import type { Contest } from './facts.js'
import { pathTo } from './router.js'
import { Problem } from './shell.js'

/** What the API tells of a match that counts for nothing. */
interface TrialFacts {
  readonly record: MatchRecord
  readonly faults: readonly {
    readonly seat: number
    readonly turn: number
    readonly fault: FaultKind
    readonly why?: string
    readonly said?: string
  }[]
  readonly stderr: string
}

interface TrialProps {
  readonly contest: string
  readonly entry: string
  readonly name: string
}

/** Lets an entry play a bot of its owner's choice; the match counts for nothing. */
export function Trial({ contest, entry, name }: TrialProps) {
  const { data } = useApi<Contest>(pathTo(['contests', contest]))
  const others = (data?.entrants ?? []).filter((one) => one !== name)
  const [chosen, setChosen] = useState<string>()
  const opponent = chosen ?? others[0]
  const [trial, setTrial] = useState<TrialFacts>()
  const play = useAction(async () => {
    setTrial(
      await ask<TrialFacts>(
        'POST',
        pathTo(['contests', contest, 'trials']),
        { entry, opponents: [opponent] },
        { slot: slotIn(contest) },
      ),
    )
  })
  if (opponent === undefined) return null
  return (
    <section aria-labelledby="trial">
      <h3 id="trial">Try it</h3>
      <p className="group-of">
        <label>
          A match that counts for nothing, against
          <select value={opponent} onChange={(event) => setChosen(event.currentTarget.value)}>
            {others.map((one) => (
              <option key={one} value={one}>
                {visible(one)}
              </option>
            ))}
          </select>
        </label>
        <button type="button" disabled={play.busy} onClick={() => play.run()}>
          {play.busy ? 'They play …' : 'Play it'}
        </button>
      </p>
      {play.problem && <Problem problem={play.problem} />}
      {trial && <TrialReport trial={trial} />}
    </section>
  )
}

/** How a trial went. */
function TrialReport({ trial: { record, faults, stderr } }: { readonly trial: TrialFacts }) {
  const { place, reason } = record.outcome
  const shared = place.filter((one) => one === 1).length > 1
  const own = faults.filter(({ seat }) => seat === 0)
  return (
    <div role="status">
      <p>
        <b>{place[0] !== 1 ? 'It lost' : shared ? 'It drew' : 'It won'}</b> after {counted(record.steps.length, 'turn')}{' '}
        ({visible(reason)}). {own.length === 0 ? 'It was never faulted.' : `${counted(own.length, 'fault')}:`}
      </p>
      {own.length > 0 && (
        <ul>
          {own.slice(0, 10).map(({ turn, fault, why, said }) => (
            <li key={turn}>
              Turn {turn + 1}: {fault}
              {why !== undefined && `, ${visible(why)}`}
              {said !== undefined && (
                <>
                  ; it said <code>{visible(said)}</code>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {stderr !== '' && (
        <pre className="log" tabIndex={0} role="region" aria-label="standard error of the trial">
          {stderr.split('\n').map(visible).join('\n')}
        </pre>
      )}
    </div>
  )
}
