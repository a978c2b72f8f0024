export type { SentResponse } from './http/sender.ts'
export {
  flagOf,
  type LogLevel,
  maskOptions,
  optionSpecs,
  resolveOptions,
  type ServerOptions,
  variableOf,
} from './options.ts'
export type { RunningServer, RunningWorld } from './running-server.ts'
export type { Demo, DemoCredentials } from './sandbox/demo.ts'
export type { NewWorld } from './sandbox/new-world.ts'
export { type StartOptions, startServer } from './start-server.ts'
export type { World } from './world/world.ts'
