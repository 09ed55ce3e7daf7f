// The input of the commands about the gateway, their output with --quiet, and the cases in which they exit with 1.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { writeContexts } from '../../cli/connection/contexts.ts'
import { connectSqlite } from '../../core/adapters/knex/connection/connection.ts'
import { migrateDatabase } from '../../core/adapters/knex/schema/migrate.ts'
import { silent } from '../support/databases.ts'
import { fakeServer, runHere, type Ended } from '../support/terminal.ts'
import type { Json } from '../support/json.ts'
import { sameId, type Changes } from './team-commands.ts'

export function gatewayChanges(dataOf: (words: string[]) => Promise<Json>): Changes {
  const newChannel = async (name: string) =>
    String((await dataOf(['channels', 'add', '--type', 'sandbox', '--name', name])).id)
  const keyed = async () => {
    const fields = ['--name', 'keyed', '--models', 'm', '--key-mode', 'turn', '--key', 'sk-a\nsk-b']
    return String((await dataOf(['channels', 'add', '--type', 'openai', ...fields])).id)
  }
  let services = 0
  const serviceFlags = ['--name', 'Company', '--client-id', 'weir', '--well-known', 'https://id.example.com/found']
  const newService = async () => {
    const id = `company${(services += 1)}`
    await dataOf(['sign-in-services', 'add', id, '--client-secret', 's', ...serviceFlags])
    return id
  }
  return {
    'sign-in-services add': {
      args: async () => [`added${(services += 1)}`, '--client-secret', 's', ...serviceFlags],
      quiet: sameId,
    },
    'sign-in-services edit': { args: async () => [await newService(), '--name', 'Other'], quiet: sameId },
    'sign-in-services enable': { args: async () => [await newService()], quiet: sameId },
    'sign-in-services disable': { args: async () => [await newService()], quiet: sameId },
    'sign-in-services rm': { args: async () => [await newService(), '--yes'], quiet: sameId },
    'channels repair': { args: async () => [], quiet: () => /^\d+\n$/ },
    'prices reset': { args: async () => ['--yes'], quiet: () => /^ModelRatio\n$/ },
    'channels add': { args: async () => ['--type', 'sandbox', '--name', 'one'], quiet: () => /^\d+\n$/ },
    'channels edit': { args: async () => ['1', '--weight', '3'], quiet: () => /^1\n$/ },
    'channels enable': { args: async () => ['1'], quiet: () => /^1\n$/ },
    'channels disable': { args: async () => [await newChannel('off')], quiet: sameId },
    'channels copy': { args: async () => ['1', '--name', 'twin'], quiet: () => /^\d+\n$/ },
    'channels rm': { args: async () => [await newChannel('gone'), '--yes'], quiet: sameId },
    'channels keys add': {
      args: async () => [await keyed(), '--key', 'sk-one-more-0123456789'],
      quiet: () => /^(\w+\n){3}$/,
    },
    'channels keys enable': { args: async () => [await keyed(), '1'], quiet: () => /^(\w+\n){2}$/ },
    'channels keys disable': { args: async () => [await keyed(), '1'], quiet: () => /^(\w+\n){2}$/ },
    'channels keys rm': { args: async () => [await keyed(), '1', '--yes'], quiet: () => /^\w+\n$/ },
    'groups set': { args: async () => ['gold', '--ratio', '0.5'], quiet: () => /^gold\n$/ },
    'groups rm': {
      args: async () => [String((await dataOf(['groups', 'set', 'lead', '--ratio', '2'])).name), '--yes'],
      quiet: () => /^lead\n$/,
    },
    'users forget': {
      args: async () => [String((await dataOf(['users', 'create', 'leaver'])).id), '--yes'],
      quiet: sameId,
    },
    'logs move': { args: async () => ['--to', 'sqlite:other.db?days=0'], quiet: () => /^\d+\n$/ },
    'logs prune': { args: async () => ['--before', '90d', '--yes'], quiet: () => /^0\n$/ },
    'settings unset': { args: async () => ['RetryTimes'], quiet: () => /^RetryTimes\n$/ },
    'usage rebuild': { args: async () => [], quiet: () => /^\d+\n$/ },
    'settings set': { args: async () => ['RetryTimes', '3'], quiet: () => /^RetryTimes\n$/ },
  }
}

interface World {
  run(args: string[], input?: string): Promise<Pick<Ended, 'code' | 'stdout'>>
  dataOf(words: string[]): Promise<Json>
  /** Makes a call; gives the id of its receipt. */
  call(): Promise<string>
}

/** A folder that goes with the test. */
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'weir-command-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const fileOf = async (text: string): Promise<string> => {
  const file = path.join(await newFolder(), 'settings.json')
  await writeFile(file, text)
  return file
}

/** A data folder that a later version has been at. */
async function folderOfLater(): Promise<string> {
  const folder = await newFolder()
  const database = await connectSqlite(folder, silent)
  await migrateDatabase(database)
  await database.write('schema_migrations').insert({ name: '9999-later.needs-9998', batch: 2 })
  await database.close()
  return folder
}

