import { useEffect, useMemo, useState } from 'react'
import { visible } from '../../core/index.js'
import { counted, versus } from '../format.js'
import { definitionOf } from '../games.js'
import { Log, Press, Select } from '../parts.js'
import { post, slotIn, useAction, useApi, useTicks } from './api.js'
import { useGames } from './contest-shell.js'
import type { Contest, Scrimmage, SiteGame } from './facts.js'
import { Film } from './watch.js'
import { go, pathTo, useAddress } from './router.js'
import { Above, Loaded, Problem, Shell } from './shell.js'

interface ChoiceProps {
  readonly game: SiteGame
  readonly bots: readonly string[]
  /** Is chosen first; absent: the first of the bots. */
  readonly first?: string
  /** Before the first opponent. */
  readonly label: string
  readonly word: string
  readonly onPlay: (opponents: readonly string[]) => Promise<void>
}

const MOST = 12

/** Whom a match is played against, one choice a seat: seats have no other name than their number. */
export function Choice({ game: { title, seats }, bots, first, label, word, onPlay }: ChoiceProps) {
  const least = Math.max(1, seats.min - 1)
  const most = Math.max(least, Math.min(seats.max - 1, MOST))
  const ordered = first === undefined ? bots : [first, ...bots.filter((name) => name !== first)]
  const some = (n: number) => Array.from({ length: n }, (_, i) => ordered[i % ordered.length] ?? '')
  const [opponents, setOpponents] = useState<readonly string[]>(() => some(least))
  const play = useAction(onPlay)
  const n = opponents.length
  return (
    <>
      <p className="flow">
        {opponents.map((opponent, i) => (
          <Select
            key={i}
            label={i === 0 ? label : 'and'}
            value={opponent}
            options={bots.map((name) => [name, visible(name)])}
            onChoose={(name) => setOpponents(opponents.with(i, name))}
          />
        ))}
        {n < most && (
          <Press
            aria-label={`one more opponent in ${title}`}
            onClick={() => setOpponents([...opponents, ...some(n + 1).slice(n)])}
          >
            + one
          </Press>
        )}
        {n > least && (
          <Press aria-label={`one opponent less in ${title}`} onClick={() => setOpponents(opponents.slice(0, -1))}>
            − one
          </Press>
        )}
        <Press className="main" resting={play.busy} onClick={() => play.run(opponents)}>
          {word}
        </Press>
      </p>
      <Problem problem={play.problem} />
    </>
  )
}

export function TryIt({ contest, name }: { readonly contest: string; readonly name: string }) {
  const { data } = useApi<Contest>(pathTo(['contests', contest]))
  const game = useGames()?.find(({ id }) => id === data?.game)
  const bots = [...new Set([...(data?.entrants ?? []), ...(game?.house ?? [])])].filter((one) => one !== name)
  if (game === undefined || bots.length === 0) return null
  const play = async (opponents: readonly string[]) => {
    const path = pathTo(['contests', contest, 'scrimmages'])
    const { id } = await post<{ id: string }>(path, { bots: [name, ...opponents] }, { slot: slotIn(contest) })
    go(pathTo(['scrimmages', id], { contest }))
  }
  return (
    <section aria-labelledby="try">
      <h3 id="try">Try it</h3>
      <Choice game={game} bots={bots} label="A match that counts for nothing, against" word="Play it" onPlay={play} />
    </section>
  )
}

const LOOK_MS = 500
const TITLES = {
  waiting: 'It waits for its turn',
  playing: 'It is played',
  over: 'It is over',
  failed: 'It ended early',
}

/** A match that counts for nothing: how it stands, how it went, and then turn by turn. */
export function ScrimmagePage({ id, contest }: { readonly id: string; readonly contest: string | undefined }) {
  const { query } = useAddress()
  const [over, setOver] = useState(false)
  const looks = useTicks(over ? undefined : LOOK_MS)
  const asked = useApi<Scrimmage>(pathTo(['scrimmages', id]), looks, slotIn(contest))
  const { data, problem } = asked
  // One that is gone does not come back.
  const isGone = problem?.status === 404
  useEffect(() => setOver(isGone || data?.state === 'over' || data?.state === 'failed'), [isGone, data?.state])
  const { record, positions } = data ?? {}
  const packed = useMemo(() => record && { record, positions }, [record, positions])
  const place = (turn?: number, as?: number): string => pathTo(['scrimmages', id], { contest, replay: 'yes', turn, as })
  if (packed !== undefined && query.get('replay') === 'yes') {
    const note = (
      <p className="beside inner">
        A scrimmage: it counts for nothing.{' '}
        <Press className="plain" onClick={() => go(pathTo(['scrimmages', id], { contest }), true)}>
          How it went
        </Press>
      </p>
    )
    return <Film packed={packed} contest={data?.contest} own={place} note={note} />
  }
  return (
    <Shell title={data === undefined ? 'A scrimmage' : versus(data.bots)} above={<Above contest={contest} />}>
      <Loaded of={asked} what="the match">
        {(scrimmage) => (
          <section aria-labelledby="state">
            <h2 id="state">{TITLES[scrimmage.state]}</h2>
            <p>It counts for nothing: the table stays as it is. Only you and the host see it.</p>
            {scrimmage.why !== undefined && <p>{visible(scrimmage.why)}</p>}
            <Outcome scrimmage={scrimmage} onWatch={() => go(place())} />
            {over && contest !== undefined && <BackToBots contest={contest} bots={scrimmage.bots} />}
          </section>
        )}
      </Loaded>
    </Shell>
  )
}

function BackToBots({ contest, bots }: { readonly contest: string; readonly bots: readonly string[] }) {
  const entrants = useApi<Contest>(pathTo(['contests', contest])).data?.entrants ?? []
  return (
    <p className="flow">
      {[...new Set(bots)]
        .filter((name) => entrants.includes(name))
        .map((name) => (
          <a key={name} href={pathTo(['contests', contest, 'bots', name])}>
            {visible(name)}
          </a>
        ))}
    </p>
  )
}

const LISTED = 10

function Outcome({ scrimmage, onWatch }: { readonly scrimmage: Scrimmage; readonly onWatch: () => void }) {
  const { record, faults = [], stderr = [], positions } = scrimmage
  if (record === undefined) return null
  const { place, reason } = record.outcome
  const winners = record.seats.filter((_, seat) => place[seat] === 1).map(({ entrant }) => visible(entrant))
  const isShown = positions !== undefined || definitionOf(record.game)?.game.version === record.version
  return (
    <div role="status">
      <p>
        <b>{winners.length === 1 ? `${winners[0]} won` : `${winners.join(' and ')} drew`}</b> after{' '}
        {counted(record.steps.length, 'turn')} ({visible(reason)}).{' '}
        {faults.length === 0 ? 'Nobody was faulted.' : `${counted(faults.length, 'fault')}:`}
      </p>
      <ul>
        {faults.slice(0, LISTED).map(({ seat, turn, fault, why, said }) => (
          <li key={`${seat} ${turn}`}>
            {visible(record.seats[seat]?.entrant ?? '')}, turn {turn + 1}: {fault}
            {why !== undefined && `, ${visible(why)}`}
            {said !== undefined && (
              <>
                ; it answered <code>{visible(said)}</code>
              </>
            )}
          </li>
        ))}
      </ul>
      {isShown && <Press onClick={onWatch}>Watch it turn by turn</Press>}
      {stderr.map(({ name, text }) => (
        <div key={name}>
          <h3>What {visible(name)} wrote to its standard error</h3>
          <Log label={`standard error of ${visible(name)}`} text={text} />
        </div>
      ))}
    </div>
  )
}
