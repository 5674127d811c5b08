import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Ended, type Running, startAgon } from './agon-process.js'
import type { TestServer } from './postgres.js'

/*
 * A contest on several machines, which is to come to what it comes to on one, whichever process dies or stands still meanwhile. Its bots draw by
 * their seeds, so that a table and its records show with what luck each match was played.
 */

const BOTS = ['GPB', 'GGW', 'GGGB', 'OIGB']
const SCRIPT = `sleep 0.03; letters=$1; n=$((AGON_SEED % \${#letters})); while [ $n -gt 0 ]; do letters=\${letters#?}; n=$((n - 1)); done
echo "\${letters%"\${letters#?}"}"\n`
const CONTEST = `title = "Many"\ngame = "samurai"\nseed = "machines"\n[options]\nturns = 4\n[format]\nkind = "last-standing"\nrepetitions = 6\n${BOTS.map(
  (letters) => `[[entrants]]\nname = "Bot ${letters}"\ncommand = ["sh", "bot.sh", "${letters}"]\n`,
).join('')}`

/** What is done to a run: kill -9 of one of its processes or of all, or a worker that is stopped, and goes on once the run has ended. */
export const BLOWS = ['worker', 'coordinator', 'server', 'all', 'frozen'] as const
export type Blow = (typeof BLOWS)[number]

/** The table and the records of a run, without the times that it took. */
export interface Came {
  readonly standings: unknown
  readonly matches: number
  readonly records: readonly unknown[]
}

/** Numbers from 0 to below 1, the same for the same seed. */
export function seeded(seed: string): () => number {
  let n = 0
  return () => createHash('sha256').update(`${seed} ${n++}`).digest().readUInt32BE() / 2 ** 32
}

/** A folder with the contest `c.toml` and its bots, in which it is run. */
export class ManyMachines {
  constructor(
    private readonly folder: string,
    files: Readonly<Record<string, string>> = { 'bot.sh': SCRIPT, 'c.toml': CONTEST },
  ) {
    mkdirSync(folder, { recursive: true })
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  }

  /** Starts agon with a workspace of its own. */
  start(workspace: string, ...words: readonly string[]): Running {
    return startAgon(this.folder, words, { AGON_WORKSPACE: join(this.folder, workspace) })
  }

  run(workspace: string, out: string, ...words: readonly string[]): Running {
    return this.start(workspace, 'run', 'c.toml', '--out', out, '--json', ...words)
  }

  worker(workspace: string, url: string): Running {
    return this.start(workspace, 'worker', '--store', url, '--slots', '1', '--json')
  }

  came({ stdout }: Ended, out: string): Came {
    const { standings, matches } = JSON.parse(stdout) as Pick<Came, 'standings' | 'matches'>
    const lines = readFileSync(join(this.folder, out, 'records.jsonl'), 'utf8')
      .trim()
      .split('\n')
    const plain = lines.map((line) => ({ ...(JSON.parse(line) as { key: string }), times: undefined, at: undefined }))
    return { standings, matches, records: plain.sort((a, b) => (a.key < b.key ? -1 : 1)) }
  }

  /** What it comes to on this machine alone. Throws where it does not. */
  async whole(): Promise<Came> {
    const ended = await this.run('alone', 'alone').ended
    if (ended.status !== 0) throw new Error(ended.stderr)
    return this.came(ended, 'alone')
  }
}

/** Matches that lie in a database. */
export async function storedMatches(server: TestServer, url: string): Promise<number> {
  const database = new URL(url).pathname.slice(1)
  const there = await server.query<{ t: string | null }>(database, "select to_regclass('agon1.match')::text as t")
  if (there[0]?.t === null) return 0
  return Number((await server.query<{ n: string }>(database, 'select count(*) as n from agon1.match'))[0]?.n)
}

