import { PLACES, bubblewrapArguments } from './bubblewrap.js'
import { SLICE_NS } from './cores.js'
import type { SandboxSpec } from './sandbox-spec.js'
import { hasRoomBeside } from './source-top.js'

/** The launcher's command: outside it becomes the bot's user and bubblewrap, inside it is process 1. */
export function commandOf(spec: SandboxSpec): string[] {
  const limits = spec.limits
  const state = spec.state === undefined ? undefined : `${PLACES.source}/${spec.state}`
  const inner = [
    'sandbox',
    ...(spec.pipes ? ['--pipes'] : []),
    ...(spec.cpu === undefined ? [] : ['--cpu']),
    ...(spec.counted ? ['--counted'] : []),
    ...(spec.bubblewrap === undefined
      ? []
      : ['--restrict', '--private', PLACES.tmp, '--private', PLACES.game, '--private', '/dev/shm']),
    ...(spec.building || (spec.writable && spec.bubblewrap !== undefined && hasRoomBeside(spec.source))
      ? ['--private', PLACES.source]
      : []),
    ...(state === undefined ? [] : ['--state', state, String(spec.stateBytes ?? 0)]),
    ...['data', limits.memory, 'processes', limits.processes, 'files', limits.files, 'file', limits.disk].flatMap(
      (word, i, all) => (i % 2 === 0 ? ['--limit', String(word), String(all[i + 1])] : []),
    ),
  ]
  const outer = (stage: readonly string[], data: Readonly<Record<string, string>> = {}) => [
    'room',
    ...(spec.user === undefined ? [] : ['--user', String(spec.user)]),
    ...(spec.cgroups ?? []).flatMap((folder) => ['--cgroup', folder]),
    ...(spec.cpu === undefined ? [] : ['--cpu', spec.cpu]),
    ...(spec.core === undefined ? [] : ['--core', String(spec.core)]),
    ...(spec.core !== undefined && spec.pipes ? ['--slice', String(SLICE_NS)] : []),
    ...(spec.pipes ? ['--pipes'] : []),
    ...stage.flatMap((path) => ['--stage', path]),
    ...Object.entries(data).flatMap(([fd, text]) => ['--data', fd, text]),
    '--',
  ]
  if (spec.bubblewrap === undefined) return [spec.launcher, ...outer([]), spec.launcher, ...inner]
  const tools = { ...spec.tools, launcher: spec.launcher }
  const { stage, data, args } = bubblewrapArguments(
    { ...spec, tools },
    [`${PLACES.tools}/launcher`, ...inner],
    spec.user !== undefined,
  )
  return [spec.launcher, ...outer(stage, data), spec.bubblewrap, ...args]
}
