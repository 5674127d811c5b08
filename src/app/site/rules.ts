import type { SiteRules } from '../../core/index.js'
import { parseHosted } from '../../contest/parse.js'
import type { HostedContest } from '../../store/index.js'
import { contestFile } from './site-files.js'
import type { SiteContext } from './context.js'

/** What a contest says to its site. Its text never changes, so it is read once. */
export async function rulesOf(context: SiteContext, { id, toml }: HostedContest): Promise<SiteRules> {
  const known = read.get(toml)
  if (known !== undefined) return known
  const { contest } = await parseHosted(toml, contestFile(context, id), context.games)
  const rules = contest.site ?? {}
  if (read.size > MOST) read.clear()
  read.set(toml, rules)
  return rules
}

const read = new Map<string, SiteRules>()
/** Contests whose rules are kept in memory. */
const MOST = 1000
