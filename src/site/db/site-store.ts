import type { MatchRecord } from '../../core/index.js'
import type { Exclusion, SqliteFile } from '../../store/index.js'
import {
  type Contestant,
  type EntryInfo,
  type HostedContest,
  type SiteEntry,
  type SiteEvent,
  type SiteExclusion,
  holdsName,
} from './data.js'
import { openSiteFile } from './open.js'
import { Remembered } from './remembered.js'
import type { ContestChange, EntryChange, SiteStore } from './port.js'

/** Opens what the site of a workspace knows, made where there is nothing yet. Throws UserError. */
export function openSiteStore(workspace: string): SiteStore {
  const db = openSiteFile(workspace)
  return {
    ...contestsIn(db),
    ...contestantsIn(db),
    ...entriesIn(db),
    ...exclusionsIn(db),
    ...sittingsIn(db),
    ...eventsIn(db),

    hostHash: async () => db.get<{ hash: string }>('SELECT hash FROM host')?.hash,
    async setHostHash(hash) {
      db.write(() => db.run('INSERT OR REPLACE INTO host (one, hash) VALUES (1, ?)', hash))
    },
    close: () => db.close(),
  }
}

interface ContestRow extends Omit<HostedContest, 'why' | 'run'> {
  readonly why: string | null
  readonly run: string | null
}
const CONTEST = 'id, toml, title, game, seed, created, state, why, run, revision'

const contestOf = ({ why, run, ...row }: ContestRow): HostedContest => ({
  ...row,
  why: why ?? undefined,
  run: run ?? undefined,
})

