import { visible } from '../../core/index.js'
import { Section } from '../parts.js'
import { WHOSE, keptContests, pagesOf, useApi } from './api.js'
import type { Caller, Contest, Entry, List } from './facts.js'
import { pathTo } from './router.js'
import { Shell, StateTag, Waiting } from './shell.js'

/** The bots of the person whose tokens this browser keeps, by contest. */
export function MinePage() {
  const contests = keptContests()
  return (
    <Shell title="My bots">
      {contests.length === 0 ? (
        <p className="empty">
          This browser keeps no contestant’s token. Each contest has a page to <b>Enter a bot</b>, which asks for one.
        </p>
      ) : (
        contests.map((id) => <OwnBots key={id} id={id} />)
      )}
    </Shell>
  )
}

function OwnBots({ id }: { readonly id: string }) {
  const contest = useApi<Contest>(pathTo(['contests', id]))
  const caller = useApi<Caller>(WHOSE, 0, id)
  const path = pathTo(['contests', id, 'entries'], { limit: 200 })
  const entries = useApi<List<Entry>>(path, 0, id, pagesOf(Infinity))
  // The newest version of each bot stands first.
  const own = (entries.data?.items ?? []).filter(({ contestant }) => contestant === caller.data?.name)
  const newest = own.filter(({ name }, i) => own.findIndex((other) => other.name === name) === i)
  return (
    <Section
      id={`mine-${id}`}
      title={
        <>
          <a href={pathTo(['contests', id])}>{visible(contest.data?.title ?? id)}</a>{' '}
          {contest.data && <StateTag state={contest.data.state} />}
        </>
      }
    >
      {entries.data === undefined || caller.data === undefined ? (
        <Waiting problem={contest.problem ?? caller.problem ?? entries.problem} what="your bots" />
      ) : (
        <>
          <ul role="list">
            {newest.map(({ id: entry, name, version, state }) => (
              <li key={entry}>
                <a href={pathTo(['entries', entry], { contest: id })}>{visible(name)}</a>{' '}
                <span className="quiet">
                  version {version}, {STATES[state]}
                </span>{' '}
                {state === 'placed' && <a href={pathTo(['contests', id, 'bots', name])}>how it does</a>}
              </li>
            ))}
          </ul>
          <p>
            <a href={pathTo(['contests', id, 'enter'])}>{newest.length === 0 ? 'Enter a bot' : 'Enter another'}</a>
          </p>
        </>
      )}
    </Section>
  )
}

const STATES: Readonly<Record<Entry['state'], string>> = {
  building: 'is built and checked',
  playing: 'plays its matches',
  placed: 'stands in the table',
  rejected: 'was refused',
}
