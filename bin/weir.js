#!/usr/bin/env node
// Completion, the version and help load only their own modules, so that they respond fast. A command to a running Weir loads
// the small bundle, everything else the whole one; no process runs both.
const args = process.argv.slice(2)
if (args[0] === '__complete') {
  const { complete } = await import('../dist/bundle/completion.js')
  await complete(args.slice(1), process.env, (text) => void process.stdout.write(text))
} else if (!(await isAnswered())) {
  const { findRunningServer } = await import('../dist/bundle/running-server.js')
  const running = await findRunningServer(args, process.env)
  if (running) {
    const { main } = await import('../dist/remote/main.js')
    await main(process.argv, running.socket)
  } else {
    const { setFlagsFromString } = await import('node:v8')
    const { COMMAND_ENGINE, ENGINE } = await import('../dist/bundle/engine.js')
    const flags = args.includes('serve') ? ENGINE : [...ENGINE, ...COMMAND_ENGINE]
    flags.forEach((flag) => setFlagsFromString(flag))
    const { main } = await import('../dist/bundle/main.js')
    await main(process.argv)
  }
}

async function isAnswered() {
  const last = args.at(-1)
  if (last !== undefined && !['--version', '--help', '-h'].includes(last)) return false
  const { answerQuickly } = await import('../dist/bundle/quick-answers.js')
  return answerQuickly(args, process.env, process.stdout)
}
