// Weir inside an Express application, under /ai: PORT=8080 npx tsx examples/express.ts
import process from 'node:process'
import express from 'express'
import { openGateway, readConfig } from 'weir-gateway'
import { createListener, createRealtimeHandler, createStop, listenForUpgrades } from 'weir-gateway/http'

const basePath = '/ai'
const config = readConfig({}, process.env, true)
const gateway = await openGateway(config)

const app = express()
// Mounted before every body parser, because Weir reads its requests itself.
app.use(basePath, createListener(gateway, { basePath }))
app.use(express.json())
app.get('/', (_, response) => void response.send('The page of the application'))

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
