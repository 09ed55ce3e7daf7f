// Checks of the remote gateways known by name: whether they answer and accept the token.
import { fillTemplate } from '../../core/errors.ts'
import { forgetContext, LooseFile, readContexts, type SavedContext } from '../connection/contexts.ts'
import { GatewayRefusal } from '../failure.ts'
import { createEndpointClient } from '../connection/endpoint-client.ts'
import { createHttpSend } from '../connection/http-send.ts'
import { asUntranslatedText } from '../language.ts'
import { buildGoodFinding, buildWarningFinding, type DoctorFinding } from './check.ts'
import { words } from '../texts.ts'

const PROBE_MS = 2000
const NOT_TAKEN = ['access.token_invalid', 'access.login_required', '401']

type DoctorVariables = Record<string, string | undefined>

/**
 * Returns one finding for each context; empty without contexts. A file that others may read is refused before any
 * command.
 */
export async function checkContexts(env: DoctorVariables): Promise<DoctorFinding[]> {
  const saved = readableContexts(env)
  return Promise.all(Object.entries(saved).map(([name, context]) => checkContext(env, name, context)))
}

function readableContexts(env: DoctorVariables): Record<string, SavedContext> {
  try {
    return readContexts(env).contexts
  } catch (error) {
    if (error instanceof LooseFile) return {}
    throw error
  }
}

async function checkContext(
  env: DoctorVariables,
  name: string,
  { server, access_token }: SavedContext,
): Promise<DoctorFinding> {
  const about = { about: name }
  const target = { server, accessToken: access_token, label: asUntranslatedText(server), patience_ms: PROBE_MS }
  try {
    const { username } = await createEndpointClient(createHttpSend({ ...target, language: 'en' })).users.self()
    return buildGoodFinding('context', fillTemplate(words('{server} answers {username}'), { server, username }), about)
  } catch (error) {
    if (error instanceof GatewayRefusal && NOT_TAKEN.includes(error.code))
      return buildWarningFinding(
        'context',
        fillTemplate(words('{server} no longer accepts its access token'), { server }),
        asUntranslatedText(`weir login ${server} --name ${name}`),
        { ...about, repair: { what: words('forget it'), run: async () => forgetContext(env, name) } },
      )
    return buildWarningFinding(
      'context',
      fillTemplate(words('{server} does not answer'), { server }),
      fillTemplate(words('if it no longer exists: weir context rm {name}'), { name }),
      about,
    )
  }
}
