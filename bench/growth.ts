import { readTar, TAR_END, tarFile } from '../src/results/tar.js'
import { Queue } from '../src/engine/schedule.js'
import { conventions } from '../src/games/gunduel/conventions.js'
import { type RatedGame, bootstrap, comparisonsOf, scoredCompanies } from '../src/stats/index.js'
import { shorten } from '../src/text/index.js'
import { HARD_TEXTS, READERS } from '../test/kit/readers.js'
import { roundRobinOf } from '../test/kit/players.js'
import { type Row, quick } from './kit.js'

export const measures =
  'how many times as long it takes to read or plan 16 times as much, against 60: the square would take 256 times as long'

const TIMES = 16
const MOST = 60
/** Milliseconds: what takes less cannot be told from noise. */
const NOISE_MS = 5

type Work = () => unknown

/** Milliseconds of this process's own time, the least of some tries. */
async function least(work: Work): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < 3; n++) {
    const began = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(began)
    times.push((user + system) / 1000)
  }
  return Math.min(...times)
}

const growth = async (small: Work, large: Work): Promise<number> =>
  ((await least(large)) + NOISE_MS) / ((await least(small)) + NOISE_MS)
const row = async (name: string, small: Work, large: Work): Promise<Row> =>
  quick(name, await growth(small, large), MOST)

async function readers(length: number): Promise<Row[]> {
  const rows: Row[] = []
  for (const [name, read] of READERS) {
    let worst = 0
    for (const make of HARD_TEXTS) {
      const [short, long] = [make(length), make(TIMES * length)]
      worst = Math.max(
        worst,
        await growth(
          () => read(short),
          () => read(long),
        ),
      )
    }
    rows.push(quick(name, worst, MOST))
  }
  return rows
}

const UNENDED = [
  '/*',
  '"',
  "'",
  'R"(',
  '{',
  '}',
  '(',
  'class ',
  'class A:',
  'namespace{',
  'a::',
  '#\\\n',
  'x{},',
  'public:',
  '<',
]

async function classes(length: number): Promise<Row> {
  let worst = 0
  for (const part of UNENDED) {
    const read = (n: number) => conventions([{ file: 'A.hpp', text: part.repeat(n / part.length) }])
    worst = Math.max(
      worst,
      await growth(
        () => read(length),
        () => read(TIMES * length),
      ),
    )
  }
  return quick('classes of the gun duel', worst, MOST)
}

/** An archive of many small files, which all come in one piece. */
async function untar(files: number): Promise<void> {
  const bytes = Buffer.concat([...Array.from({ length: files }, (_, n) => tarFile(`f${n}`, Buffer.from('1'))), TAR_END])
  async function* inOnePiece() {
    yield bytes
  }
  for await (const file of readTar(inOnePiece()))
    if (file.data.length !== 1) throw new Error(`${file.name} is not whole`)
}

/** A round in which everyone waits for everyone. */
function handOut(length: number): void {
  const queue = new Queue(() => true)
  queue.add(
    Array.from({ length }, (_, i) => ({ key: `${i}`, pairings: [{ key: `${i}`, seats: [i % 17, 17], deal: 0 }] })),
  )
  let handed = 0
  for (let job = queue.take(); job !== undefined; job = queue.take(), handed++) queue.done(job)
  if (handed < length) throw new Error('a job was not handed out')
}

const GAMES: readonly RatedGame[] = roundRobinOf(30, 4).map(([a, b], n) => ({
  entrants: [a, b],
  place: n % 2 === 0 ? [1, 2] : [2, 1],
}))
const COMPANIES = scoredCompanies(comparisonsOf(GAMES))
const resample = (resamples: number) => (): unknown =>
  bootstrap(COMPANIES, (means) => means.map(([first = 0]) => first), { resamples })

/** The beginning of a text, which is all that is kept of it. */
const shortened = (length: number) => {
  const text = 'é'.repeat(length)
  return (): void => {
    for (let n = 0; n < 1000; n++) shorten(text, 100)
  }
}

export default async function bench(full: boolean): Promise<readonly Row[]> {
  return [
    ...(await readers(full ? 16 * 1024 : 4 * 1024)),
    await classes(full ? 100_000 : 20_000),
    await row(
      'archives of small files',
      () => untar(100),
      () => untar(TIMES * 100),
    ),
    await row(
      'a round handed out',
      () => handOut(2000),
      () => handOut(TIMES * 2000),
    ),
    await row('resamples of the bootstrap', resample(200), resample(TIMES * 200)),
    await row('the beginning of a text', shortened(2 ** 16), shortened(TIMES * 2 ** 16)),
  ]
}
