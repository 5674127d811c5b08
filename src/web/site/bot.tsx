import { FAULT_KINDS, faultOf } from '../../core/faults.js'
import { FACTS, visible } from '../../core/index.js'
import { boundText } from '../../text/index.js'
import { useDrawnWidth } from '../chart.js'
import { capital, counted, dateText, duration, figure, percent } from '../format.js'
import { Bar, Facts, Log, Section, Table, numbers } from '../parts.js'
import { slotIn, useApi, useLive } from './api.js'
import { MatchRows, OfContest } from './contest.js'
import type { AnswerTimes, BotFaults, EntrantFacts, VersionFacts } from './facts.js'
import { pathTo } from './router.js'
import { Loaded } from './shell.js'

export function BotPage({ id, name }: { readonly id: string; readonly name: string }) {
  const live = useLive(id)
  const asked = useApi<EntrantFacts>(pathTo(['contests', id, 'entrants', name]), live.version)
  return (
    <OfContest id={id} title={visible(name)} live={live}>
      {({ hosted, sittings }) => (
        <>
          <Section id="bot" title={visible(name)}>
            {hosted && sittings !== false && asked.data && (
              <p>
                <a href={pathTo(['play'], { contest: id, bot: name })}>Play against it</a>
              </p>
            )}
            <Loaded of={asked} what="the bot">
              {(bot) => <Facts facts={factsOf(bot)} />}
            </Loaded>
          </Section>
          {asked.data && <Bot contest={id} bot={asked.data} version={live.version} />}
        </>
      )}
    </OfContest>
  )
}

function factsOf(bot: EntrantFacts): readonly (readonly [string, string])[] {
  const { rank, points, matches, wins, draws, losses } = bot
  const { prey, nemesis } = rivals(bot.opponents)
  const rivalText = (rival: Rival): string => `${visible(rival.name)} (${percent(share(rival))})`
  return [
    ['Rank', rank === null ? '–' : figure(rank)],
    ['Points', figure(points)],
    ['Matches', figure(matches)],
    ['Won', figure(wins)],
    ['Drawn', figure(draws)],
    ['Lost', figure(losses)],
    ...FACTS.flatMap((fact) => (bot[fact] === undefined ? [] : [[capital(fact), visible(bot[fact])] as const])),
    ...(prey ? [['Prey', rivalText(prey)] as const] : []),
    ...(nemesis ? [['Nemesis', rivalText(nemesis)] as const] : []),
  ]
}

type Rival = EntrantFacts['opponents'][number]

/** A bot's share of the matches against an opponent, a draw for a half. */
const share = ({ ahead, level, behind }: Rival): number => (ahead + level / 2) / Math.max(1, ahead + level + behind)

/** Opponents, the most beaten first: the prey is the first beaten more often than not, the nemesis the last that beats it. */
export function rivals(opponents: readonly Rival[]) {
  const sorted = [...opponents].sort((a, b) => share(b) - share(a))
  const met = sorted.filter(({ ahead, level, behind }) => ahead + level + behind > 0)
  const [first, last] = [met[0], met.at(-1)]
  return {
    sorted,
    prey: first && share(first) > 0.5 ? first : undefined,
    nemesis: last && share(last) < 0.5 ? last : undefined,
  }
}

interface BotProps {
  readonly contest: string
  readonly bot: EntrantFacts
  readonly version: number
}

function Bot({ contest, bot, version }: BotProps) {
  const { name, opponents, versions, times, best, worst } = bot
  const matchesOf = (query: Readonly<Record<string, string>>) =>
    pathTo(['contests', contest, 'matches'], { bot: name, ...query })
  const notable = [
    ['wins', 'Best wins', best, 'win', 'The newest against each of the strongest that it beat.'],
    ['losses', 'Worst losses', worst, 'loss', 'The newest against each of the weakest that beat it.'],
  ] as const
  return (
    <>
      <Section id="opponents" title="Against each opponent">
        {opponents.length === 0 ? (
          <p className="empty">It has met nobody yet.</p>
        ) : (
          <Table<Rival>
            label="the table of opponents"
            columns={[
              {
                head: 'Opponent',
                names: true,
                cell: (one) => <a href={matchesOf({ opponent: one.name })}>{visible(one.name)}</a>,
              },
              numbers('Won', ({ ahead }) => figure(ahead)),
              numbers('Drawn', ({ level }) => figure(level)),
              numbers('Lost', ({ behind }) => figure(behind)),
              numbers('Share', (one) => percent(share(one))),
              { head: '', kind: 'bars', cell: (one) => <Bar share={share(one)} /> },
            ]}
            rows={rivals(opponents).sorted}
            keyOf={(one) => one.name}
          />
        )}
      </Section>
      {notable.map(
        ([id, title, matches, result, text]) =>
          matches.length > 0 && (
            <Section key={id} id={id} title={title}>
              <p>{text}</p>
              <MatchRows
                contest={contest}
                matches={matches}
                of={name}
                label={`the list of its ${title.toLowerCase()}`}
              />
              <p>
                <a href={matchesOf({ result })}>All its {id}</a>
              </p>
            </Section>
          ),
      )}
      <Section id="faults" title="Faults and time">
        <Faults contest={contest} bot={bot} version={version} />
        {times && <Times times={times} />}
      </Section>
      {versions.length > 0 && (
        <Section id="versions" title="Versions">
          <Versions contest={contest} versions={versions} />
        </Section>
      )}
    </>
  )
}

