// Sign-in through the console: this terminal shows a short code, a user confirms it there, and the terminal receives an
// access token.
import type { AccessTokenScope } from '../../core/contract/endpoint.ts'
import type { WeirClient } from '../../core/contracts.ts'
import { fillTemplate, type Language } from '../../core/errors.ts'
import type { CommandEnvironment } from '../command.ts'
import { forgetContext, readContexts, type SavedContext } from './contexts.ts'
import { CommandCancelled, GatewayRefusal, toCliFailure, GatewayUnreachable, UsageError } from '../failure.ts'
import { createEndpointClient } from './endpoint-client.ts'
import { createHttpSend } from './http-send.ts'
import { asUntranslatedText } from '../language.ts'
import { type ContextRow, findRequiredContext, savedContextView, toContextRow } from '../nouns/context.ts'
import { waitOrAbort } from '../signals.ts'
import { words } from '../texts.ts'
import { flag, type OutputView } from '../output/view.ts'

/** The requested access token. */
export interface RequestedToken {
  /** Name of the requester, as shown in the console. */
  name: string
  scope: AccessTokenScope
  /** Epoch seconds. */
  expired_time: number
}

interface Ways {
  /** Shows the person the code and its validity in minutes. */
  showCode(code: string, minutes: number): Promise<void>
  signal: AbortSignal
}

/** Additional polling interval, in seconds, after the gateway asks for slower polling or is unreachable. */
const SLOW_DOWN_SECONDS = 5

/** Resolves with the access token after confirmation. @throws Refusal device.*, Cancelled by the signal */
export async function signInByCode({ devices }: WeirClient, request: RequestedToken, { showCode, signal }: Ways) {
  const { device_code, user_code, expires_in, interval } = await devices.begin(request)
  const end = Date.now() + expires_in * 1000
  await showCode(user_code, Math.round(expires_in / 60))
  for (let wait = interval; Date.now() < end;) {
    await waitOrAbort(wait * 1000, signal)
    if (signal.aborted) throw new CommandCancelled()
    try {
      return await devices.token({ device_code })
    } catch (error) {
      if (isSlower(error)) wait += SLOW_DOWN_SECONDS
      else if (!(error instanceof GatewayRefusal) || error.code !== 'device.authorization_pending') throw error
    }
  }
  throw new GatewayRefusal(words('The request was not allowed in time: start again.'), 'device.expired_token')
}

const isSlower = (error: unknown) =>
  error instanceof GatewayUnreachable ||
  (error instanceof GatewayRefusal && ['device.slow_down', 'limit.requests', 'storage.away'].includes(error.code))

// Sign-out from a remote gateway: its access token is revoked there and removed from the file here.

export const signedOutView: OutputView<ContextRow & { revoked: boolean }> = {
  ...savedContextView,
  revoked: flag(words('REVOKED'), 1, ({ revoked }) => revoked),
}

const REVOKE_TIMEOUT_MS = 10_000

/** Revokes the access token at its gateway. Returns the error, or undefined. */
export async function revokeSavedToken(
  { server, access_token }: SavedContext,
  language: Language,
): Promise<string | undefined> {
  const send = createHttpSend({
    server,
    accessToken: access_token,
    language,
    label: asUntranslatedText(server),
    patience_ms: REVOKE_TIMEOUT_MS,
  })
  try {
    await createEndpointClient(send).users.endThisAccessToken()
    return undefined
  } catch (error) {
    // The token is already invalid there.
    if (error instanceof GatewayRefusal && error.code === 'access.token_invalid') return undefined
    return toCliFailure(error, language)?.message ?? ''
  }
}

const REVOKED = words('Signed out of "{name}": its access token no longer works.')
const KEPT = words('Forgot "{name}". Its access token still works: {way}')
const BY_HAND = words('delete it there, in the console (Profile, Access tokens) or by `weir access-tokens rm{token}`.')
const NOT_REVOKED = words('The access token could not be revoked at {server}: {why}')

/** The meaning of exit code 1 for the sign-out commands. */
export const signOutExitMeaning = words('the access token could not be revoked; it is forgotten here all the same')

/**
 * Removes a context without restoring one that a concurrent command removed.
 * @throws UsageError for an unknown context, or this machine
 */
export async function forgetSignedOutContext(
  { env, language, print, failed }: CommandEnvironment,
  given: string,
  { keep = false }: { keep?: boolean },
): Promise<void> {
  const { name } = findRequiredContext(env, given)
  const saved = readContexts(env).contexts[name]
  if (!saved) throw new UsageError(words('This machine is always there.'))
  const why = keep ? undefined : await revokeSavedToken(saved, language)
  forgetContext(env, name)
  if (why !== undefined) print.warn(fillTemplate(NOT_REVOKED, { server: saved.server, why }))
  const revoked = !keep && why === undefined
  const token = saved.access_token_name === undefined ? '' : ` "${saved.access_token_name}"`
  const way = fillTemplate(BY_HAND, { token })
  await print.done({ ...toContextRow(name, saved, false), revoked }, signedOutView, {
    human: revoked ? fillTemplate(REVOKED, { name }) : fillTemplate(KEPT, { name, way }),
    quietOutput: name,
  })
  if (why !== undefined) failed()
}
