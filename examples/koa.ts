// Weir inside a Koa application, under /ai: PORT=8080 npx tsx examples/koa.ts
import process from 'node:process'
import Koa from 'koa'
import { openGateway, readConfig } from 'weir-gateway'
import { createListener, createRealtimeHandler, createStop, listenForUpgrades } from 'weir-gateway/http'

const basePath = '/ai'
const config = readConfig({}, process.env, true)
const gateway = await openGateway(config)
const weir = createListener(gateway, { basePath })

const app = new Koa()
// Mounted before every body parser, because Weir reads its requests and writes its responses itself.
app.use((context, next) => {
  if (context.path !== basePath && !context.path.startsWith(`${basePath}/`)) return next()
  context.respond = false
  weir(context.req, context.res)
})
app.use((context) => void (context.body = 'The page of the application'))

const server = app.listen(config.port, config.host, () => {
  process.stdout.write(`${JSON.stringify(server.address())}, setup with the code ${gateway.setupCode}\n`)
})
const realtime = createRealtimeHandler(gateway, { basePath })
listenForUpgrades(server, realtime)
const stop = createStop(server)

process.once('SIGTERM', async () => {
  await realtime.close()
  // Open answers have 5 seconds to finish.
  await stop(5000)
  await gateway.close()
})
