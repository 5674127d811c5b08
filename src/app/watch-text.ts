import { visible, visibleLines } from '../core/index.js'
import { signed } from '../text/index.js'
import type { Duel } from './duel.js'
import type { WatchEvent } from './watch.js'

/** What is printed of a watched bot, for people; undefined: nothing. */
export function watchText(news: WatchEvent): string | undefined {
  switch (news.type) {
    case 'watching':
      return `watching ${news.bots.map(visible).join(', ')}: save a bot, and it is checked and plays its version of before; Ctrl-C ends`
    case 'new':
      return `${visible(news.bot)} is new`
    case 'saved':
      return `\n${visible(news.bot)} was saved`
    case 'step':
      return news.step.ok
        ? undefined
        : [`  FAILED ${news.step.name}`, ...news.step.lines.map((line) => `    ${line}`)].join('\n')
    case 'checked': {
      const { ok, plays, covered } = news.checked
      if (ok) return `  speaks the wire: ${covered.questions} questions in ${covered.matches} matches, no fault`
      return plays ? '  plays, with the faults above' : '  does not play: its version of before stays the one to beat'
    }
    case 'duelled':
      return `  ${duelLine(news.duel)}`
    case 'trouble':
      return `  ${visible(news.bot)}: ${visibleLines(news.why)}`
  }
}

/** 'against its version of before: 12 won, 3 drawn, 5 lost: better (+40 Elo, 95 %: +10 to +71)'. */
function duelLine({ score: [won, drawn, lost], fixed, elo }: Duel): string {
  const verdict = fixed
    ? `${compared(won - lost, 'no difference')}: each game is the same again`
    : `${compared(Math.max(elo.low, 0) + Math.min(elo.high, 0), 'not distinguishable yet')} (${eloWords(elo)})`
  return `against its version of before: ${won} won, ${drawn} drawn, ${lost} lost: ${verdict}`
}

const compared = (lead: number, level: string): string => (lead > 0 ? 'better' : lead < 0 ? 'worse' : level)

/** The difference with its interval. Where one side lost no game, games bound it on one side only: the bound alone, and no estimate. */
function eloWords({ rating, low, high }: Duel['elo']): string {
  if (low === -Infinity && high === Infinity) return 'Elo unknown'
  if (low === -Infinity) return `below ${signed(high)} Elo, 95 %`
  if (high === Infinity) return `above ${signed(low)} Elo, 95 %`
  return `${signed(rating)} Elo, 95 %: ${signed(low)} to ${signed(high)}`
}
