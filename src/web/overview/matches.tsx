import { useState } from 'react'
import { type Teams, firstPlaces, visible } from '../../core/index.js'
import type { MatchRow } from '../document.js'
import { counted, figure, teamsIn } from '../format.js'
import { MatchList } from '../match-list.js'
import { Form, Press, Select } from '../parts.js'
import { useReport } from '../shared.js'

const PAGE = 40

interface Filter {
  /** The player, as an index; -1: anyone. */
  readonly bot: number
  /** Against whom, likewise. */
  readonly rival: number
  /** By what a match ended; empty: anything. */
  readonly reason: string
  readonly faulted: boolean
  /** 'won', 'lost' (by the player) or 'draw'; empty: any. */
  readonly result: string
}

/** Every match that the page holds, with filters; each leads to its replay. */
export function Matches() {
  const { document, matches, place, href, nameOf } = useReport()
  const [chosen, setChosen] = useState({ reason: '', faulted: false, result: '' })
  const [most, setMost] = useState(PAGE)
  const indexOf = (name: string | undefined) => document.entrants.findIndex((entrant) => entrant.name === name)
  const filter: Filter = { bot: indexOf(place.bot), rival: indexOf(place.rival), ...chosen }
  const found = matches.filter((row) => fits(row, filter, teamsIn(document)))
  const { total, kept, drawn = kept } = document.matches
  const listed = found.slice(0, most).map(([key, seats, places, reason, turns, faults = []]) => ({
    key,
    href: href({ match: key, turn: 0 }),
    seats: seats.map((entrant, seat) => ({ name: nameOf(entrant), place: places[seat] ?? 0 })),
    reason,
    turns,
    faults: faults.reduce((sum, n) => sum + n, 0),
  }))
  return (
    <>
      {kept < total && (
        <p className="note">
          This page holds the newest {figure(kept)} of {figure(total)} matches; the archive’s records.jsonl has them
          all.
        </p>
      )}
      {drawn < kept && (
        <p className="note">
          The positions of the newest {figure(drawn)} are in this page; those of the others would make it too large, and{' '}
          <code>agon replay</code> shows them.
        </p>
      )}
      <Form kind="filters flow" label="filter the matches" onSend={() => undefined}>
        <Filters filter={filter} onChange={(change) => setChosen({ ...chosen, ...change })} />
        <output>{counted(found.length, 'match', 'matches')}</output>
      </Form>
      <MatchList matches={listed} />
      {found.length > most && <Press onClick={() => setMost(most + PAGE)}>Show more</Press>}
    </>
  )
}

interface FiltersProps {
  readonly filter: Filter
  readonly onChange: (change: Partial<Filter>) => void
}

/** The filters by player and opponent, which go into the address; and by result, by what ended a match, and by faults. */
function Filters({ filter: { bot, rival, reason, faulted, result }, onChange }: FiltersProps) {
  const { document, matches, go, nameOf } = useReport()
  const reasons = [...new Set(matches.map((row) => row[3]))].sort()
  const anyone = [
    [-1, 'anyone'],
    ...document.standings.rows.map(({ entrant }) => [entrant, nameOf(entrant)] as const),
  ] as const
  const nameAt = (entrant: string | number) => document.entrants[Number(entrant)]?.name
  const choose = (one: string | number, other: string | number) =>
    go({ at: 'matches', bot: nameAt(one), rival: nameAt(one) && nameAt(other) }, true)
  const ofBot = [
    ['won', `${nameOf(bot)} first`],
    ['lost', `${nameOf(bot)} behind`],
  ] as const
  return (
    <>
      <Select label="Player" value={bot} options={anyone} onChoose={(one) => choose(one, rival)} />
      <Select label="against" value={rival} options={anyone} onChoose={(one) => choose(bot, one)} disabled={bot < 0} />
      <Select
        label="Result"
        value={result}
        options={[['', 'any'], ...(bot >= 0 ? ofBot : []), ['draw', 'shared first place']]}
        onChoose={(one) => onChange({ result: one })}
      />
      <Select
        label="Ended by"
        value={reason}
        options={[['', 'anything'], ...reasons.map((each) => [each, visible(each)] as const)]}
        onChoose={(one) => onChange({ reason: one })}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={faulted}
          onChange={(event) => onChange({ faulted: event.currentTarget.checked })}
        />
        with faults
      </label>
    </>
  )
}

function fits(
  [, seats, places, ended, , faults]: MatchRow,
  { bot, rival, reason, faulted, result }: Filter,
  teams: Teams | undefined,
): boolean {
  if (bot >= 0 && !seats.includes(bot)) return false
  if (rival >= 0 && !seats.includes(rival)) return false
  if (reason !== '' && ended !== reason) return false
  if (faulted && !faults) return false
  const firsts = firstPlaces(places, teams?.[places.length])
  const own = places[seats.indexOf(bot)]
  if (result === 'draw') return firsts > 1
  if (result === 'won') return own === 1 && firsts === 1
  return result !== 'lost' || (own !== undefined && own > 1)
}
