#!/usr/bin/env node
// Completion, the version and help load only their own modules, so that they respond fast.
const args = process.argv.slice(2)
if (args[0] === '__complete') {
  const { complete } = await import('../dist/cli/completion/main.js')
  await complete(args.slice(1), process.env, (text) => void process.stdout.write(text))
} else if (!(await isAnswered())) {
  const { setFlagsFromString } = await import('node:v8')
  const { ENGINE } = await import('../dist/cli/engine.js')
  ENGINE.forEach((flag) => setFlagsFromString(flag))
  const { main } = await import('../dist/cli/main.js')
  await main(process.argv)
}

async function isAnswered() {
  const last = args.at(-1)
  if (last !== undefined && !['--version', '--help', '-h'].includes(last)) return false
  const { answerQuickly } = await import('../dist/cli/quick-answers.js')
  return answerQuickly(args, process.env, process.stdout)
}
