// A day with the whole state as a file, by the built command alone: out of a Weir that serves and into git, a price changed,
// planned and applied, changed by hand, planned again, rolled back; a backup beside calls, restored elsewhere and proven; to the
// other database and back, with the receipts of before.
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { addAccount, setUp, startBuiltServer, type Environment } from './built-server.ts'
import { serveHere } from './installation.ts'
import type { Json } from './json.ts'
import { runHere, weir } from './terminal.ts'

const QUOTA = 500_000_000
const MODEL = 'sandbox-small'
const BODY = JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'What is a ferry?' }] })

interface Given {
  kind: 'sqlite' | 'postgres'
  /** Makes an empty PostgreSQL database. */
  freshDatabase(): Promise<string>
  /** Calls a second beside the backup, and for how long at least. */
  rate: number
  seconds: number
  say(line: string): void
  /** Commands and servers run in this process: for a test that has to be cheap. */
  inProcess?: boolean
}

/** @returns what is wrong; empty where all is well */
export async function stateDay({
  kind,
  freshDatabase,
  rate,
  seconds,
  say,
  inProcess = false,
}: Given): Promise<string[]> {
  const room = await mkdtemp(join(tmpdir(), 'weir-day-'))
  const problems: string[] = []
  const expect = (holds: boolean, what: string) => {
    if (!holds) problems.push(what)
  }
  const env: Environment = {
    WEIR_DATA: join(room, 'data'),
    ...(kind === 'postgres' ? { DATABASE_URL: await freshDatabase() } : {}),
  }
  const file = (name: string) => join(room, name)
  const git = (...args: string[]) => {
    const author = ['-c', 'user.name=ops', '-c', 'user.email=ops@example.org', '-c', 'commit.gpgsign=false']
    return execFileSync('git', ['-C', room, ...author, ...args], { encoding: 'utf8' })
  }
  /** Runs a command; another exit code than the expected one is a problem. */
  async function run(args: string[], code = 0, where: Environment = env) {
    const ended = await (inProcess ? runHere : weir)(args, { env: where })
    expect(ended.code === code, `${args.join(' ')}: exit code ${ended.code}, ${ended.stderr.slice(0, 300)}`)
    return ended
  }
  const json = async (args: string[], code = 0, where: Environment = env): Promise<Json> =>
    JSON.parse((await run([...args, '--json'], code, where)).stdout || 'null')
  const save = (name: string, text: string) => writeFile(file(name), text)
  const exported = async () => (await run(['export'])).stdout

  const start = inProcess ? serveHere : startServer
  let server = await start(env)
  try {
    const { client, ...root } = await setUp(env, server.url)
    const { visitor: alice } = await addAccount({ client, ...root }, server.url, 'alice', QUOTA)
    const { key } = await alice.client.tokens.create({ name: 'day', unlimited_quota: true })
    const call = () =>
      fetch(`${server.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
        body: BODY,
      })
    const charged = async () => {
      const answer = await call()
      await answer.text()
      const receipt = answer.headers.get('x-weir-receipt') ?? ''
      return { receipt, quota: Number((await json(['receipt', 'get', receipt])).receipt?.amount ?? 0) }
    }
    await json(['channels', 'add', '--type', 'sandbox', '--name', 'Main', '--models', MODEL])
    await json(['prices', 'set', MODEL, '--input', '2', '--output', '8'])
    const before = await charged()

    // Out, and into git.
    git('init', '-q')
    const first = await exported()
    await save('weir.yaml', first)
    git('add', 'weir.yaml')
    git('commit', '-qm', 'as it is')
    await run(['plan', file('weir.yaml')], 0)

    // A price is changed: whom it touches, and by how much.
    const dearer = first.replace(/(input: )2\n/, '$14\n').replace(/(output: )8\n/, '$116\n')
    expect(dearer !== first, 'the price does not stand in the file')
    await save('weir.yaml', dearer)
    git('commit', '-qam', 'twice the price')
    const plan = await json(['plan', file('weir.yaml')], 2)
    await save('plan.json', JSON.stringify(plan))
    const touched: { username: string; charged: number; would_charge: number }[] = plan.bills.rows
    const bill = touched.find(({ username }) => username === 'alice')
    const times = bill ? bill.would_charge / bill.charged : 0
    expect(
      plan.bills.people === 1 && Math.abs(times - 2) < 0.01,
      `the plan says of bills: ${JSON.stringify(plan.bills)}`,
    )
    const said = (await run(['plan', file('weir.yaml')], 2)).stdout
    expect(said.includes('alice') && said.includes('input'), `the plan says: ${said}`)
    say(`planned: ${touched.length} user touched, ${times.toFixed(2)} times the bill`)
    await run(['apply', file('weir.yaml'), '--plan', file('plan.json'), '--yes'])
    await run(['plan', file('weir.yaml')], 0)
    const after = await charged()
    expect(Math.abs(after.quota / before.quota - 2) < 0.05, `a call cost ${before.quota}, and ${after.quota} then`)

    // By hand, and seen.
    const byHand = await run(['prices', 'set', MODEL, '--input', '7', '--output', '28'])
    expect(byHand.stderr.includes('weir.yaml'), 'who changes by hand is not told whose it is')
    const drift = await json(['plan', file('weir.yaml')], 2)
    expect(drift.changes.length === 1 && drift.changes[0].drift === true, `the plan says: ${JSON.stringify(drift)}`)
    // A kept plan is of the state of then.
    await run(['apply', file('weir.yaml'), '--plan', file('plan.json'), '--yes'], 1)

    // Half a file changes nothing, wherever it was cut.
    const now = await exported()
    for (const share of [0.2, 0.5, 0.8, 0.97]) {
      await save('half.yaml', dearer.slice(0, Math.floor(dearer.length * share)))
      await run(['apply', file('half.yaml'), '--prune', '--yes'], 1)
    }
    expect((await exported()) === now, 'half a file has changed something')

    // Back to the file of before.
    git('checkout', '-q', 'HEAD~1', '--', 'weir.yaml')
    await run(['apply', file('weir.yaml'), '--prune', '--yes'])
    expect((await exported()) === first, 'the file of before does not come out as it was')
    const again = await charged()
    expect(Math.abs(again.quota / before.quota - 1) < 0.05, `a call costs ${again.quota} where it cost ${before.quota}`)

    // A backup beside calls.
    const identity = await generateX25519Identity()
    await save('identity.txt', identity)
    let [sent, failed, slowest_ms, open] = [0, 0, 0, 0]
    const load = setInterval(() => {
      const began = performance.now()
      sent += 1
      open += 1
      call()
        .then(async (answer) => {
          await answer.text()
          if (answer.status !== 200) failed += 1
          slowest_ms = Math.max(slowest_ms, performance.now() - began)
        })
        .catch(() => (failed += 1))
        .finally(() => (open -= 1))
    }, 1000 / rate)
    await sleep(seconds * 300)
    const backedUp = Date.now()
    const backup = await json([
      ...['backup', file('day.weir'), '--with-key'],
      ...['--recipient', await identityToRecipient(identity)],
    ])
    const backup_ms = Date.now() - backedUp
    await sleep(seconds * 700)
    clearInterval(load)
    while (open > 0) await sleep(50)
    expect(failed === 0, `${failed} of ${sent} calls failed beside the backup`)
    expect(backup.ledger?.ok === true || backup.ledger_ok === true, `the backup says: ${JSON.stringify(backup)}`)
    say(
      `backup in ${backup_ms} ms beside ${sent} calls (${rate} a second wanted), none failed; slowest ${slowest_ms.toFixed(0)} ms`,
    )

    // Elsewhere.
    const elsewhere: Environment = {
      WEIR_DATA: join(room, 'elsewhere'),
      ...(kind === 'postgres' ? { DATABASE_URL: await freshDatabase() } : {}),
    }
    await json(['restore', file('day.weir'), '--identity-file', file('identity.txt')], 0, elsewhere)
    const proof = await json(['ledger', 'verify'], 0, elsewhere)
    expect(proof.ok === true && proof.entries >= 4, `the restored ledger: ${JSON.stringify(proof)}`)
    const restored = await json(['receipt', 'get', before.receipt], 0, elsewhere)
    say(`restored elsewhere: ${proof.entries} entries prove`)

    // Over to the other database, and back.
    const receipts = [before.receipt, after.receipt, again.receipt]
    const signed = new Map<string, string>()
    for (const id of receipts) signed.set(id, JSON.stringify(await json(['receipt', 'get', id])))
    expect(
      JSON.stringify(restored) === signed.get(before.receipt),
      'the receipt of before is another one where it was restored',
    )
    await writeFile(file('issuer.pem'), (await run(['receipt', 'key'])).stdout)
    const total = (await json(['ledger', 'verify'])).entries
    await server.close()
    const way = (folder: string, url?: string): Environment => ({
      WEIR_DATA: folder,
      ...(url === undefined ? {} : { DATABASE_URL: url }),
    })
    const there = kind === 'sqlite' ? way(env.WEIR_DATA!, await freshDatabase()) : way(join(room, 'copied'))
    const home = kind === 'sqlite' ? way(join(room, 'home')) : way(env.WEIR_DATA!, await freshDatabase())
    for (const [from, to] of [
      [env, there],
      [there, home],
    ] as const) {
      const target = to.DATABASE_URL ?? to.WEIR_DATA!
      // Back into PostgreSQL it goes with the key file of the folder that is copied from.
      if (to.DATABASE_URL !== undefined && to !== there) to.WEIR_DATA = from.WEIR_DATA!
      await json(['copy', '--to', target], 0, from)
      const { ok, entries } = await json(['ledger', 'verify'], 0, to)
      expect(ok === true && entries === total, `after the copy ${entries} of ${total} entries prove`)
      for (const [id, text] of signed) {
        const found = JSON.stringify(await json(['receipt', 'get', id], 0, to))
        expect(found === text, `receipt ${id} is another one in the copy`)
        await save('receipt.json', found)
        const checked = await json(['receipt', 'verify', file('receipt.json'), '--key', file('issuer.pem')], 0, to)
        expect(checked.ok === true, `receipt ${id} does not check: ${JSON.stringify(checked)}`)
      }
      expect((await run(['export'], 0, to)).stdout === first, 'the copy exports another file')
      say(
        `copied to ${to.DATABASE_URL === undefined ? 'sqlite' : 'postgres'}: ${entries} entries, ${signed.size} receipts check`,
      )
    }
    server = await start(home)
    expect((await call()).status === 200, 'the key of before does not call any more')
  } finally {
    await server.close()
    await rm(room, { recursive: true, force: true })
  }
  return problems
}

async function startServer(env: Environment): Promise<{ url: string; close(): Promise<void> }> {
  const { url, child, ended } = await startBuiltServer(env)
  return {
    url,
    async close() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
