import { compareVersions, diffText } from '../app/compare/diff.js'
import { findTwins, twinsDocument, twinsText } from '../app/compare/twins.js'
import { endBotsOnSignals } from './exit.js'
import { GAMED, ISOLATION, JSON_DOCUMENT, contextOf, isolationOf } from './options.js'
import { printEither } from './terminal.js'
import { count, value, verb } from './verb.js'

export const diffCommand = verb({
  takes: [
    ['<contest>', 'a contest: its latest run'],
    ['<old>', 'the name of an entrant in it'],
    ['<new>', "its new version: a file, a quoted command, or a house bot's name"],
  ],
  options: {
    ...GAMED,
    ...ISOLATION,
    wire: value('<name>', 'the wire of the new version'),
    ...JSON_DOCUMENT,
  },
  help: `
agon replays every match of the old version in the run to the new one: it gets the
same messages and questions, whatever it answers. agon shows the first move of each
match that differs.

Examples:
  agon diff friday.toml Ant "python3 new/ant.py"
  agon diff samurai Hedgehog ./hedgehog --json | jq '.differing[].turn'`,
  async run(given, contest: string, old: string, word: string) {
    endBotsOnSignals()
    const options = { ...given, ...isolationOf(given) }
    const compared = await compareVersions({ contest, old, word }, options, contextOf(given))
    printEither(given, compared, () => diffText(compared, '--json'))
  },
})

export const twinsCommand = verb({
  takes: [['<contest>', 'a contest file (.toml), or the name of a game, that has been run']],
  options: {
    ...GAMED,
    ...ISOLATION,
    views: value('<n>', 'positions that every bot answers', count, 200),
    ...JSON_DOCUMENT,
  },
  help: `
agon replays the same matches of the latest run to every bot of the contest, in the
same seats, and compares their moves. p is the probability that two bots agree as
often because of their habits and skill alone, times the number of pairs. A low p
says that behaviour is alike, not why: two authors may have read the same article.
It does not prove copying.

Examples:
  agon twins friday.toml
  agon twins samurai --views 1000 --json`,
  async run(given, ref: string) {
    endBotsOnSignals()
    const twins = await findTwins(ref, { ...given, ...isolationOf(given) }, contextOf(given))
    printEither(given, twinsDocument(twins), () => twinsText(twins))
  },
})
