// An installation as the built program finds or leaves it, made and looked at in this process: a process takes a second to
// start, and is for what a test is about.
import { openGateway } from '../../core/adapters/node.ts'
import { readConfig } from '../../core/adapters/read-config.ts'
import type { Gateway } from '../../core/gateway.ts'
import { startServer } from '../../http/start.ts'
import type { Environment } from './built-server.ts'

export const INSTALLED = { username: 'root', password: 'a root password' }

/** Opens the installation of an environment for as long as the work takes. */
export async function within<T>(env: Environment, work: (gateway: Gateway) => Promise<T>): Promise<T> {
  const gateway = await openGateway(readConfig({ log_level: 'silent' }, env, false))
  try {
    return await work(gateway)
  } finally {
    await gateway.close()
  }
}

/** A new installation with a channel that answers offline, or the one that is told; gives the key of root's API token. */
export const install = (env: Environment, channel: object = { type: 1000, models: 'sandbox-small' }): Promise<string> =>
  within(env, async ({ client }) => {
    await client.site.setup({ ...INSTALLED, confirmPassword: INSTALLED.password })
    await client.channels.create({ name: 'test', type: 1, key: 'k', models: '', ...channel })
    return `sk-${(await client.tokens.create({ name: 'first', unlimited_quota: true })).key}`
  })

/** Starts to serve the installation in this process, on a free port if none is given. */
export async function serveHere(env: Environment, port = 0) {
  const config = { ...readConfig({ log_level: 'silent' }, env, false), port }
  return startServer(await openGateway(config), config)
}

/** Serves the installation for as long as the work takes. */
export async function whileServing<T>(env: Environment, work: (url: string) => Promise<T>): Promise<T> {
  const server = await serveHere(env)
  try {
    return await work(server.url)
  } finally {
    await server.close()
  }
}

/** What a call with a key is answered by the installation. */
export const answerOf = (env: Environment, apiKey: string): Promise<{ status: number; text: string }> =>
  whileServing(env, async (url) => {
    const answer = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'sandbox-small', messages: [{ role: 'user', content: 'Hello' }] }),
    })
    return { status: answer.status, text: await answer.text() }
  })
