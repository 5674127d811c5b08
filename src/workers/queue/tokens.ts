import { createHash, randomBytes } from 'node:crypto'
import { UserError, command, message, option } from '../../core/index.js'
import type { Transaction } from '../../store/index.js'

/*
 * Tokens of workers. Theory of operation.
 *
 * As long as the host has made no token, every worker with the database's password may play. Once there is one, a worker needs a token that is
 * known and not revoked: to come, at each sign of life, and in the very transaction that stores what it played. A run looks only at
 * workers that have come with a token, and takes back what any other one stores. The store keeps a SHA-256 of each token, and
 * no token. The worker of a run's own process has one that the run makes, for as long as it goes on.
 */

/** How a token begins, so that one is recognised where it should not be. */
const PREFIX = 'agonw-'
const BYTES = 24
const NAME = /^[A-Za-z0-9][\w.-]{0,79}$/

/** A token as the host sees it. */
export interface TokenInfo {
  readonly name: string
  /** ISO 8601. */
  readonly made: string
  readonly revoked?: string
}

/** How a worker's token stands in the store. */
export interface TokenCheck {
  /** Workers need one. */
  readonly required: boolean
  /** Of a token that is known and not revoked. */
  readonly name: string | undefined
}

/** Selects `required`: whether workers need a token. */
export const REQUIRED = 'EXISTS (SELECT 1 FROM agon.worker_token WHERE run IS NULL)'

export class Tokens {
  constructor(private readonly sql: Pick<Transaction, 'query'>) {}

  /** Makes a token, which can be read now and never again. Throws UserError for a name that is taken, or none. */
  async issue(name: string): Promise<string> {
    if (!NAME.test(name))
      throw new UserError(
        message`${option('newToken', name)}: a token's name consists of letters, digits, dots and dashes, such as room-12`,
      )
    const token = await this.add(name, null)
    if (token === undefined)
      throw new UserError(
        message`the name ${name} is or was another token's: choose another name with ${option('newToken', 'NAME')}`,
      )
    return token
  }

  /** Makes a token for a run's own worker, and removes those that killed runs left. */
  async issueOwn(worker: string, run: string): Promise<string> {
    await this.sql.query(
      `DELETE FROM agon.worker_token t WHERE run IS NOT NULL AND made < now() - interval '1 hour'
       AND NOT EXISTS (SELECT 1 FROM agon.worker w WHERE w.id = t.name AND w.heard > now() - interval '1 hour')`,
    )
    const token = await this.add(worker, run)
    if (token === undefined) throw new Error(`there is a token of ${worker} already`)
    return token
  }

  async removeOwn(worker: string): Promise<void> {
    await this.sql.query('DELETE FROM agon.worker_token WHERE name = $1 AND run IS NOT NULL', [worker])
  }

  /** Makes a token invalid at once. Throws UserError where there is none of that name. */
  async revoke(name: string): Promise<void> {
    const { rowCount } = await this.sql.query(
      'UPDATE agon.worker_token SET revoked = coalesce(revoked, now()) WHERE name = $1 AND run IS NULL',
      [name],
    )
    if (rowCount !== 1)
      throw new UserError(message`there is no token ${name}: ${command('workers')} ${option('tokens')} lists them`)
  }

  /** Removes all tokens: workers need none any more. */
  async removeAll(): Promise<void> {
    await this.sql.query('DELETE FROM agon.worker_token WHERE run IS NULL')
  }

  /** Those that the host made, the oldest first. */
  async list(): Promise<readonly TokenInfo[]> {
    const { rows } = await this.sql.query<{ name: string; made: Date; revoked: Date | null }>(
      'SELECT name, made, revoked FROM agon.worker_token WHERE run IS NULL ORDER BY made, name',
    )
    return rows.map(({ name, made, revoked }) => ({
      name,
      made: made.toISOString(),
      revoked: revoked ? revoked.toISOString() : undefined,
    }))
  }

  async admission(token: string | undefined): Promise<TokenCheck> {
    const { rows } = await this.sql.query<{ required: boolean; name: string | null }>(
      `SELECT ${REQUIRED} AS required, (SELECT name FROM agon.worker_token WHERE hash = $1 AND revoked IS NULL) AS name`,
      [token === undefined ? null : hashOf(token)],
    )
    const { required = false, name = null } = rows[0] ?? {}
    return { required, name: name ?? undefined }
  }

  /** Undefined: the name is taken. */
  private async add(name: string, run: string | null): Promise<string | undefined> {
    const token = PREFIX + randomBytes(BYTES).toString('base64url')
    const { rowCount } = await this.sql.query(
      'INSERT INTO agon.worker_token (name, hash, run) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING',
      [name, hashOf(token), run],
    )
    return rowCount === 1 ? token : undefined
  }
}

/** Why a worker gets no batches; undefined: it gets some. */
export function refusalOf({ required, name }: TokenCheck, token: string | undefined): string | undefined {
  if (!required || name !== undefined) return undefined
  return token === undefined
    ? 'this store asks workers for a token'
    : 'its token is not known to this store, or was revoked'
}

/** A token has the entropy of 24 random bytes: a plain hash hides it. */
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
