// Opens what some variables tell by OTLP, one set of variables after another, and prints which of OpenTelemetry's packages
// this process has loaded after each. Started by telemetry.test.ts, which gives the sets as JSON.
import { createRequire } from 'node:module'
import { openTelemetry } from '../../../core/adapters/node.ts'
import { readConfig } from '../../../core/adapters/read-config.ts'
import '../../../http/start.ts'

const loaded: string[][] = []
for (const variables of JSON.parse(process.argv[2] ?? '[]') as Record<string, string>[]) {
  // The exporters read the variables of the process itself.
  Object.assign(process.env, variables)
  const telemetry = await openTelemetry(readConfig({}, process.env, false))
  const packages = Object.keys(createRequire(import.meta.url).cache).flatMap(
    (file) => /node_modules\/(@opentelemetry\/[^/]+|protobufjs)\//.exec(file)?.[1] ?? [],
  )
  loaded.push([...new Set(packages)])
  await telemetry?.close()
  for (const name of Object.keys(variables)) delete process.env[name]
}
process.stdout.write(JSON.stringify(loaded))
