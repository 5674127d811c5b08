import { hashOfEntrant } from '../../build/index.js'
import { specOf } from '../run/spec.js'
import {
  type GameDefinition,
  type Outcome,
  type Result,
  UserError,
  fixtureOfRecord,
  sidesOf,
  canonical,
} from '../../core/index.js'
import { jobKey } from '../../engine/index.js'
import { RecordError, bankOf, factsOf, judge } from '../../match/index.js'
import type { RunDump, JobDump } from '../../store/index.js'
import { tournamentWithout } from '../../tournament/exclusions.js'
import { FormatError, createTournament, isPlayoff } from '../../tournament/index.js'
import { readDigest } from '../../results/file.js'
import { tournamentOf } from '../run/same.js'

/**
 * Compares what an archive says with what can be computed, but ratings, which are made anew. Returns how many matches
 * of another version of the rules could not be judged. Throws UserError for the first thing that does not fit.
 */
export async function checkArchive(
  file: string,
  dump: RunDump,
  jobs: AsyncIterable<JobDump>,
  definition: GameDefinition,
): Promise<number> {
  const refuse = (why: string): UserError =>
    new UserError(`${file}: ${why}: it is damaged or was edited; export it again, nothing was imported`)
  checkRun(dump, refuse)
  const keys = new Set<string>()
  /** Seats by match key. */
  const places = new Map<string, number>()
  const results = new Map<string, Result>()
  let unjudged = 0
  for await (const job of jobs) {
    if (keys.has(job.key)) throw refuse(`the job ${job.key} stands in it twice`)
    keys.add(job.key)
    checkJob(dump, job, refuse)
    for (const match of job.matches) {
      const { record } = match
      const place = record.key ?? ''
      if (places.has(place)) throw refuse(`the match ${place} stands in it twice`)
      places.set(place, match.seats.length)
      if (record.version !== definition.game.version) unjudged++
      else checkMatch(definition, match, refuse)
      results.set(place, sidesOf({ key: place, seats: match.seats, outcome: record.outcome, ...factsOf(record) }))
    }
  }
  for (const { place, outcome } of dump.rulings) {
    const seats = places.get(place)
    if (seats === undefined) throw refuse(`a ruling is about ${place}, and there is no such match`)
    if (!isOutcomeOf(outcome, seats)) throw refuse(`a ruling is about ${place}, and gives no outcome of such a match`)
  }
  await checkDigest(file, dump, places.size, refuse)
  checkWhole(dump, results, refuse)
  return unjudged
}

type Refuse = (why: string) => UserError

/** A place for each seat, and a score and a tally if there are any. */
const isOutcomeOf = ({ place, score = place, tally = {} }: Outcome, seats: number): boolean =>
  [place, score, ...Object.values(tally)].every(({ length }) => length === seats) &&
  place.every((one) => one >= 1 && one <= seats)

function checkRun({ run, entrants, exclusions, ratings, kept }: RunDump, refuse: Refuse): void {
  const names = entrants.map(({ name }) => name)
  if (new Set(names).size !== names.length) throw refuse('an entrant stands in it twice')
  for (const one of entrants)
    if (one.hash !== hashOfEntrant(one, run.contest.limits))
      throw refuse(`the hash of ${one.name} is not that of its parts`)
  if (tournamentOf({ ...run, entrants }) !== run.tournament)
    throw refuse('the key of its tournament is not that of what decides it')
  const named = [...exclusions.map(({ name }) => name), ...kept.map(({ entrant }) => entrant)]
  if (named.some((name) => !names.includes(name)) || ratings.some(({ entrant }) => entrant >= names.length))
    throw refuse('it names an entrant who is not in it')
  if (kept.some(({ tournament }) => tournament !== run.tournament)) throw refuse('it keeps files of another tournament')
  // Of a run that no contest file can make the table could not be drawn.
  try {
    createTournament(specOf({ ...run, entrants }))
  } catch (error) {
    throw error instanceof FormatError ? refuse(`no contest can have its format (${error.message})`) : error
  }
}

/** Whether a job is what its key says, and its matches are this run's. */
function checkJob({ run, entrants }: RunDump, { key, matches }: JobDump, refuse: Refuse): void {
  for (const { record, seats, playoff } of matches) {
    const place = record.key ?? ''
    if (record.game !== run.game.id || record.version !== run.game.version)
      throw refuse(`${place} is a match of ${record.game} version ${record.version}, not of its run's game`)
    const named = seats.map((seat) => entrants[seat]?.name)
    if (named.length !== record.seats.length || record.seats.some(({ entrant }, i) => entrant !== named[i]))
      throw refuse(`${place}: its entrants are not those of its record`)
    if (canonical(record.limits) !== canonical(bankOf(run.contest.limits)))
      throw refuse(`${place}: its clock followed other limits than its contest's`)
    if (playoff !== isPlayoff(place)) throw refuse(`${place} is wrong about being a playoff`)
  }
  const lasts = matches.some(({ seats }) => seats.some((seat) => entrants[seat]?.memory === 'tournament'))
  const parts = matches.map(({ record, seats }) => {
    return { fixture: fixtureOfRecord(record), entrants: seats.map((seat) => entrants[seat]?.hash ?? '') }
  })
  if (jobKey(run.seed, lasts ? run.tournament : '', parts, run.game.source) !== key)
    throw refuse(
      `${matches[0]?.record.key ?? key}: its key is not that of its match (game, options, luck, seed, entrants)`,
    )
}

function checkMatch(definition: GameDefinition, { record, faults }: JobDump['matches'][number], refuse: Refuse): void {
  const place = record.key ?? ''
  try {
    const judged = judge(definition, record)
    if (canonical(judged.outcome) !== canonical(record.outcome))
      throw refuse(`${place}: its outcome is not what the rules make of its outputs`)
    if (faultText(judged.faults) !== faultText(faults))
      throw refuse(`${place}: its faults are not what the rules make of its outputs`)
  } catch (error) {
    throw error instanceof RecordError ? refuse(`${place}: ${error.message}`) : error
  }
}

/** In order, without the words for people, which may change. */
const faultText = (faults: readonly { turn: number; seat: number; fault: string }[]): string =>
  faults
    .map(({ turn, seat, fault }) => `${turn} ${seat} ${fault}`)
    .sort()
    .join('\n')

async function checkDigest(file: string, { run }: RunDump, matches: number, refuse: Refuse): Promise<void> {
  const declared = await readDigest(file)
  if (declared === undefined) throw refuse('it has no digest.json')
  if (declared.run !== run.id || declared.seed !== run.seed || declared.tournament !== run.tournament)
    throw refuse('its digest is that of another run')
  if (declared.matches !== matches) throw refuse(`it has ${matches} matches, and says ${declared.matches}`)
  if (!declared.fits) throw refuse('its files are not those that its digest was taken over')
}

/** A finished run has all matches of its schedule, as it is now or before exclusions and rulings. */
function checkWhole(
  { run, entrants, exclusions, rulings }: RunDump,
  played: ReadonlyMap<string, Result>,
  refuse: Refuse,
): void {
  if (run.state !== 'finished') return
  const spec = specOf({ ...run, entrants })
  const ruled = new Map(played)
  for (const { place, outcome } of rulings) ruled.set(place, { ...(played.get(place) as Result), outcome })
  const isWhole = [played, ruled].some((results) =>
    [[], exclusions].some((out) => tournamentWithout(spec, out, (key) => results.has(key)).next(results) === undefined),
  )
  if (!isWhole) throw refuse(`it is finished, and has only ${played.size} matches of its schedule`)
}