/** How often it erred, the newest faults with what was sent and answered, and its standard error's end, if one may see them. */
function Faults({ contest, bot: { name, faults }, version }: BotProps) {
  const kinds = FAULT_KINDS.filter((kind) => faults[kind] !== undefined)
  const path = pathTo(['contests', contest, 'entrants', name, 'faults'], { limit: 5 })
  const { items = [], stderr = '' } = useApi<BotFaults>(path, version, slotIn(contest)).data ?? {}
  return (
    <>
      {kinds.length === 0 && <p>It was never faulted.</p>}
      <ul>
        {kinds.map((kind) => (
          <li key={kind}>
            <a href={pathTo(['contests', contest, 'matches'], { bot: name, fault: kind })}>
              {counted(faults[kind] ?? 0, kind, kind)}
            </a>
            : {faultOf(kind).words}
          </li>
        ))}
      </ul>
      {items.length > 0 && <h3>The newest</h3>}
      <ul role="list">
        {items.map(({ match, turn, kind, why, exchange }) => (
          <li key={`${match} ${turn}`}>
            <a href={pathTo(['matches', match], { contest, turn: turn + 1 })}>
              {kind}, turn {turn + 1}
            </a>
            {why !== undefined && `: ${visible(why)}`}
            {exchange && (
              <Log
                label={`what it was sent and answered in match ${match}, turn ${turn + 1}`}
                text={exchange.join('\n')}
              />
            )}
          </li>
        ))}
      </ul>
      {items.length > 0 && items.every(({ exchange }) => exchange === undefined) && (
        <p>What it was sent and answered is for its owner and the host to see.</p>
      )}
      {stderr !== '' && (
        <>
          <h3>The end of its standard error</h3>
          <Log label="standard error" text={stderr} />
        </>
      )}
    </>
  )
}

const WIDTH = 600
const HEIGHT = 120
/** Pixels that a time needs at the axis. */
const TIME = 70

/** How long its answers took, as a histogram whose classes double. */
function Times({ times: { n, median, p99, max, limit, classes } }: { readonly times: AnswerTimes }) {
  const most = Math.max(1, ...classes.map((one) => one.n))
  const [svg, width] = useDrawnWidth(WIDTH)
  const step = width / Math.max(1, classes.length)
  const each = Math.ceil(TIME / step)
  return (
    <figure className="chart panel">
      <figcaption>
        Wall time of its last {figure(n)} answers: median {duration(median)}, 99 % below {duration(p99)}, slowest{' '}
        {duration(max)}
        {limit !== null && `; it may take ${duration(limit * 1000)}`}.
      </figcaption>
      <svg ref={svg} viewBox={`0 0 ${width} ${HEIGHT + 24}`} role="img" aria-label="how many answers took how long">
        {classes.map((one, i) => {
          const [x, height] = [i * step + 2, (HEIGHT * one.n) / most]
          return (
            <g key={one.below}>
              <title>
                {figure(one.n)} below {duration(one.below)}
              </title>
              <rect className="dot" x={x} width={Math.max(1, step - 4)} y={HEIGHT - height} height={height} />
              {i % each === 0 && (
                <text className="axis" x={x} y={HEIGHT + 18}>
                  {duration(one.below)}
                </text>
              )}
            </g>
          )
        })}
      </svg>
    </figure>
  )
}

function Versions({ contest, versions }: { readonly contest: string; readonly versions: readonly VersionFacts[] }) {
  const signed = (n: number): string => (figure(n).startsWith('−') ? figure(n) : `+${figure(n)}`)
  // Of one that won or lost all its matches 'below −150', as its rating is the prior's.
  const ratingText = ({ rating, half, bound }: VersionFacts): string => {
    if (rating === undefined) return '–'
    return bound ? boundText(bound) : `${signed(rating)} ± ${half ?? '∞'}`
  }
  const known = (n: number | undefined): string => (n === undefined ? '–' : figure(n))
  return (
    <Table<VersionFacts>
      label="the table of versions"
      columns={[
        {
          head: 'Version',
          names: true,
          cell: ({ id, version }) => <a href={pathTo(['entries', id], { contest })}>{version}</a>,
        },
        { head: 'State', cell: ({ state }) => state },
        numbers('Matches', ({ matches }) => known(matches)),
        numbers('Points', ({ points }) => known(points)),
        numbers('Rating', ratingText),
        numbers('Change', ({ change }) => (change === undefined ? '–' : `${change < 0 ? '▼' : '▲'} ${signed(change)}`)),
        { head: 'Entered', kind: 'whole', cell: ({ at }) => dateText(at) },
      ]}
      rows={versions.toReversed()}
      keyOf={({ id }) => id}
    />
  )
}
