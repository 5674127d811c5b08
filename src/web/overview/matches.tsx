import { useState } from 'react'
import { firstPlaces, visible } from '../../core/index.js'
import type { MatchRow, ReportDocument } from '../document.js'
import { counted, figure, teamsIn } from '../format.js'
import { MatchList } from '../match-list.js'
import { Flag, Form, Press, Select } from '../parts.js'
import { type PageState, useReport } from '../shared.js'

const PAGE = 40

export function Matches() {
  const { document, matches, place, href, nameOf } = useReport()
  const [most, setMost] = useState(PAGE)
  const found = matches.filter((row) => fits(row, place, document))
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
        <Filters />
        <output>{counted(found.length, 'match', 'matches')}</output>
      </Form>
      <MatchList matches={listed} />
      {found.length > most && <Press onClick={() => setMost(most + PAGE)}>Show more</Press>}
    </>
  )
}

/** The filters, which go into the address: by player and opponent, by result, by what ended a match, and by faults. */
function Filters() {
  const { document, matches, place, go, nameOf } = useReport()
  const { bot = '', rival = '', result = '', reason = '', faulted = false } = place
  const reasons = [...new Set(matches.map((row) => row[3]))].sort()
  const names = document.standings.rows.map(
    ({ entrant }) => [document.entrants[entrant]?.name ?? '', nameOf(entrant)] as const,
  )
  const anyone = [['', 'anyone'], ...names] as const
  const choose = (change: Partial<PageState>) => go({ ...place, at: 'matches', ...change }, true)
  const ofBot = [
    ['won', `${visible(bot)} first`],
    ['lost', `${visible(bot)} behind`],
  ] as const
  return (
    <>
      <Select
        label="Player"
        value={bot}
        options={anyone}
        onChoose={(one) => choose(one === '' ? { bot: one, rival: '' } : { bot: one })}
      />
      <Select
        label="against"
        value={rival}
        options={anyone}
        onChoose={(one) => choose({ rival: one })}
        disabled={bot === ''}
      />
      <Select
        label="Result"
        value={result}
        options={[['', 'any'], ...(bot === '' ? [] : ofBot), ['draw', 'shared first place']]}
        onChoose={(one) => choose({ result: one })}
      />
      <Select
        label="Ended by"
        value={reason}
        options={[['', 'anything'], ...reasons.map((each) => [each, visible(each)] as const)]}
        onChoose={(one) => choose({ reason: one })}
      />
      <Flag label="with faults" checked={faulted} onCheck={(checked) => choose({ faulted: checked || undefined })} />
    </>
  )
}

function fits([, seats, places, ended, , faults]: MatchRow, place: PageState, document: ReportDocument): boolean {
  const { bot, rival, reason, faulted, result } = place
  const seatOf = (name: string): number => seats.findIndex((entrant) => document.entrants[entrant]?.name === name)
  if (bot && seatOf(bot) < 0) return false
  if (rival && seatOf(rival) < 0) return false
  if (reason && ended !== reason) return false
  if (faulted && !faults) return false
  const firsts = firstPlaces(places, teamsIn(document)?.[places.length])
  const own = bot ? places[seatOf(bot)] : undefined
  if (result === 'draw') return firsts > 1
  if (result === 'won') return own === 1 && firsts === 1
  return result !== 'lost' || (own !== undefined && own > 1)
}
