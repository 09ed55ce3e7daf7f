// Opens what the configuration tells by OTLP, and says which of OpenTelemetry's packages this process has loaded. Started by
// telemetry.test.ts, with variables of its own.
import { createRequire } from 'node:module'
import { openTelemetry } from '../../../core/adapters/node.ts'
import { readConfig } from '../../../core/adapters/read-config.ts'
import '../../../http/start.ts'

const telemetry = await openTelemetry(readConfig({}, process.env, false))
const loaded = Object.keys(createRequire(import.meta.url).cache).flatMap(
  (file) => /node_modules\/(@opentelemetry\/[^/]+|protobufjs)\//.exec(file)?.[1] ?? [],
)
process.stdout.write(JSON.stringify([...new Set(loaded)]))
await telemetry?.close()
