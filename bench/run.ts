import { readdirSync } from 'node:fs'
import type { Bench, Row } from './kit.js'

/** Every other file of this folder is a benchmark of its name. */
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts' && file !== 'kit.ts')
  .map((file) => file.slice(0, -3))
const load = async (name: string): Promise<Bench> => (await import(`./${name}.ts`)) as Bench

function table(rows: readonly Row[]): string {
  const figure = (value: number | null): string =>
    value === null ? '–' : value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 2 : 0 })
  const simulated = rows.some(({ error }) => error !== undefined)
  const cells = rows.map(({ name, value, limit, ratio, goal, error }) => {
    const verdict = ratio === null || goal === null ? '' : ratio >= goal ? 'reached' : 'missed'
    const exactly = (x: number | null): string => (simulated && x !== null && x < 10 ? x.toFixed(3) : figure(x))
    const spread = simulated ? [error === undefined ? '' : `± ${error.toFixed(3)}`] : []
    return [name, exactly(value), ...spread, exactly(limit), figure(ratio), figure(goal), verdict]
  })
  const lines = [['name', 'value', ...(simulated ? ['error'] : []), 'limit', 'ratio', 'goal', ''], ...cells]
  const width = (column: number): number => Math.max(...lines.map((line) => (line[column] ?? '').length))
  return lines
    .map((line) =>
      line.map((sandbox, n) => (n === 0 ? sandbox.padEnd(width(n)) : sandbox.padStart(width(n)))).join('  '),
    )
    .map((line) => line.trimEnd())
    .join('\n')
}

async function main(args: readonly string[]): Promise<number> {
  const wanted = args.filter((arg) => !['--json', '--full', '--quick'].includes(arg))
  const [name, ...parts] = wanted
  if (name === undefined) {
    console.log('npm run bench -- NAME [PART …] [--full | --quick] [--json]\n')
    for (const each of names) console.log(`  ${each.padEnd(10)}${(await load(each)).measures}`)
    return 0
  }
  if (!names.includes(name)) {
    console.error(`no benchmark "${name}": there are ${names.join(', ')}`)
    return 2
  }
  const bench = await load(name)
  const unknown = parts.find((part) => !bench.parts?.includes(part))
  if (unknown !== undefined) {
    console.error(`${name} has no part "${unknown}": there are ${bench.parts?.join(', ') ?? 'none'}`)
    return 2
  }
  const rows = await bench.default(args.includes('--full'), args.includes('--quick'), parts)
  console.log(args.includes('--json') ? JSON.stringify(rows) : table(rows))
  return 0
}

process.exitCode = await main(process.argv.slice(2))
