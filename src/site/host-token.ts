import { openSiteStore } from './db/site-store.js'
import type { Context } from '../app/context.js'
import { requireStore } from '../app/open-store.js'
import { renewHostToken } from './tokens.js'

/** Makes a new token for the host of a workspace's site, also while it is served. Throws UserError where there is no workspace. */
export async function renewedHostToken({ workspace, server }: Context): Promise<string> {
  // A site's own file lies in the workspace also where its matches are kept on a server.
  if (server === undefined) requireStore(workspace)
  const site = openSiteStore(workspace)
  try {
    return await renewHostToken(site)
  } finally {
    site.close()
  }
}
