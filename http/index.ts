// What `import from 'weir-gateway/http'` gives: the listener to mount, and the server that `weir serve` runs.
export { createRealtimeDoor, type RealtimeDoor } from './realtime.ts'
export { createListener, type ServerOptions } from './server.ts'
export { startServer, type RunningServer } from './start.ts'
