// The exports of `weir-gateway/http`: the handlers that another program mounts, and the server of `weir serve`.
export type { MountOptions } from './base-path.ts'
export { createFetchHandler, type FetchHandler, type FetchPeer } from './fetch-handler.ts'
export {
  createRealtimeHandler,
  createRealtimeHandler as createRealtimeDoor,
  listenForUpgrades,
  type RealtimeDoor,
} from './realtime.ts'
export { createListener } from './server.ts'
export { startServer, type RunningServer } from './start.ts'
export { createStop, type ServerStop as Stop } from './stop.ts'
