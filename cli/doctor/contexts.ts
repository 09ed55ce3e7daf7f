// Checks of the remote gateways known by name: whether they answer and accept the token.
import { createClient } from '../../core/contract/client.ts'
import { contract } from '../../core/contracts.ts'
import { fillTemplate } from '../../core/errors.ts'
import { forgetContext, LooseFile, readContexts, type SavedContext } from '../contexts.ts'
import { Refusal } from '../failure.ts'
import { httpSend } from '../http-send.ts'
import { asData } from '../language.ts'
import { ok, warn, type Finding } from './check.ts'
import { words } from '../texts.ts'

const PROBE_MS = 2000
const NOT_TAKEN = ['access.token_invalid', 'access.login_required', '401']

type Env = Record<string, string | undefined>

/**
 * Returns one finding for each context; empty without contexts. A file that others may read is refused before any
 * command.
 */
export async function checkContexts(env: Env): Promise<Finding[]> {
  const saved = readableContexts(env)
  return Promise.all(Object.entries(saved).map(([name, context]) => checkContext(env, name, context)))
}

function readableContexts(env: Env): Record<string, SavedContext> {
  try {
    return readContexts(env).contexts
  } catch (error) {
    if (error instanceof LooseFile) return {}
    throw error
  }
}

async function checkContext(env: Env, name: string, { server, access_token }: SavedContext): Promise<Finding> {
  const about = { about: name }
  const target = { server, accessToken: access_token, label: asData(server), patience_ms: PROBE_MS }
  try {
    const { username } = await createClient(contract, httpSend({ ...target, language: 'en' })).users.self()
    return ok('context', fillTemplate(words('{server} answers {username}'), { server, username }), about)
  } catch (error) {
    if (error instanceof Refusal && NOT_TAKEN.includes(error.code))
      return warn(
        'context',
        fillTemplate(words('{server} takes its access token no longer'), { server }),
        asData(`weir login ${server} --name ${name}`),
        { ...about, repair: { what: words('forget it'), run: async () => forgetContext(env, name) } },
      )
    return warn(
      'context',
      fillTemplate(words('{server} does not answer'), { server }),
      fillTemplate(words('if it is gone for good: weir context rm {name}'), { name }),
      about,
    )
  }
}
