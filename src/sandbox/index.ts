export * from './bubblewrap.js'
export * from './sandbox.js'
export * from './sandbox-spec.js'
export * from './cores.js'
export * from './doctor.js'
export * from './frames.js'
export {
  EXHAUSTED,
  HostError,
  allowed,
  codeOf,
  exhausted,
  exhaustedBy,
  hardStopMs,
  hostError,
  tooBusy,
} from './host-error.js'
export * from './limits.js'
export { clearThread } from './cgroups.js'
export { OneTimer } from './one-timer.js'
export * from './open-sandbox.js'
export { FirstLook, openBlockingPipes, pipesIn } from './pipe.js'
export { PlainClock, deadline, waitsOf } from './plain-clock.js'
export * from './process.js'
export * from './room.js'
export { SandboxRunning, type StayEnding } from './stay.js'
export * from './stay-clock.js'
export { UnchangedFolders } from './unchanged-folders.js'
export { nextUser } from './users.js'
export * from './warm.js'