/** How a run ended that was dealt blows. */
export interface KilledRun {
  readonly came: Came
  /** Matches in the store when the run had ended, and when those that stood still had gone on and ended. */
  readonly stored: readonly [number, number]
  /** Exit codes of the workers that were asked to end. */
  readonly statuses: readonly (number | null)[]
  /** Matches in the store at each blow. */
  readonly at: readonly number[]
}

/** Two workers play the contest on a server, which no other test uses, and are dealt these blows, at moments that the seed decides. */
export async function killedRun(
  machines: ManyMachines,
  server: TestServer,
  { seed, blows, total }: { readonly seed: string; readonly blows: readonly Blow[]; readonly total: number },
): Promise<KilledRun> {
  const run = new Blows(machines, server, await server.database(), seed)
  const random = seeded(seed)
  try {
    run.begin()
    for (const [i, blow] of blows.entries()) {
      // Each in a part of the run of its own, none of them at its very end.
      await run.reach((0.9 * total * (i + random())) / blows.length)
      await run.deal(blow, random)
    }
    return await run.end()
  } finally {
    run.killAll()
  }
}

class Blows {
  private readonly alive: Running[] = []
  private readonly frozen: Running[] = []
  private readonly at: number[] = []
  private boss: Running | undefined
  private isOver = false
  private made = 0

  constructor(
    private readonly machines: ManyMachines,
    private readonly server: TestServer,
    private readonly url: string,
    private readonly name: string,
  ) {}

  begin(): void {
    for (let n = 0; n < 2; n++) this.addWorker()
    this.coordinate()
  }

  /** Waits until so many matches are stored, or the run has ended. */
  async reach(matches: number): Promise<void> {
    while (!this.isOver && (await storedMatches(this.server, this.url)) < matches)
      await new Promise((done) => setTimeout(done, 30))
  }

  async deal(blow: Blow, random: () => number): Promise<void> {
    this.at.push(await storedMatches(this.server, this.url))
    const isAll = blow === 'all'
    if (isAll || blow === 'worker' || blow === 'frozen') {
      const struck = isAll ? this.alive.splice(0) : this.alive.splice(Math.floor(random() * this.alive.length), 1)
      for (const one of struck) one.signal(blow === 'frozen' ? 'SIGSTOP' : 'SIGKILL')
      if (blow === 'frozen') this.frozen.push(...struck)
    }
    if (isAll || blow === 'coordinator') {
      this.boss?.signal('SIGKILL')
      await this.boss?.ended
    }
    if (isAll || blow === 'server') {
      await this.server.kill()
      await this.server.up()
    }
    while (this.alive.length < 2) this.addWorker()
    if (isAll || blow === 'coordinator') this.coordinate('--resume')
  }

  async end(): Promise<KilledRun> {
    const { server, url, frozen, alive } = this
    const ended = await this.boss?.ended
    if (ended?.status !== 0) throw new Error(`the run ended with ${ended?.status}: ${ended?.stderr}`)
    const came = this.machines.came(ended, this.name)
    const stored = await storedMatches(server, url)
    for (const one of frozen) one.signal('SIGCONT')
    // One that has just taken another's place may still be starting, and knows nothing of signals yet.
    await Promise.all([...frozen, ...alive].map((one) => one.printed('{"id"')))
    for (const one of [...frozen, ...alive]) one.signal('SIGTERM')
    const statuses = (await Promise.all([...frozen, ...alive].map((one) => one.ended))).map(({ status }) => status)
    return { came, stored: [stored, await storedMatches(server, url)], statuses, at: this.at }
  }

  killAll(): void {
    for (const one of [this.boss, ...this.alive, ...this.frozen]) one?.signal('SIGKILL')
  }

  private addWorker(): void {
    this.alive.push(this.machines.worker(`${this.name}-worker-${this.made++}`, this.url))
  }

  private coordinate(...words: readonly string[]): void {
    const boss = this.machines.run(`${this.name}-boss`, this.name, '--store', this.url, '--workers-only', ...words)
    this.boss = boss
    void boss.ended.then(() => (this.isOver = this.boss === boss))
  }
}