type Verdict = () => Promise<Pick<Ended, 'code'>>

/** Where somebody signed in to a gateway that is not there any more. */
async function whereGone(args: string[]): Promise<Ended> {
  const env = { WEIR_CONFIG_DIR: await newFolder() }
  const gone = { server: 'http://127.0.0.1:9', access_token: 't', username: 'ada', added: 1 }
  writeContexts(env, { current: 'gone', contexts: { gone } })
  return runHere(args, { env })
}

/** Of those that say when they fail: one run that does, one that does not. */
export function gatewayVerdicts({ run, dataOf, call }: World): Record<string, { fails: Verdict; holds: Verdict }> {
  return {
    'route explain': {
      fails: () => run(['route', 'explain', '--model', 'nobody-serves-this']),
      holds: () => run(['route', 'explain', '--model', 'sandbox-small']),
    },
    'route simulate': {
      fails: () => run(['route', 'simulate', '--model', 'nobody-serves-this']),
      holds: () => run(['route', 'simulate', '--model', 'sandbox-small']),
    },
    'channels test': {
      fails: async () => {
        const fields = ['--base-url', 'http://127.0.0.1:9', '--key', 'k', '--models', 'm']
        const made = await dataOf(['channels', 'add', '--type', 'openai', '--name', 'dead', ...fields])
        const tested = await run(['channels', 'test', String(made.id)])
        await run(['channels', 'delete', String(made.id), '--yes'])
        return tested
      },
      holds: () => run(['channels', 'test', '1']),
    },
    attention: {
      fails: async () => {
        const numbers = { failed: 0, tried: 0, keys: 0, calls: 0, usd: 0, quota: 0 }
        const finding = { kind: 'channel_off', severity: 'error', id: 3, name: 'a', reason: '', ...numbers }
        const some = await fakeServer(() => ({ body: { success: true, message: '', data: [finding] } }))
        const asked = await runHere(['attention', '--quiet', '--server', some.url])
        await some.close()
        return asked
      },
      holds: async () => {
        const none = await fakeServer(() => ({ body: { success: true, message: '', data: [] } }))
        const asked = await runHere(['attention', '--server', none.url])
        await none.close()
        return asked
      },
    },
    doctor: {
      fails: () => run(['doctor', '--server', 'http://127.0.0.1:9']),
      holds: () => run(['doctor']),
    },
    'channels balance': {
      fails: () => run(['channels', 'balance', '1']),
      holds: async () => {
        const none = await fakeServer(() => ({
          body: { success: true, message: '', data: [], total: 0, next_cursor: '' },
        }))
        const asked = await runHere(['channels', 'balance', '--server', none.url])
        await none.close()
        return asked
      },
    },
    'ledger retry': {
      fails: async () => {
        const results = [{ hold_id: 'h1', booked: false, reason: 'no' }]
        const wrong = await fakeServer(() => ({ body: { success: true, message: '', data: results } }))
        const retried = await runHere(['ledger', 'retry', 'h1', '--server', wrong.url])
        await wrong.close()
        return retried
      },
      holds: () => run(['ledger', 'retry', '--all']),
    },
    'ledger verify': {
      fails: async () => {
        const fault = { kind: 'balance', account_id: 1, token_id: null, hold_id: null, entry_id: null }
        const proof = {
          ok: false,
          open_holds: 0,
          accounts: 1,
          entries: 1,
          faults: [{ ...fault, expected: 1, found: 2 }],
        }
        const wrong = await fakeServer(() => ({ body: { success: true, message: '', data: proof } }))
        const verified = await runHere(['ledger', 'verify', '--server', wrong.url])
        await wrong.close()
        return verified
      },
      holds: () => run(['ledger', 'verify']),
    },
    migrate: {
      fails: async () => run(['migrate', '--check', '--data', await folderOfLater()]),
      holds: () => run(['migrate', '--check']),
    },
    logout: { fails: () => whereGone(['logout']), holds: () => whereGone(['logout', '--keep']) },
    'context rm': {
      fails: () => whereGone(['context', 'rm', 'gone', '--yes']),
      holds: () => whereGone(['context', 'rm', 'gone', '--yes', '--keep']),
    },
    'settings diff': {
      fails: async () => run(['settings', 'diff', await fileOf('{"RetryTimes":"7"}')]),
      holds: async () => run(['settings', 'diff']),
    },
    'ledger check': {
      fails: () => run(['ledger', 'check', '-'], 'no checkpoint'),
      holds: async () => run(['ledger', 'check', '-', '--books'], (await run(['ledger', 'checkpoint'])).stdout),
    },
    'receipt verify': {
      fails: () => run(['receipt', 'verify', '-'], 'no receipt'),
      holds: async () => {
        const { stdout } = await run(['receipt', 'get', await call()])
        return run(['receipt', 'verify', '-'], stdout)
      },
    },
  }
}
