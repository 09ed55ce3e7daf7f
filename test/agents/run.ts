// Drives real coding agents against strict vendors, on every kind of channel, and writes AGENTS.md:
//
//   npx tsx test/agents/run.ts [--agent claude] [--channel gemini] [--speaks Chat] [--through-run]
//
// With --through-run they are started by `weir run -- AGENT`, which gives them a token, tells its cost and takes it back.
// It runs what `npm run build` has made and installs the agents from npm and PyPI into a folder outside the repository. The page is
// written by a whole run only.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { labelOf, type Agent } from './agent.ts'
import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import { geminiCli } from './gemini-cli.ts'
import { installed, versionOf } from './install.ts'
import { kinds } from './kinds.data.ts'
import { miniSweAgent } from './mini-swe-agent.ts'
import { mistralVibe } from './mistral-vibe.ts'
import { opencode } from './opencode.ts'
import { page, PAGE } from './page.ts'
import { pi } from './pi.ts'
import { play, type Played } from './play.ts'
import { qwenCode } from './qwen-code.ts'
import { openWorld } from './world.ts'

const all: readonly Agent[] = [
  claudeCode,
  codex,
  geminiCli,
  qwenCode,
  ...opencode,
  ...pi,
  ...copilot,
  mistralVibe,
  miniSweAgent,
]

const { values } = parseArgs({
  options: {
    agent: { type: 'string' },
    channel: { type: 'string' },
    speaks: { type: 'string' },
    'through-run': { type: 'boolean' },
  },
})
const led = values['through-run'] === true
const wanted = (given: string | undefined, name: string) => given === undefined || given === name
const agents = all.filter(
  ({ command, speaks, unknownToRun }) =>
    wanted(values.agent, command) && wanted(values.speaks, speaks) && !(led && unknownToRun),
)
const channels = kinds.filter(({ name }) => wanted(values.channel, name))

const world = await openWorld()
const played: Played[] = []
const versions = new Map<Agent, string>()
const say = (line: string) => process.stdout.write(`${line}\n`)
try {
  for (const agent of agents) {
    const command = await installed(agent)
    versions.set(agent, await versionOf(agent, command))
    // Side by side: every kind has a vendor of its own.
    const own = channels.filter((kind) => kind.agents?.includes(labelOf(agent)) ?? true)
    for (const one of await Promise.all(own.map((kind) => play(world, agent, kind, command, led)))) {
      played.push(one)
      say(`${one.faults.length === 0 ? 'ok ' : 'NOT'} ${labelOf(agent)} on ${one.kind.name}, ${one.seconds} s`)
      if (one.told) say(`      ${JSON.stringify(one.told)}`)
      for (const fault of one.faults) say(`      ${fault}`)
    }
  }
} finally {
  await world.close()
}
if (!led && agents.length === all.length && channels.length === kinds.length)
  writeFileSync(PAGE, await page(played, versions))
if (played.some(({ faults }) => faults.length > 0)) process.exitCode = 1