function contestsIn(db: SqliteFile): Pick<SiteStore, 'addContest' | 'contests' | 'contest' | 'changeContest'> {
  const find = (id: string): HostedContest | undefined => {
    const row = db.get<ContestRow>(`SELECT ${CONTEST} FROM contest WHERE id = ?`, id)
    return row && contestOf(row)
  }
  return {
    async addContest({ id, toml, title, game, seed, created, state, why, run, revision }) {
      db.write(() =>
        db.run(
          `INSERT INTO contest (${CONTEST}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          id,
          toml,
          title,
          game,
          seed,
          created,
          state,
          why ?? null,
          run ?? null,
          revision,
        ),
      )
    },
    contests: async () => db.all<ContestRow>(`SELECT ${CONTEST} FROM contest ORDER BY number DESC`).map(contestOf),
    contest: async (id) => find(id),
    changeContest: async (id, change: ContestChange, only) =>
      db.write(() => {
        const before = find(id)
        if (before === undefined) throw new Error(`${db.file} holds no contest ${id}`)
        if (only !== undefined && before.revision !== only) return false
        const { state, why = null, run, revision, toml, title } = { ...before, ...change }
        db.run(
          'UPDATE contest SET state = ?, why = ?, run = ?, revision = ?, toml = ?, title = ? WHERE id = ?',
          state,
          why,
          run ?? null,
          revision,
          toml,
          title,
          id,
        )
        return true
      }),
  }
}

interface ContestantRow extends Omit<Contestant, 'revoked'> {
  readonly revoked: string | null
}
const CONTESTANT = 'number, contest, name, made, revoked'

const contestantOf = ({ revoked, ...row }: ContestantRow): Contestant => ({
  ...row,
  revoked: revoked ?? undefined,
})

function contestantsIn(
  db: SqliteFile,
): Pick<SiteStore, 'addContestant' | 'renewContestant' | 'revokeContestant' | 'contestantByHash' | 'contestants'> {
  const all = new Remembered(db, (contest) =>
    db
      .all<ContestantRow>(`SELECT ${CONTESTANT} FROM contestant WHERE contest = ? ORDER BY number`, contest)
      .map(contestantOf),
  )
  return {
    addContestant: async (contest, name, hash, made, alike = (one, other) => one === other) =>
      db.write(() => {
        const there = db.all<{ name: string }>('SELECT name FROM contestant WHERE contest = ?', contest)
        if (there.some((one) => alike(one.name, name))) return undefined
        const { id } = db.run(
          'INSERT INTO contestant (contest, name, hash, made) VALUES (?, ?, ?, ?)',
          contest,
          name,
          hash,
          made,
        )
        return { number: id, contest, name, made }
      }),
    renewContestant: async (contest, name, hash, made) =>
      db.write(
        () =>
          db.run(
            'UPDATE contestant SET hash = ?, made = ?, revoked = NULL WHERE contest = ? AND name = ?',
            hash,
            made,
            contest,
            name,
          ).changes > 0,
      ),
    revokeContestant: async (contest, name, revoked) =>
      db.write(
        () =>
          db.run('UPDATE contestant SET revoked = ? WHERE contest = ? AND name = ?', revoked, contest, name).changes >
          0,
      ),
    async contestantByHash(hash) {
      const row = db.get<ContestantRow>(`SELECT ${CONTESTANT} FROM contestant WHERE hash = ? AND revoked IS NULL`, hash)
      return row && contestantOf(row)
    },
    contestants: async (contest) => all.of(contest),
  }
}

interface EntryRow extends Omit<SiteEntry, 'hash'> {
  readonly hash: string | null
}
const INFO = 'id, contest, contestant, name, version, state, spec, bytes, created, hash'
const ENTRY = `${INFO}, log`

const entryOf = ({ hash, ...row }: EntryRow): SiteEntry => ({ ...row, hash: hash ?? undefined })
const infoOf = ({ hash, ...row }: Omit<EntryRow, 'log'>): EntryInfo => ({ ...row, hash: hash ?? undefined })

const infosIn = (db: SqliteFile, contest: string): readonly EntryInfo[] =>
  db.all<Omit<EntryRow, 'log'>>(`SELECT ${INFO} FROM entry WHERE contest = ? ORDER BY number`, contest).map(infoOf)

const exclusionsOf = (db: SqliteFile, contest: string): readonly SiteExclusion[] =>
  db
    .all<Exclusion & { readonly back: number | null }>(
      'SELECT name, status, treatment, why, back FROM exclusion WHERE contest = ? ORDER BY name',
      contest,
    )
    .map(({ back, ...row }) => ({ ...row, back: back ?? undefined }))

const WITHDRAWN = "contest = ? AND name = ? AND status = 'withdrawn'"

/** A version was sent: a bot that is withdrawn is back once it is taken. */
const comesBack = (db: SqliteFile, { contest, name, version }: EntryInfo): unknown =>
  db.run(`UPDATE exclusion SET back = ? WHERE ${WITHDRAWN} AND back IS NULL`, version, contest, name)

/** A version was taken: a bot that was withdrawn before it was sent is back. */
const isBack = (db: SqliteFile, { contest, name, version }: EntryInfo): unknown =>
  db.run(`DELETE FROM exclusion WHERE ${WITHDRAWN} AND back <= ?`, contest, name, version)

function entriesIn(db: SqliteFile): Pick<SiteStore, 'addEntry' | 'entry' | 'entries' | 'versions' | 'changeEntry'> {
  const find = (id: string): SiteEntry | undefined => {
    const row = db.get<EntryRow>(`SELECT ${ENTRY} FROM entry WHERE id = ?`, id)
    return row && entryOf(row)
  }
  const infos = new Remembered(db, (contest) => infosIn(db, contest))
  return {
    addEntry: async (entry, refuse) =>
      db.write(() => {
        const { id, contest, contestant, name, state, log, spec, bytes, created, hash } = entry
        const all = infosIn(db, contest)
        refuse?.(all, exclusionsOf(db, contest))
        const before = all.filter((one) => one.name === name)
        if (before.some((one) => holdsName(one) && one.contestant !== contestant)) return undefined
        const version = Math.max(0, ...before.map((one) => one.version)) + 1
        const added = { ...entry, version }
        db.run(
          `INSERT INTO entry (${ENTRY}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          id,
          contest,
          contestant,
          name,
          version,
          state,
          spec,
          bytes,
          created,
          hash ?? null,
          log,
        )
        comesBack(db, added)
        if (state !== 'building') isBack(db, added)
        return added
      }),
    entry: async (id) => find(id),
    entries: async (contest) => infos.of(contest),
    versions: async (contest) =>
      db.all<{ name: string; version: number; hash: string }>(
        'SELECT name, version, hash FROM entry WHERE contest = ? AND hash IS NOT NULL ORDER BY number',
        contest,
      ),
    async changeEntry(id, change: EntryChange) {
      db.write(() => {
        const before = find(id)
        if (before === undefined) throw new Error(`${db.file} holds no entry ${id}`)
        const { state, log, hash } = { ...before, ...change }
        db.run('UPDATE entry SET state = ?, log = ?, hash = ? WHERE id = ?', state, log, hash ?? null, id)
        if (before.state === 'building' && state === 'playing') isBack(db, before)
      })
    },
  }
}

function exclusionsIn(db: SqliteFile): Pick<SiteStore, 'exclusions' | 'exclude'> {
  return {
    exclusions: async (contest) => exclusionsOf(db, contest),
    async exclude(contest, { name, status, treatment, why }) {
      db.write(() =>
        db.run(
          'INSERT OR REPLACE INTO exclusion (contest, name, status, treatment, why) VALUES (?, ?, ?, ?, ?)',
          contest,
          name,
          status,
          treatment,
          why,
        ),
      )
    },
  }
}

/** People's matches that are kept. */
const SITTINGS = 20_000

function sittingsIn(db: SqliteFile): Pick<SiteStore, 'addSitting' | 'sitting'> {
  return {
    async addSitting(id, game, record) {
      db.write(() => {
        const { id: number } = db.run(
          'INSERT INTO sitting (id, game, ended, record) VALUES (?, ?, ?, ?)',
          id,
          game,
          new Date().toISOString(),
          JSON.stringify(record),
        )
        db.run('DELETE FROM sitting WHERE number <= ?', number - SITTINGS)
      })
    },
    sitting: async (id) => {
      const row = db.get<{ record: string }>('SELECT record FROM sitting WHERE id = ?', id)
      return row && db.parse<MatchRecord>(row.record)
    },
  }
}

function eventsIn(db: SqliteFile): Pick<SiteStore, 'addEvent' | 'eventsAfter' | 'newestEvent'> {
  return {
    addEvent: async (contest, kind, data) =>
      db.write(
        () =>
          db.run('INSERT INTO event (contest, kind, data) VALUES (?, ?, ?)', contest, kind, JSON.stringify(data)).id,
      ),
    eventsAfter: async (contest, id, limit) =>
      db
        .all<Omit<SiteEvent, 'data'> & { data: string }>(
          'SELECT id, contest, kind, data FROM event WHERE contest = ? AND id > ? ORDER BY id LIMIT ?',
          contest,
          id,
          limit,
        )
        .map((row) => ({ ...row, data: db.parse(row.data) })),
    newestEvent: async (contest) =>
      db.get<{ id: number | null }>('SELECT max(id) AS id FROM event WHERE contest = ?', contest)?.id ?? 0,
  }
}
