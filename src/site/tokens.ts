import { createHash, randomBytes } from 'node:crypto'
import type { SiteStore } from './db/site-store.js'

/** Who asks. A contestant is one of a single contest. */
export type Caller =
  | { readonly role: 'anonymous' }
  | { readonly role: 'contestant'; readonly number: number; readonly contest: string; readonly name: string }
  | { readonly role: 'host' }

/** A token that cannot be guessed: 256 bits. The letter says whose it is, for people who find one. */
const fresh = (whose: 'h' | 'c'): string => `agon_${whose}_${randomBytes(32).toString('base64url')}`

/** What is kept of a token. It has as many bits as its hash, so nothing is gained by a slow one. */
const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** A contestant's new token, with what is kept of it. */
export function newContestantToken(): { readonly token: string; readonly hash: string } {
  const token = fresh('c')
  return { token, hash: hashOfToken(token) }
}

/** Makes a new token for the host; the one before it is worth nothing from then on. */
export async function renewHostToken(site: Pick<SiteStore, 'setHostHash'>): Promise<string> {
  const token = fresh('h')
  await site.setHostHash(hashOfToken(token))
  return token
}

/** The host's token where there was none yet; undefined: there is one already, of which only the hash is kept. */
export async function firstHostToken(site: Pick<SiteStore, 'hostHash' | 'setHostHash'>): Promise<string | undefined> {
  return (await site.hostHash()) === undefined ? renewHostToken(site) : undefined
}

/** Whose token this is; undefined: it is unknown. Hashes are compared, so the time that it takes shows nothing of a token. */
export async function callerOf(site: SiteStore, token: string): Promise<Caller | undefined> {
  const hash = hashOfToken(token)
  if (hash === (await site.hostHash())) return { role: 'host' }
  const contestant = await site.contestantByHash(hash)
  return contestant && { role: 'contestant', ...contestant }
}

/** An id that cannot be guessed, for what is found by its address alone. */
export const freshId = (): string => randomBytes(12).toString('base64url')
