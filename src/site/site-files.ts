import type { Context } from '../app/context.js'

/* Where a site's workspace keeps what. */

/** Where the text of a hosted contest is taken to lie: its runs are known by it. */
export const contestFile = ({ workspace }: Pick<Context, 'workspace'>, id: string): string =>
  `${workspace}/contests/${id}.toml`

/** As if matches on trial that workers play were those of a contest file here. */
export const trialFile = (context: Pick<Context, 'workspace'>): string => contestFile(context, 'trial')

/** Where the files of an entry lie. */
export const sentFolder = ({ workspace }: Pick<Context, 'workspace'>, id: string): string =>
  `${workspace}/uploads/${id}`

/** The folders of both. */
export const siteFolders = ({ workspace }: Pick<Context, 'workspace'>): readonly string[] =>
  ['contests', 'uploads'].map((name) => `${workspace}/${name}`)
