#!/usr/bin/env node
// A press of Tab waits for nothing that it does not need.
if (process.argv[2] === '__complete') {
  const { complete } = await import('../dist/cli/completion/main.js')
  await complete(process.argv.slice(3), process.env, (text) => void process.stdout.write(text))
} else {
  const { main } = await import('../dist/cli/main.js')
  await main(process.argv)
}
