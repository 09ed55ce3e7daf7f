// `weir doctor`: what is right, what is doubtful, what is broken, and what to do about it.
import path from 'node:path'
import { existsSync } from 'node:fs'
import { secretVariable } from '../../core/config.ts'
import { command, type Surroundings } from '../command.ts'
import { failed, ok, warn, type Finding } from '../doctor/check.ts'
import { checkGateway } from '../doctor/gateway.ts'
import { checkHost } from '../doctor/host.ts'
import { failureOf } from '../failure.ts'
import { addressOptions } from '../program.ts'

export const doctor = command({
  name: 'doctor',
  summary: 'Check the machine, the database, the settings and the channels, and say what to do',
  failsWhen: 'anything fails; what is merely doubtful does not count',
  options: { test: { flag: '--test', help: 'send a test call through every enabled channel' }, ...addressOptions },
  async run(context) {
    const { print, ask, options, failed: failing } = context
    const findings = await ask.during('Checking…', examine(context, options.test === true))
    const broken = findings.filter(({ state }) => state === 'fail').length
    await print.rows(
      findings,
      [
        { title: 'CHECK', rank: 1, value: ({ check }) => check, tone: () => 'strong' },
        {
          title: 'STATE',
          rank: 1,
          value: ({ state }) => state,
          tone: ({ state }) => (({ ok: 'good', warn: 'careful', fail: 'bad' }) as const)[state],
        },
        { title: 'FOUND', rank: 1, flexible: true, value: ({ found }) => found },
        { title: 'WHAT TO DO', rank: 1, value: ({ fix }) => fix ?? '' },
      ],
      { empty: '', json: { ok: broken === 0, checks: findings } },
    )
    if (broken > 0) failing()
  },
})

async function examine(context: Surroundings, test: boolean): Promise<Finding[]> {
  if (context.server !== undefined) return examineGateway(context, test, ok('server', `${context.server} answers`))
  const { config, env } = context
  const server = await context.findServer()
  const host = await checkHost(config, { serverRuns: server !== null })
  const folder = path.resolve(config.data)
  if (config.database === undefined && !existsSync(folder)) {
    return [...host, failed('set-up', 'not done', 'weir init')]
  }
  // Weir opens a database only after bringing it up to date and after its secret has proved right.
  const database = ok('database', `${config.database === undefined ? `SQLite in ${folder}` : 'PostgreSQL'}, up to date`)
  const secret = ok('secret', env[secretVariable.env] ? `from ${secretVariable.env}` : 'key file in the data folder')
  return [...host, ...(await examineGateway(context, test, database, secret))]
}

/** `good` are the findings that a working connection proves. */
async function examineGateway(context: Surroundings, test: boolean, ...good: Finding[]): Promise<Finding[]> {
  const { language } = context
  let client
  try {
    client = await context.client()
    await client.site.status()
  } catch (error) {
    const message = failureOf(error, language)?.message ?? String(error)
    const secret = (error as { code?: unknown } | null)?.code === 'secret'
    return [failed(secret ? 'secret' : (good[0]?.check ?? 'gateway'), message, '')]
  }
  try {
    return [...good, ...(await checkGateway(client, { test, language }))]
  } catch (error) {
    return [
      ...good,
      warn(
        'gateway',
        failureOf(error, language)?.message ?? String(error),
        'Sign in with an access token of the super administrator',
      ),
    ]
  }
}
