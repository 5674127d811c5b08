import { visible, visibleLines } from '../core/index.js'
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

/** 'against its version of before: 12 won, 3 drawn, 5 lost: better (40 Elo, 10 to 71)'. */
function duelLine({ score: [won, drawn, lost], test, elo }: Duel): string {
  const elos = `${Math.round(elo.rating)} Elo, 95 %: ${Math.round(elo.low)} to ${Math.round(elo.high)}`
  const verdict =
    won === lost && test.distinct <= 2
      ? 'no difference: each game is the same again'
      : elo.low > 0
        ? `better (${elos})`
        : elo.high < 0
          ? `worse (${elos})`
          : `not distinguishable yet (${elos})`
  return `against its version of before: ${won} won, ${drawn} drawn, ${lost} lost: ${verdict}`
}
