import { join } from 'node:path'
import type { Entry } from '../../contest/index.js'
import { SOURCE_BYTES, kindOf, namesIn, removeTree, walk } from '../../files/index.js'
import { removeStaged } from '../../app/workspace.js'
import type { Context } from '../../app/context.js'
import { type SiteEntry, type SiteStore, isTaken } from '../store.js'
import { Places } from '../http/limits.js'

/** Where the files of all entries lie, and those of one. */
const sentFolders = ({ workspace }: Pick<Context, 'workspace'>): string => join(workspace, 'uploads')
export const sentFolder = (context: Pick<Context, 'workspace'>, id: string): string => join(sentFolders(context), id)

export const filesIn = (folder: string): readonly { readonly path: string; readonly bytes: number }[] =>
  [...walk(folder, { bytes: SOURCE_BYTES })].flatMap(({ path, kind, stat }) =>
    kind === 'file' ? [{ path, bytes: stat.size }] : [],
  )

/**
 * What versions of bots have staged and built is removed, aside and in pieces, once no version of that source is being checked, is the newest
 * of its bot, or is in a match; whoever needs it again stages it anew. To be closed.
 */
export class StagedVersions {
  /** By the folder of what was sent: matches and runs in which a version is. */
  private readonly used = new Places()
  private readonly stop = new AbortController()
  private work: Promise<void> = Promise.resolve()

  constructor(private readonly context: Pick<Context, 'workspace' | 'notice'> & { readonly site: SiteStore }) {}

  /** Removes what an ended process has left, also of what was sent and never came in. */
  open(): void {
    this.inTurn(async () => {
      const folders = sentFolders(this.context)
      for (const id of kindOf(folders) === 'folder' ? namesIn(folders) : [])
        if ((this.context.site.entry(id)?.state ?? 'rejected') === 'rejected')
          await removeTree(sentFolder(this.context, id), this.stop.signal)
    })
    this.sweep()
  }

  within<T>(entries: readonly Entry[], work: () => Promise<T>): Promise<T> {
    const release = this.hold(entries)
    return work().finally(release)
  }

  /** Keeps what these have staged until the function that it returns is called. */
  hold(entries: readonly Entry[]): () => void {
    const free = this.used.take(...entries.map(({ base }) => [base, Infinity] as const))
    return () => {
      free?.()
      this.sweep()
    }
  }

  /** Removes what is not needed any more, of whichever version. */
  sweep(): void {
    this.inTurn(async () => {
      const { site, workspace } = this.context
      const all = site.stagedEntries()
      const newest = new Map(all.flatMap((one) => (isTaken(one.state) ? [[botOf(one), one.id]] : [])))
      const isNeeded = (one: SiteEntry): boolean =>
        one.state === 'building' ||
        newest.get(botOf(one)) === one.id ||
        this.used.count(sentFolder(this.context, one.id)) > 0
      const needed = new Set(all.filter(isNeeded).map(({ source }) => source))
      const sources = [...new Set(all.map(({ source = '' }) => source))].filter((source) => !needed.has(source))
      // Nothing is waited for until all are aside: meanwhile a version may come that needs one.
      await Promise.all(
        sources.map((source) => {
          site.forgetSource(source)
          return removeStaged(workspace, source, this.stop.signal)
        }),
      )
    })
  }

  /** Resolves once all that was to be removed until now is. */
  settled(): Promise<void> {
    return this.work
  }

  async close(): Promise<void> {
    this.stop.abort()
    await this.work
  }

  private inTurn(work: () => Promise<void>): void {
    this.work = this.work
      .then(() => (this.stop.signal.aborted ? undefined : work()))
      .catch((error: unknown) => this.context.notice(`what versions have staged is not removed: ${String(error)}`))
  }
}

const botOf = ({ contest, name }: SiteEntry): string => JSON.stringify([contest, name])
