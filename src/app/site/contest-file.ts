import type { SiteContext } from './context.js'

/** Where the text of a hosted contest is taken to lie: its runs are known by it. */
export const contestFile = ({ workspace }: Pick<SiteContext, 'workspace'>, id: string): string =>
  `${workspace}/contests/${id}.toml`

/** As if matches on trial that workers play were those of a contest file here. */
export const trialFile = (context: Pick<SiteContext, 'workspace'>): string => contestFile(context, 'trial')
