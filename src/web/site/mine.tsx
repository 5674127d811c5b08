import { visible } from '../../core/index.js'
import { WHOSE, askAll, keptContests, useApi } from './api.js'
import type { Caller, Contest, Entry, List } from './facts.js'
import { Link, pathTo } from './router.js'
import { Empty, Shell, StateTag, Waiting } from './shell.js'

/** The bots of the person whose tokens this browser keeps, by contest. */
export function MinePage() {
  const contests = keptContests()
  return (
    <Shell title="My bots">
      {contests.length === 0 ? (
        <Empty>
          This browser keeps no contestant’s token. Each contest has a page to <b>Enter a bot</b>, which asks for one.
        </Empty>
      ) : (
        contests.map((id) => <OwnBots key={id} id={id} />)
      )}
    </Shell>
  )
}

function OwnBots({ id }: { readonly id: string }) {
  const contest = useApi<Contest>(pathTo(['contests', id]))
  const caller = useApi<Caller>(WHOSE, 0, id)
  const entries = useApi<List<Entry>>(pathTo(['contests', id, 'entries'], { limit: 200 }), 0, id, askAll)
  const problem = contest.problem ?? caller.problem ?? entries.problem
  // The newest version of each bot stands first.
  const own = (entries.data?.items ?? []).filter(({ contestant }) => contestant === caller.data?.name)
  const newest = own.filter(({ name }, i) => own.findIndex((other) => other.name === name) === i)
  return (
    <section aria-labelledby={`mine-${id}`}>
      <h2 id={`mine-${id}`}>
        <Link to={pathTo(['contests', id])}>{visible(contest.data?.title ?? id)}</Link>{' '}
        {contest.data && <StateTag state={contest.data.state} />}
      </h2>
      {entries.data === undefined || caller.data === undefined ? (
        <Waiting problem={problem} what="your bots" />
      ) : (
        <>
          <ul className="plain-list">
            {newest.map(({ id: entry, name, version, state }) => (
              <li key={entry}>
                <Link to={pathTo(['entries', entry], { contest: id })}>{visible(name)}</Link>{' '}
                <span className="quiet">
                  version {version}, {STATES[state]}
                </span>{' '}
                {state === 'placed' && <Link to={pathTo(['contests', id, 'bots', name])}>how it does</Link>}
              </li>
            ))}
          </ul>
          <p>
            <Link to={pathTo(['contests', id, 'enter'])}>{newest.length === 0 ? 'Enter a bot' : 'Enter another'}</Link>
          </p>
        </>
      )}
    </section>
  )
}

const STATES: Readonly<Record<Entry['state'], string>> = {
  building: 'is built and checked',
  playing: 'plays its matches',
  placed: 'stands in the table',
  rejected: 'was refused',
}
