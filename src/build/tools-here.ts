import { Toolchains } from './toolchain.js'

/** Programs that entrants are often built and run with. */
const COMMON = [
  'bash',
  'cc',
  'g++',
  'go',
  'java',
  'javac',
  'julia',
  'lua',
  'node',
  'perl',
  'php',
  'python3',
  'ruby',
  'rustc',
  'sh',
]

/** Which of the common programs this machine has, with their versions. What they print is remembered in the workspace. */
export async function toolsHere(workspace: string): Promise<Readonly<Record<string, string>>> {
  const tools = new Toolchains(workspace)
  const found = await Promise.all(COMMON.map(async (word) => [word, await tools.of([word])] as const))
  // Of one that is not here there is but the name.
  return Object.fromEntries(
    found.flatMap(([word, text]) => (text === word ? [] : [[word, text.replace(/^[^:]*: /, '')]])),
  )
}
