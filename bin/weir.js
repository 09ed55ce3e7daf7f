#!/usr/bin/env node
// A press of Tab waits for nothing that it does not need.
if (process.argv[2] === '__complete') {
  const { complete } = await import('../dist/cli/completion/main.js')
  await complete(process.argv.slice(3), process.env, (text) => void process.stdout.write(text))
} else {
  // V8 would come to make what a call needs in the old heap, for it is kept until it is booked; from there all that the call has
  // touched is let go by full collections alone: 10 KB a call in place of 2 (test/bench/PROFILE.md).
  const { setFlagsFromString } = await import('node:v8')
  setFlagsFromString('--no-allocation-site-pretenuring')
  const { main } = await import('../dist/cli/main.js')
  await main(process.argv)
}
