#!/usr/bin/env node
// Completion loads only its own module, so that Tab responds fast.
if (process.argv[2] === '__complete') {
  const { complete } = await import('../dist/cli/completion/main.js')
  await complete(process.argv.slice(3), process.env, (text) => void process.stdout.write(text))
} else {
  const { setFlagsFromString } = await import('node:v8')
  const { ENGINE } = await import('../dist/cli/engine.js')
  ENGINE.forEach((flag) => setFlagsFromString(flag))
  const { main } = await import('../dist/cli/main.js')
  await main(process.argv)
}
