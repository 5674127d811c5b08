import type { SiteContext } from './context.js'

/** Where the text of a hosted contest is taken to lie: its runs are known by it. */
export const contestFile = ({ workspace }: Pick<SiteContext, 'workspace'>, id: string): string =>
  `${workspace}/contests/${id}.toml`
